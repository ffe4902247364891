"""GitHub's primary rate limits."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Limits:
    """How much each kind of caller may ask in a window; the defaults are the documented ones."""

    search_anonymous: int = 10
    search_token: int = 30
    graphql: int = 5000
    core_anonymous: int = 60
    core_token: int = 5000
    search_window: float = 60
    hour: float = 3600


class Quota:
    """A fixed window of requests, which opens with the first one."""

    def __init__(self, resource: str, limit: int, window: float, clock: Clock) -> None:
        self.resource = resource
        self.limit = limit
        self._window = window
        self._clock = clock
        self._lock = threading.Lock()
        self._used = 0
        self._ends = 0.0

    def take(self) -> bool:
        """Use one request up, or say that there is none left."""
        with self._lock:
            self._renew()
            if self._used >= self.limit:
                return False
            self._used += 1
            return True

    def state(self) -> dict[str, int]:
        """Tell the numbers of the current window."""
        with self._lock:
            self._renew()
            remaining = max(self.limit - self._used, 0)
            return {
                "limit": self.limit,
                "remaining": remaining,
                "reset": math.ceil(self._ends),
                "used": self._used,
            }

    def headers(self) -> dict[str, str]:
        """Write the numbers of the current window as headers."""
        numbers = {f"x-ratelimit-{name}": str(value) for name, value in self.state().items()}
        return {**numbers, "x-ratelimit-resource": self.resource}

    def _renew(self) -> None:
        now = self._clock().timestamp()
        if now >= self._ends:
            self._used = 0
            self._ends = now + self._window


class Quotas:
    """The windows of one caller with the token and of one without."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        search, hour = limits.search_window, limits.hour
        self._windows = {
            ("search", False): Quota("search", limits.search_anonymous, search, clock),
            ("search", True): Quota("search", limits.search_token, search, clock),
            ("core", False): Quota("core", limits.core_anonymous, hour, clock),
            ("core", True): Quota("core", limits.core_token, hour, clock),
            ("graphql", False): Quota("graphql", 0, hour, clock),
            ("graphql", True): Quota("graphql", limits.graphql, hour, clock),
        }

    def of(self, resource: str, *, known: bool) -> Quota:
        """Find the window of a resource for a caller with or without the token."""
        return self._windows[resource, known]

    def overview(self, *, known: bool) -> dict[str, object]:
        """Tell all windows of a caller, as /rate_limit does."""
        states = {name: self.of(name, known=known).state() for name in ("core", "search", "graphql")}
        return {"resources": states, "rate": states["core"]}
