"""The libraries of all projects, each opened when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryFilters, LibraryResult
from goldpan.kinds.papers.sources.library.ports import Libraries

NO_FILTERS = LibraryFilters()
_HERE = "goldpan.kinds.papers.sources.library"


class OpenLibraries:
    """The libraries of all projects, searched with one encoder; safe to share between threads.

    Every method raises `InvalidRequest` if there is no such project, `Misconfigured` if its file is damaged, and
    `CallFailed` if it cannot be reached.
    """

    def __init__(self, libraries: Libraries, encoder: Encoder | None) -> None:
        self._libraries, self._encoder = libraries, encoder

    def version(self, project: str) -> str | None:
        """Return what changes with every import, None if there is no such project."""
        return self._libraries.version(project)

    def search(
        self,
        project: str,
        query: str,
        limit: int,
        filters: LibraryFilters = NO_FILTERS,
        deadline: Deadline | None = None,
    ) -> LibraryResult:
        """Find the papers of a project by words and meaning, best first; an encoder elsewhere has until the deadline."""
        with self._opened(project) as index:
            result: LibraryResult = index.search(query, limit, filters)
            return result

    def search_words(self, project: str, query: str, limit: int, filters: LibraryFilters = NO_FILTERS) -> LibraryResult:
        """Find the papers of a project by words alone, best first."""
        with self._opened(project) as index:
            result: LibraryResult = index.index.search(query, limit, filters)
            return result

    def chunks(self, project: str | None, query: str, k: int) -> tuple[list[Chunk], list[str]]:
        """Find the best passages of a project, or of all; of all, a library that cannot be opened is noted."""
        if project is not None:
            with self._opened(project) as index:
                return list(index.chunks(query, k)), []
        found: list[Chunk] = []
        notes: list[str] = []
        for name in self._libraries.projects():
            try:
                with self._opened(name) as index:
                    found += index.chunks(query, k)
            except (InvalidRequest, Misconfigured) as error:  # removed meanwhile, or damaged: the others still answer
                notes.append(f"{name} was left out: {error}")
        found.sort(key=lambda chunk: (-chunk.score, chunk.project, chunk.document, chunk.start))
        return found[:k], notes

    @contextmanager
    def _opened(self, project: str) -> Iterator[Any]:
        """Open the library of a project; its modules are loaded here, because few searches have one."""
        index_class = import_module(f"{_HERE}.index").LibraryIndex
        hybrid_class = import_module(f"{_HERE}.hybrid").HybridIndex
        with self._libraries.file(project) as path, index_class.open(path, project) as index:
            yield hybrid_class(index, self._encoder)
