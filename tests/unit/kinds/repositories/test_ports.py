"""The sources of repositories that a deployment has, and a search in GitHub's query syntax, within its limits."""

from datetime import date

import pytest
from goldpan.engine.dependencies import Connections
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.models import RepositorySearch, StarRange
from goldpan.kinds.repositories.ports import render
from goldpan.kinds.repositories.sources.connector import CONNECTOR
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

from tests.support.factories import StillClock
from tests.support.memory_stores import MemoryRateLimiter


def test_every_qualifier_is_written() -> None:
    """Qualifiers follow the words; a language of two words is quoted, one bound of stars is a comparison."""
    day, topics = date(2020, 1, 1), ("data", "charts")
    written = {
        "x stars:<=500": RepositorySearch(words=("x",), stars=StarRange(max=500)),
        "stars:0..1000": RepositorySearch(words=(), stars=StarRange(min=0, max=1000)),
        "language:Rust topic:data topic:charts": RepositorySearch(words=(), language="Rust", topics=topics),
        'language:"Vim Script"': RepositorySearch(words=(), language="Vim Script"),
        "created:>=2020-01-01 pushed:>=2020-01-01": RepositorySearch(words=(), created_after=day, pushed_after=day),
    }
    assert {query: render(search) for query, search in written.items()} == {query: query for query in written}


def test_a_query_of_256_characters_fits() -> None:
    """GitHub accepts no more; words such as "library" go before others, the last before the first; qualifiers stay."""
    stars = StarRange(min=50)
    assert len(render(RepositorySearch(words=("a" * 100, "b" * 144), stars=stars))) == 256
    assert render(RepositorySearch(words=("a" * 100, "b" * 145), stars=stars)) == "a" * 100 + " stars:>=50"
    subjects = tuple(f"subject{n:02}word" for n in range(18))
    assert render(RepositorySearch(words=(*subjects[:2], "library", "tool", *subjects[2:]))) == " ".join(subjects)


@pytest.mark.parametrize(
    ("environment", "searches"),
    [
        ({}, {"github": 5, "catalogue": 15}),
        ({"GITHUB_TOKEN": "placeholder"}, {"github": 15, "catalogue": 15}),
        ({"GITHUB_API_URL": "https://git.example.org/api/v3/"}, {"github": 5}),
    ],
)
def test_the_catalogue_stands_beside_github(environment: dict[str, str], searches: dict[str, int]) -> None:
    """A GitHub of a company has none of its repositories, and is asked alone; a token allows more searches."""
    assert {name: source.searches_a_question for name, source in CONNECTOR.plan(environment).items()} == searches
    clock, names = StillClock(), ("github", "catalogue")
    connections = Connections(HttpClient, MemoryRateLimiter(clock), None, clock)
    made = CONNECTOR.connect(names, GitHubSettings.from_environment(environment), connections)
    assert (*made,) == names  # a function makes all of its sources before the snapshot
