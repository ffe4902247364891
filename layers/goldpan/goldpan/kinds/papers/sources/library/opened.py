"""The libraries of all projects, which stay open between the searches until a newer version is there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

from goldpan.errors import InvalidRequest, Misconfigured

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Deadline
    from goldpan.infra.encoder.port import Encoder
    from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
    from goldpan.kinds.papers.sources.library.index import LibraryIndex
    from goldpan.kinds.papers.sources.library.models import Chunk, LibraryFilters, LibraryResult
    from goldpan.kinds.papers.sources.library.ports import Libraries

MAX_OPEN = 8
"""Libraries that stay open: each keeps its vectors in memory."""


@dataclass(eq=False)
class _Opened:
    """An open library of a version, and how many searches use it; `closing` closes it after the last one."""

    version: str | None
    index: LibraryIndex
    encoder: Encoder | None
    closing: ExitStack
    users: int = 0
    is_dropped: bool = False

    @cached_property
    def hybrid(self) -> HybridIndex:
        """The search by words and meaning; its vectors are read at its first search."""
        from goldpan.kinds.papers.sources.library.hybrid import HybridIndex  # noqa: PLC0415 - not for words alone

        return HybridIndex(self.index, self.encoder)


class OpenLibraries:
    """The libraries of all projects, searched with one encoder; safe to share between threads.

    Every search raises `InvalidRequest` if there is no such project, `Misconfigured` if its file is damaged, and
    `CallFailed` if it cannot be reached.
    """

    def __init__(self, libraries: Libraries, encoder: Encoder | None, max_open: int = MAX_OPEN) -> None:
        self._libraries, self._encoder, self._max_open = libraries, encoder, max_open
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, _Opened] = OrderedDict()
        self._among: Sequence[str] | None = None

    def among(self, projects: Sequence[str]) -> Self:
        """Return the same libraries, whose passages of all projects are those of these projects."""
        bound = copy(self)
        bound._among = projects  # noqa: SLF001 - a copy of this object
        return bound

    def version(self, project: str) -> str | None:
        """Return what changes with every import, None if there is no such project."""
        return self._libraries.version(project)

    def versions(self) -> dict[str, str | None]:
        """Return the version of every project."""
        return {project: self._libraries.version(project) for project in self._libraries.projects()}

    def search(
        self,
        project: str,
        query: str,
        limit: int,
        filters: LibraryFilters,
        deadline: Deadline | None = None,
    ) -> LibraryResult:
        """Find the papers of a project by words and meaning, best first; a remote encoder has until the deadline."""
        with self._using(project) as opened:
            return _within(opened.hybrid, self._encoder, deadline).search(query, limit, filters)

    def search_words(self, project: str, query: str, limit: int, filters: LibraryFilters) -> LibraryResult:
        """Find the papers of a project by words alone, best first."""
        with self._using(project) as opened:
            return opened.index.search(query, limit, filters)

    def chunks(self, project: str | None, query: str, k: int) -> tuple[list[Chunk], list[str]]:
        """Find the best passages of a project, or of all; of all, a library that cannot be opened is noted."""
        if project is not None:
            with self._using(project) as opened:
                return opened.hybrid.chunks(query, k), []
        found: list[Chunk] = []
        notes: list[str] = []
        for name in self._libraries.projects():
            if self._among is not None and name not in self._among:
                continue
            try:
                with self._using(name) as opened:
                    found += opened.hybrid.chunks(query, k)
            except (InvalidRequest, Misconfigured) as error:  # removed meanwhile, or damaged: the others still answer
                notes.append(f"{name} was left out: {error}")
        found.sort(key=lambda chunk: (-chunk.score, chunk.project, chunk.document, chunk.start))
        return found[:k], notes

    def close(self) -> None:
        """Close the libraries that no search uses; the others are closed at the end of their last one."""
        with self._lock:
            for project in list(self._opened):
                self._drop(project)

    @contextmanager
    def _using(self, project: str) -> Iterator[_Opened]:
        with self._lock:
            opened = self._current(project)
            opened.users += 1
        try:
            yield opened
        finally:
            with self._lock:
                opened.users -= 1
                if opened.is_dropped and not opened.users:
                    opened.closing.close()

    def _current(self, project: str) -> _Opened:
        """Return the library, opened anew if it has changed; its version is read first, so it is never too new."""
        version = self._libraries.version(project)
        known = self._opened.get(project)
        if known is not None and known.version == version:
            self._opened.move_to_end(project)
            return known
        if known is not None:
            self._drop(project)
        while len(self._opened) >= self._max_open:  # before the next one needs its memory, and its place on a disk
            self._drop(next(iter(self._opened)))
        self._opened[project] = opened = self._open(project, version)
        return opened

    def _open(self, project: str, version: str | None) -> _Opened:
        from goldpan.kinds.papers.sources.library.index import LibraryIndex  # noqa: PLC0415 - few searches have one

        with ExitStack() as stack:
            path = stack.enter_context(self._libraries.file(project))
            index = stack.enter_context(LibraryIndex.open(path, project))
            return _Opened(version, index, self._encoder, stack.pop_all())

    def _drop(self, project: str) -> None:
        opened = self._opened.pop(project)
        opened.is_dropped = True
        if not opened.users:
            opened.closing.close()


def _within(index: HybridIndex, encoder: Encoder | None, deadline: Deadline | None) -> HybridIndex:
    """Return the index with an encoder that ends at the deadline, where it can: one behind an endpoint."""
    bounded = getattr(encoder, "within", None)
    return index if deadline is None or bounded is None else index.with_encoder(bounded(deadline))
