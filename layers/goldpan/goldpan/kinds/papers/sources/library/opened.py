"""The libraries of all projects, which stay open between the searches until a newer version is there."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Protocol, Self, TypeVar

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Files
from goldpan.errors import CallFailed, InvalidRequest, Misconfigured, NotFound
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.sources.library.hybrid import HybridIndex
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryFilters, LibraryResult

T = TypeVar("T")
ATTEMPTS = 3
MAX_OPEN = 8
"""Libraries that stay open: each keeps its vectors in memory."""


class Libraries(Files, Protocol):
    """The projects of a user, each with one index file that is only read here, and stays unchanged while it is open.

    `NotFound` names the projects that there are where the caller may know them.
    """

    def projects(self) -> list[str]:
        """List the projects by name."""

    def version(self, project: str) -> str | None:
        """Return what changes with every import or push, None if there is no such project; it is cheap to ask."""


class OpenLibraries:
    """The libraries of all projects, searched with one encoder; safe to share between threads.

    Every search raises `NotFound` if there is no such project, `Misconfigured` if its file is damaged, and
    `CallFailed` if it cannot be reached.
    """

    def __init__(self, libraries: Libraries, encoder: Encoder, max_open: int = MAX_OPEN) -> None:
        self._libraries, self._encoder, self._max_open = libraries, encoder, max_open
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, tuple[str | None, HybridIndex]] = OrderedDict()
        """The open libraries with their versions."""
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

    def search(  # noqa: PLR0913 - what a search of a library is
        self,
        project: str,
        query: str,
        limit: int,
        filters: LibraryFilters,
        deadline: Deadline | None = None,
        *,
        words_alone: bool = False,
    ) -> LibraryResult:
        """Find the papers of a project by words and meaning, best first; file and encoder have until the deadline."""
        if words_alone:
            return self._asked(project, deadline, lambda library: library.index.search(query, limit, filters))
        return self._asked(project, deadline, lambda library: library.search(query, limit, filters, deadline))

    def chunks(
        self, project: str | None, query: str, k: int, deadline: Deadline | None = None
    ) -> tuple[Sequence[Chunk], Sequence[str]]:
        """Find the best passages of a project, or of all; of all, a library that cannot be opened is noted.

        Raises `CallFailed` if none can be reached.
        """
        ask = partial(HybridIndex.chunks, query=query, k=k, deadline=deadline)
        if project is not None:
            return self._asked(project, deadline, ask)
        names = [name for name in self._libraries.projects() if self._among is None or name in self._among]
        found, notes, unreached = list[Chunk](), list[str](), list[CallFailed]()
        for name in names:
            try:
                chunks, said = self._asked(name, deadline, ask)
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
            self._opened.clear()

    def _asked(self, project: str, deadline: Deadline | None, ask: Callable[[HybridIndex], T]) -> T:
        """Ask a library, and once more if its file was replaced: a file that is removed can look damaged."""
        for _ in range(ATTEMPTS):
            version = self._libraries.version(project)
            try:
                return ask(self._current(project, deadline))
            except Misconfigured:
                if self._libraries.version(project) == version:
                    raise
        raise NotFound(f"project_id: {project} is replaced too often to be read; ask again when its import has ended")

    def _current(self, project: str, deadline: Deadline | None) -> HybridIndex:
        """Return the library, opened anew if it has changed; its version is read first, so it is never too new.

        It is closed when nothing refers to it, after its last search; its file may be gone by then.
        """
        with self._lock:
            version = self._libraries.version(project)
            known, library = self._opened.pop(project, (None, None))
            if library is None or known != version:
                library = None  # closed before the next one needs its memory, and its place on a disk
                while len(self._opened) >= self._max_open:
                    self._opened.popitem(last=False)
                with self._libraries.file(project, deadline) as path:
                    library = HybridIndex(LibraryIndex.open(path, project), self._encoder)
            self._opened[project] = version, library
            return library
