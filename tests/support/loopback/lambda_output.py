"""Collects what a process writes to its two streams."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from typing import IO


@dataclass(frozen=True)
class Lines:
    """The lines that a process wrote in a while."""

    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()


@dataclass
class Output:
    """A file for each stream, because a file never blocks its writer as a full pipe does."""

    stdout: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    stderr: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    _read: dict[str, int] = field(default_factory=lambda: {"stdout": 0, "stderr": 0})

    def close(self) -> None:
        """Delete the files."""
        self.stdout.close()
        self.stderr.close()

    def new_lines(self) -> Lines:
        """Return what was written since the last call."""
        return Lines(self._new_lines("stdout", self.stdout), self._new_lines("stderr", self.stderr))

    def _new_lines(self, stream: str, file: IO[bytes]) -> tuple[str, ...]:
        begin, self._read[stream] = self._read[stream], os.fstat(file.fileno()).st_size
        # The process shares the position of the file, so reading must not move it.
        return tuple(os.pread(file.fileno(), self._read[stream] - begin, begin).decode(errors="replace").splitlines())
