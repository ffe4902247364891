"""A user's libraries as a source of a search, with the strategies `library` (by words) and `hybrid` (meaning too)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldpan.kinds.papers.ports import PaperSource
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries

QUERIES = 2
"""Queries of a search."""


class LibrarySource:
    """The libraries as a search reaches them: the source to ask is that of the project that the request names.

    It is made for every search, and most have no project, so its modules are loaded at the first one.
    """

    queries_a_search, missing_key, looks_up = QUERIES, None, False

    def __init__(self, libraries: OpenLibraries) -> None:
        self._libraries = libraries

    def of_project(self, project: str, strategy: str) -> PaperSource:
        """Return the source of one project, searched by a strategy."""
        from goldpan.kinds.papers.sources.by_id import SourceById  # noqa: PLC0415 - see the class
        from goldpan.kinds.papers.sources.library.project_search import ProjectLibrary  # noqa: PLC0415

        return SourceById(ProjectLibrary(self._libraries, project, strategy))
