"""The repositories of the loopback GitHub, and the search for them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.support.loopback.github_matching import score
from tests.support.loopback.github_query import parse
from tests.support.loopback.github_repository import Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SORT_KEYS: dict[str, Callable[[Repository], int | str]] = {
    "stars": lambda repository: repository.stars,
    "updated": lambda repository: repository.touched_at,
}


@dataclass(frozen=True)
class Hit:
    """A repository that matches a query."""

    repository: Repository
    score: float


class Catalogue:
    """All repositories by name, and the number of searches."""

    def __init__(self, repositories: Iterable[Mapping[str, Any]]) -> None:
        self.searches = 0
        self._lock = threading.Lock()
        stored = map(Repository.stored, repositories)
        self._by_name = {repository.full_name.lower(): repository for repository in stored}

    def find(self, owner: str, name: str) -> Repository | None:
        """Find a repository by its name in any letter case."""
        return self._by_name.get(f"{owner}/{name}".lower())

    def search(self, text: str, sort: str | None = None) -> list[Hit]:
        """Search; a sort beside the query takes precedence over one in it, and the highest comes first."""
        with self._lock:
            self.searches += 1
        query = parse(text)
        hits = [
            Hit(repository, matched)
            for repository in self._by_name.values()
            if (matched := score(repository, query)) is not None
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.repository.stars, hit.repository.full_name))
        key = SORT_KEYS.get(sort or next(iter(query.values("sort")), ""))
        return sorted(hits, key=lambda hit: key(hit.repository), reverse=True) if key else hits
