"""A user's libraries as a source of a search, with the strategies `library` (by words) and `hybrid` (meaning too)."""

from __future__ import annotations

from dataclasses import dataclass

from goldpan.kinds.papers.models import LIBRARY_QUERIES
from goldpan.kinds.papers.ports import PaperSource
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.project_search import open_project


@dataclass(frozen=True)
class LibrarySource:
    """The libraries as a search reaches them: the source to ask is that of the project that the request names."""

    libraries: OpenLibraries
    queries_a_search: int = LIBRARY_QUERIES
    missing_key: str | None = None
    looks_up: bool = False

    def of_project(self, project: str, strategy: str) -> PaperSource:
        """Return the source of one project, searched by a strategy."""
        return open_project(self.libraries, project, strategy)
