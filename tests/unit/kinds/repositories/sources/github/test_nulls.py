"""A null wherever GitHub's schemas allow one costs no more than the fact or the repository that it stands for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub
from pydantic import SecretStr

from tests.support.factories import StillClock
from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_graphql import execute, github_schema
from tests.support.loopback.github_rest import search_repositories
from tests.support.memory_stores import MemoryRateLimiter
from tests.support.nullable import REST_NULLABLE, Path, nullable_places, with_value

FACTS: dict[str, Any] = {
    "description": "react",
    "homepage": "https://example.org",
    "language": "Go",
    "topics": ["a", "b"],
    "license": "MIT",
    "readme": "# React",
    "tree": [{"name": "src", "type": "tree"}],
    "releases": 3,
    "latest_release_at": "2026-01-01",
    "recent_commits": 5,
}
CATALOGUE = Catalogue([FACTS | {"full_name": f"o/r{number}", "stars": 90 - number} for number in range(3)])
SEARCHES = (RepositorySearch(words=("react",)), RepositorySearch(words=("react",), sort="stars"))
SEARCH_PLACES = [
    *nullable_places(search_document(1), github_schema()),
    ("s0", "nodes", 0, "repositoryTopics", "nodes", 0, "topic"),  # beyond the schema
]
DETAIL_PLACES = nullable_places(enrichment_document(1), github_schema())
RELATED = {"readme", "readme_outline", "latest_release_at", "latest_release_name"}
"""Facts that one value of GitHub gives together."""


class Nulling:
    """GitHub without a network, with a null (or another value) at one place of each response."""

    def __init__(self, path: Path | None, value: object = None, token: str | None = "good-token") -> None:
        self._path, self._value, self.clock = path, value, StillClock()
        settings = GitHubSettings(github_token=SecretStr(token) if token else None)
        self.source = GitHub(settings, self, MemoryRateLimiter(self.clock), self.clock)

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Answer with that value."""
        del deadline
        if request.method == "GET":
            body = json.loads(search_repositories(CATALOGUE, request.params).body)
        else:
            assert isinstance(request.body, dict)
            body = execute(CATALOGUE, request.body)
        root = () if request.method == "GET" else ("data",)
        changed = body if self._path is None else with_value(body, (*root, *self._path), self._value)
        return HttpResponse(200, {}, json.dumps(changed).encode())

    def lists(self) -> tuple[list[Repository], list[Repository]]:
        """Return the repositories of both searches."""
        first, second = self.source.search(SEARCHES, Deadline.after(5, self.clock)).lists
        return list(first), list(second)

    def enriched(self) -> tuple[Repository, ...]:
        """Return the repositories with all facts."""
        named = [Repository(full_name=f"o/r{number}") for number in range(3)]
        return self.source.enrich(named, Deadline.after(5, self.clock)).repositories


def written(path: Path) -> str:
    """Name a test by its place."""
    return ".".join(map(str, path))


def check_only_one_fact_is_lost(found: Repository, whole: Repository) -> None:
    """Check that a repository lacks one fact at most, and facts that come with it."""
    changed = {name for name, value in whole if value != getattr(found, name)}
    assert len(changed) <= 1 or changed <= RELATED
    assert found.full_name == whole.full_name


def test_the_places_are_those_of_the_documents() -> None:
    """The lists hold what is known to be null at times, and nothing that GitHub promises."""
    places = {written(path) for path in (*SEARCH_PLACES, *DETAIL_PLACES)}
    assert {"s0.nodes", "s0.nodes.0", "s0.nodes.0.repositoryTopics.nodes.0", "s0.nodes.0.pushedAt"} <= places
    assert {"r0", "r0.releases.nodes.0.publishedAt", "r0.defaultBranchRef.target", "r0.readmeMd.text"} <= places
    assert not {"s0", "s0.repositoryCount", "s0.nodes.0.nameWithOwner", "r0.watchers"} & places


@pytest.mark.parametrize("path", SEARCH_PLACES, ids=written)
def test_a_null_in_a_search(path: Path) -> None:
    """The other repositories, and the other search, are complete."""
    (whole, other), (found, same) = Nulling(None).lists(), Nulling(path).lists()
    assert same == other
    if len(path) > 3:
        check_only_one_fact_is_lost(found[0], whole[0])
        assert found[1:] == whole[1:]
    else:
        assert found == ([] if len(path) == 2 else whole[1:])


@pytest.mark.parametrize("path", DETAIL_PLACES, ids=written)
def test_a_null_in_the_details(path: Path) -> None:
    """The other repositories of the batch have all facts."""
    whole, found = Nulling(None).enriched(), Nulling(path).enriched()
    assert found[1:] == whole[1:]
    if len(path) > 1:
        check_only_one_fact_is_lost(found[0], whole[0])


@pytest.mark.parametrize("field", [*REST_NULLABLE, "topics", "topics.0", "pushed_at", "created_at", ""])
@pytest.mark.parametrize("value", [None, "no time, no list"])
def test_a_null_or_a_bad_value_over_rest(field: str, value: object) -> None:
    """Each field of an item may be null or in another form, and the item itself too."""
    steps = [int(step) if step.isdecimal() else step for step in field.split(".") if step]
    path: Path = ("items", 0, *steps)
    (whole, _), (found, _) = Nulling(None, token=None).lists(), Nulling(path, value, token=None).lists()
    assert found[-2:] == whole[-2:]
    if field:
        check_only_one_fact_is_lost(found[0], whole[0])


@pytest.mark.parametrize("path", [("s0", "nodes", 0, "pushedAt"), ("s0", "nodes", 0, "createdAt")], ids=written)
def test_a_bad_date_is_unknown_and_counted(path: Path) -> None:
    """A date that is none loses neither the repository nor the strategy, and the row says so."""
    github = Nulling(path, "yesterday")
    found = github.source.search(SEARCHES, Deadline.after(5, github.clock))
    assert [len(repositories) for repositories in found.lists] == [3, 3]
    assert [note for note in found.notes if "was read without 1 fact (" in note]
    details = Nulling(("r0", "releases", "nodes", 0, "publishedAt"), "yesterday").enriched()
    assert (details[0].latest_release_at, details[0].watchers, len(details)) == (None, 0, 3)
