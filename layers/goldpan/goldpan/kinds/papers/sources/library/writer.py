"""Changes a library: replaces or removes the papers of one origin, such as a file, in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from goldpan.kinds.papers.sources.library.models import LibraryPaper


@dataclass(frozen=True)
class Counts:
    """How many papers an import added, changed, removed and left as they were."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.added + other.added,
            self.changed + other.changed,
            self.removed + other.removed,
            self.unchanged + other.unchanged,
        )


class LibraryWriter:
    """A library, open for writing by one process at a time; a context manager.

    A paper belongs to the origin that imported its id last. A process that is killed leaves every origin as it was
    before or after its transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        """For writing tables of the same file that other modules own, which refer to `papers.number` with
        ON DELETE CASCADE: a paper that changes gets a new number, so that what was made from its text goes."""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file, or begin a new one; raises `Misconfigured` if it is not a library or cannot be written."""
        raise NotImplementedError

    def origins(self) -> dict[str, str]:
        """Return the digest of every origin, by its name."""
        raise NotImplementedError

    def replace_origin(self, origin: str, digest: str, papers: Iterable[LibraryPaper]) -> Counts:
        """Make these papers all that an origin has, in one transaction; papers that did not change stay untouched.

        The papers are read one by one. An exception that they raise leaves the origin as it was.
        """
        raise NotImplementedError

    def remove_origin(self, origin: str) -> Counts:
        """Remove an origin with its papers; an unknown one changes nothing."""
        raise NotImplementedError

    def close(self) -> None:
        """Make the file complete in itself, and close it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
