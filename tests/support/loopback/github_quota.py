"""GitHub's primary rate limits."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]


class Quota:
    """A fixed window of requests, which opens with the first of them."""

    def __init__(self, limit: int, seconds: float, clock: Clock) -> None:
        self._limit, self._seconds, self._clock = limit, seconds, clock
        self._lock = threading.Lock()
        self._used, self._ends = 0, 0.0

    def take(self) -> bool:
        """Use one request, or return False if none remains."""
        with self._lock:
            self._renew()
            taken = self._used < self._limit
            self._used += taken
            return taken

    def headers(self) -> dict[str, str]:
        """Return the state of the window as headers."""
        with self._lock:
            self._renew()
            state = {"limit": self._limit, "remaining": self._limit - self._used, "reset": math.ceil(self._ends)}
        return {f"x-ratelimit-{name}": str(value) for name, value in state.items()}

    def _renew(self) -> None:
        now = self._clock().timestamp()
        if now >= self._ends:
            self._used, self._ends = 0, now + self._seconds
