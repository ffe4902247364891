"""The requests that a loopback server is answering at the same time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Crowd:
    """A count of simultaneous requests, with its peak."""

    def __init__(self) -> None:
        self.peak = 0
        self._present = 0
        self._lock = threading.Lock()

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Count one more request for the duration of the block."""
        with self._lock:
            self._present += 1
            self.peak = max(self.peak, self._present)
        try:
            yield
        finally:
            with self._lock:
                self._present -= 1
