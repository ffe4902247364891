"""The libraries of all projects, which stay open between the searches until a newer version is there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, InvalidRequest, Misconfigured
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
        """Find the papers of a project by words and meaning, best first; file and encoder have until the deadline."""
        with self._using(project, deadline) as opened:
            return _within(opened.hybrid, self._encoder, deadline).search(query, limit, filters)

    def search_words(
        self,
        project: str,
        query: str,
        limit: int,
        filters: LibraryFilters,
        deadline: Deadline | None = None,
    ) -> LibraryResult:
        """Find the papers of a project by words alone, best first; its file has until the deadline."""
        with self._using(project, deadline) as opened:
            return opened.index.search(query, limit, filters)

    def chunks(
        self, project: str | None, query: str, k: int, deadline: Deadline | None = None
    ) -> tuple[list[Chunk], list[str]]:
        """Find the best passages of a project, or of all; of all, a library that cannot be opened is noted.

        Raises `CallFailed` if none can be reached.
        """
        if project is not None:
            chunks, said = self._chunks(project, query, k, deadline)
            return chunks, [*said]
        names = [name for name in self._libraries.projects() if self._among is None or name in self._among]
        found: list[Chunk] = []
        notes: list[str] = []
        unreached: list[CallFailed] = []
        for name in names:
            try:
                chunks, said = self._chunks(name, query, k, deadline)
                found += chunks
                notes += [f"{name}: {note}" for note in said]
            except (InvalidRequest, Misconfigured, CallFailed) as error:  # removed, damaged, late: the others answer
                notes.append(f"{name} was left out: {error}")
                unreached += [error] if isinstance(error, CallFailed) else []
        if unreached and len(unreached) == len(names):
            raise unreached[0]
        found.sort(key=lambda chunk: (-chunk.score, chunk.project, chunk.document, chunk.start))
        return found[:k], notes

    def close(self) -> None:
        """Close the libraries that no search uses; the others are closed at the end of their last one."""
        with self._lock:
            for project in list(self._opened):
                self._drop(project)

    def _chunks(self, project: str, query: str, k: int, deadline: Deadline | None) -> tuple[list[Chunk], Sequence[str]]:
        with self._using(project, deadline) as opened:
            return _within(opened.hybrid, self._encoder, deadline).chunks_with_notes(query, k)

    @contextmanager
    def _using(self, project: str, deadline: Deadline | None) -> Iterator[_Opened]:
        with self._lock:
            opened = self._current(project, deadline)
            opened.users += 1
        try:
            yield opened
        finally:
            with self._lock:
                opened.users -= 1
                if opened.is_dropped and not opened.users:
                    opened.closing.close()

    def _current(self, project: str, deadline: Deadline | None) -> _Opened:
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
        self._opened[project] = opened = self._open(project, version, deadline)
        return opened

    def _open(self, project: str, version: str | None, deadline: Deadline | None) -> _Opened:
        with ExitStack() as stack:
            path = stack.enter_context(self._libraries.file(project, deadline))
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
