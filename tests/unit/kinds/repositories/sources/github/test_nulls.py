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
from tests.support.memory_stores import MemoryRateLimiter
from tests.support.nullable import Path, nullable_places, with_value

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
    """GitHub without a network, with a null at one place of each response."""

    def __init__(self, path: Path | None) -> None:
        self._path, self.clock = path, StillClock()
        settings = GitHubSettings(github_token=SecretStr("good-token"))
        self.source = GitHub(settings, self, MemoryRateLimiter(self.clock), self.clock)

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Answer with that null."""
        del deadline
        assert isinstance(request.body, dict)
        body = execute(CATALOGUE, request.body)
        changed = body if self._path is None else with_value(body, ("data", *self._path), None)
        return HttpResponse(200, {}, json.dumps(changed).encode())

    def lists(self) -> tuple[list[Repository], list[Repository]]:
        """Return the repositories of both searches."""
        first, second = self.source.search(SEARCHES, Deadline.after(5, self.clock)).lists
        return list(first), list(second)

    def enriched(self) -> tuple[Repository, ...]:
        """Return the repositories with all facts."""
        named = [Repository(full_name=f"o/r{number}") for number in range(3)]
        return tuple(filter(None, self.source.enrich(named, Deadline.after(5, self.clock)).repositories))


def written(path: Path) -> str:
    """Name a test by its place."""
    return ".".join(map(str, path))


def check_only_one_fact_is_lost(found: Repository, whole: Repository) -> None:
    """Check that a repository lacks one fact at most, and facts that come with it."""
    changed = {name for name, value in whole if value != getattr(found, name)}
    assert len(changed) <= 1 or changed <= RELATED
    assert found.full_name == whole.full_name


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
