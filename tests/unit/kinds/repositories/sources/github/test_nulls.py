"""A null at any place of GitHub's response costs no more than the fact or the repository that it stands for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.sources.github.graphql import open_github
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from pydantic import SecretStr

from tests.support.factories import StillClock
from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_graphql import execute
from tests.support.memory_stores import MemoryRateLimiter

Path = tuple[str | int, ...]
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
RELATED = ({"readme", "readme_outline"}, {"releases", "latest_release_at", "latest_release_name"})
"""Facts that one value of GitHub gives together."""
IDENTITY = "nameWithOwner"
"""Without it the repository is lost."""


class Nulling:
    """GitHub without a network, with a null at one place of each response."""

    def __init__(self, path: Path = ()) -> None:
        self._path, self.clock = path, StillClock()
        self.body: Any = None
        settings = GitHubSettings(github_token=SecretStr("good-token"))
        self.source = open_github(settings, self, MemoryRateLimiter(self.clock), self.clock)

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Answer with that null."""
        del deadline
        assert isinstance(request.body, dict)
        self.body = execute(CATALOGUE, request.body)
        if self._path:
            *parents, last = self._path
            reduce(getitem, parents, self.body["data"])[last] = None
        return HttpResponse(200, {}, json.dumps(self.body).encode())

    def lists(self) -> tuple[list[Repository], list[Repository]]:
        """Return the repositories of both searches."""
        first, second = self.source.search(SEARCHES, Deadline.after(5, self.clock)).lists
        return list(first), list(second)

    def enriched(self) -> list[Repository | None]:
        """Return the repositories with all facts."""
        named = [Repository(full_name=f"o/r{number}") for number in range(3)]
        return list(self.source.enrich(named, Deadline.after(5, self.clock)).repositories)


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield all places of a value, in each list those of its first member."""
    children = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for name, child in children:
        yield (*path, name)
        yield from places(child, (*path, name))


def check_only_one_fact_is_lost(found: Repository | None, whole: Repository | None) -> None:
    """Check that a repository lacks one fact at most, and facts that come with it."""
    assert found
    assert whole
    changed = {name for name, value in whole if value != getattr(found, name)}
    assert len(changed) <= 1 or any(changed <= facts for facts in RELATED)


def test_a_null_in_a_search() -> None:
    """The other repositories, and the other search, are complete."""
    genuine = Nulling()
    whole, other = genuine.lists()
    tried = list(places(genuine.body["data"]["s0"]["nodes"], ("s0", "nodes")))
    for path in tried:
        found, same = Nulling(path).lists()
        assert (same, found[-2:]) == (other, whole[-2:]), path
        if len(path) > 3 and path[-1] != IDENTITY:
            check_only_one_fact_is_lost(found[0], whole[0])
    assert len(tried) > 15
    assert Nulling(("s0", "nodes")).lists() == ([], other)


def test_a_null_in_the_details() -> None:
    """The other repositories of the batch have all facts."""
    genuine = Nulling()
    whole = genuine.enriched()
    tried = list(places(genuine.body["data"]["r0"], ("r0",)))
    for path in tried:
        found = Nulling(path).enriched()
        assert found[1:] == whole[1:], path
        if path[-1] != IDENTITY:
            check_only_one_fact_is_lost(found[0], whole[0])
    assert len(tried) > 30
