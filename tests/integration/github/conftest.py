"""GitHub on a loopback port and the source that calls it, both on one clock that only moves when goldpan waits."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.models import Batch, Repository, RepositorySearch, StarRange
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.scout import scout
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import open_github

from tests.support.factories import StillClock, scout_task
from tests.support.loopback import LoopbackGitHub, sample_repositories
from tests.support.memory_stores import memory_connections

TOKEN = "good-token"


def search_for(*words: str, **qualifiers: Any) -> RepositorySearch:
    """Make a search for words, of repositories with 50 stars."""
    return RepositorySearch(**{"words": words or ("react", "animation"), "stars": StarRange(min=50), **qualifiers})


def names(repositories: Iterable[Repository]) -> list[str]:
    """List names without their owner."""
    return [repository.full_name.partition("/")[2] for repository in repositories]


class Caller:
    """A GitHub source with one credential, and its calls within a deadline."""

    def __init__(self, url: str, clock: StillClock, token: str = "") -> None:
        self.clock, self._http = clock, HttpClient()
        self.close = self._http.close
        settings = GitHubSettings.from_environment({"GITHUB_API_URL": url, "GITHUB_TOKEN": token})
        self.source = open_github(settings, memory_connections(self._http, clock))

    def search(self, *searches: RepositorySearch) -> Found:
        """Run searches."""
        return self.source.search(searches, Deadline.after(5, self.clock))

    def scout(self, *searches: RepositorySearch, seconds: float = 5) -> Batch:
        """Run searches as the scout does, so that a failure becomes a status row."""
        task = scout_task().model_copy(update={"searches": searches or (search_for(),)})
        dependencies = Dependencies(clock=self.clock, sources={"github": self.source})
        return scout(task, dependencies, Deadline.after(seconds, self.clock))

    def enrich(self, *full_names: str, seconds: float = 5) -> Enriched:
        """Enrich repositories of which only the name is known."""
        repositories = [Repository(full_name=name) for name in full_names]
        return self.source.enrich(repositories, Deadline.after(seconds, self.clock))


@pytest.fixture
def clock() -> StillClock:
    """Make the clock."""
    return StillClock()


@pytest.fixture
def github(clock: StillClock) -> Iterator[LoopbackGitHub]:
    """Serve the sample repositories, with room for many searches."""
    with LoopbackGitHub(sample_repositories(), now=clock.now, searches_a_minute=1000) as server:
        yield server


@pytest.fixture
def rest(github: LoopbackGitHub, clock: StillClock) -> Iterator[Caller]:
    """Make a source without a token."""
    with closing(Caller(github.url, clock)) as caller:
        yield caller


@pytest.fixture
def graphql(github: LoopbackGitHub, clock: StillClock) -> Iterator[Caller]:
    """Make a source with a token."""
    with closing(Caller(github.url, clock, TOKEN)) as caller:
        yield caller
