"""What a process writes to its two streams, readable at any moment."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Self

_STREAMS = ("stdout", "stderr")


@dataclass(frozen=True)
class Lines:
    """What a process wrote in a while."""

    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()


class Output:
    """A context manager with a file for each stream: a file never fills up as a pipe does, nor lags behind."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._files: dict[str, IO[bytes]] = {}
        self._seen = dict.fromkeys(_STREAMS, 0)

    def __enter__(self) -> Self:
        """Open the files."""
        for stream in _STREAMS:
            self._files[stream] = self._stack.enter_context(tempfile.TemporaryFile())
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the files."""
        self._stack.close()

    def file(self, stream: str) -> IO[bytes]:
        """Give the file that a process is to write to."""
        return self._files[stream]

    def fresh(self) -> Lines:
        """Give what was written since this was last asked."""
        return Lines(*(self._fresh(stream) for stream in _STREAMS))

    def _fresh(self, stream: str) -> tuple[str, ...]:
        file, begin = self._files[stream].fileno(), self._seen[stream]
        self._seen[stream] = end = os.fstat(file).st_size
        # The process shares the file's position, so it must not be moved by reading.
        return tuple(os.pread(file, end - begin, begin).decode(errors="replace").splitlines())
