"""The repositories of the loopback GitHub, and searching in them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.loopback.github_matching import score
from tests.support.loopback.github_query import Query, parse
from tests.support.loopback.github_repository import Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

RESULT_LIMIT = 1000

SORT_KEYS: dict[str, Callable[[Repository], int | str]] = {
    "stars": lambda repository: repository.stars,
    "forks": lambda repository: repository.forks,
    "updated": lambda repository: repository.touched_at,
}


@dataclass(frozen=True)
class Hit:
    """A repository that matches a query."""

    repository: Repository
    score: float


class Catalogue:
    """All repositories by name, with a count of the searches made in them."""

    def __init__(self, repositories: Iterable[Mapping[str, Any]]) -> None:
        self.searches = 0
        self._lock = threading.Lock()
        stored = (Repository.stored(number, facts) for number, facts in enumerate(repositories, start=1001))
        self._by_name = {repository.full_name.lower(): repository for repository in stored}

    def find(self, owner: str, name: str) -> Repository | None:
        """Find a repository by its name, in which case does not matter."""
        return self._by_name.get(f"{owner}/{name}".lower())

    def search(self, text: str, sort: str | None = None, order: str = "desc") -> list[Hit]:
        """Search; a sort given beside the query goes before one inside it."""
        with self._lock:
            self.searches += 1
        query = parse(text)
        hits = [
            Hit(repository, matched)
            for repository in self._by_name.values()
            if (matched := score(repository, query)) is not None
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.repository.stars, hit.repository.full_name))
        return _sorted(hits, *_sorting(query, sort, order))


def _sorting(query: Query, sort: str | None, order: str) -> tuple[str | None, str]:
    inside = query.values("sort")
    if sort is None and inside:
        name, _, direction = inside[-1].partition("-")
        return name, direction or "desc"
    return sort, order


def _sorted(hits: list[Hit], sort: str | None, order: str) -> list[Hit]:
    key = SORT_KEYS.get(sort or "")
    if key is None:
        return hits
    return sorted(hits, key=lambda hit: key(hit.repository), reverse=order != "asc")
