"""The requests that a loopback server is answering at the same time."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Crowd:
    """A count of simultaneous requests, with its peak and an optional limit.

    Requests over the limit count for the peak, because they were there, but take nobody's place.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.peak = 0
        self._limit = limit
        self._present = 0
        self._admitted = 0
        self._lock = threading.Lock()

    @contextmanager
    def joined(self) -> Iterator[bool]:
        """Belong to the crowd for a while; yields whether there was still a place."""
        with self._lock:
            admitted = self._limit is None or self._admitted < self._limit
            self._admitted += admitted
            self._present += 1
            self.peak = max(self.peak, self._present)
        try:
            yield admitted
        finally:
            with self._lock:
                self._admitted -= admitted
                self._present -= 1
