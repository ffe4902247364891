"""The index of a library, open for reading: a search by words, and the papers of a project."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from goldpan.kinds.papers.sources.library.models import LibraryFilters, LibraryPaper, LibraryResult

NO_FILTERS = LibraryFilters()


class LibraryIndex:
    """A library, open for reading; a context manager, safe to share between threads.

    An import in another process does not disturb it: each search sees the state before or after a file's import.
    """

    def __init__(self, connection: sqlite3.Connection, project: str) -> None:
        self.project = project
        self.connection = connection
        """For reading tables of the same file that other modules own; `papers.number` is the key to refer to."""

    @classmethod
    def open(cls, path: Path, project: str | None = None) -> Self:
        """Open a file read-only; the project is by default the name of the file without its suffix.

        Raises `Misconfigured` if it is missing, damaged, of a newer version, or not a library.
        """
        raise NotImplementedError

    @classmethod
    def of_papers(cls, papers: Iterable[LibraryPaper], project: str = "") -> Self:
        """Index papers in memory; of papers with the same id the last one counts."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """The number of papers."""
        raise NotImplementedError

    @property
    def version(self) -> str:
        """Changes with every import that changes a paper; the same papers in another file have another version."""
        raise NotImplementedError

    def search(self, query: str, limit: int = 10, filters: LibraryFilters = NO_FILTERS) -> LibraryResult:
        """Find the papers for a query as a person types it, best first.

        Raises `InvalidRequest` if the query is empty or too long. No query is a syntax error.
        """
        raise NotImplementedError

    def papers(self, ids: Sequence[str]) -> list[LibraryPaper]:
        """Return the papers with these ids, in their order; unknown ids are left out."""
        raise NotImplementedError

    def __iter__(self) -> Iterable[LibraryPaper]:
        """Iterate over all papers, in the order of their import."""
        raise NotImplementedError

    def allowed(self, query: str, filters: LibraryFilters = NO_FILTERS) -> frozenset[int] | None:
        """Return the numbers of the papers that meet the filters and exclusions of a query; None is all of them."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
