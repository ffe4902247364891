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
    """The documented limits: searches a minute without and with a token, GraphQL calls an hour."""

    search_anonymous: int = 10
    search_token: int = 30
    graphql: int = 5000


class Quota:
    """A fixed window of requests, which opens with the first of them."""

    def __init__(self, resource: str, limit: int, seconds: float, clock: Clock) -> None:
        self._resource, self._limit, self._seconds, self._clock = resource, limit, seconds, clock
        self._lock = threading.Lock()
        self._used = 0
        self._ends = 0.0

    def take(self) -> bool:
        """Use one request, or return False if none remains."""
        with self._lock:
            self._renew()
            if self._used >= self._limit:
                return False
            self._used += 1
            return True

    def headers(self) -> dict[str, str]:
        """Return the state of the window as headers."""
        with self._lock:
            self._renew()
            state = {"limit": self._limit, "used": self._used, "reset": math.ceil(self._ends)}
        state["remaining"] = state["limit"] - state["used"]
        return {f"x-ratelimit-{name}": str(value) for name, value in [*state.items(), ("resource", self._resource)]}

    def _renew(self) -> None:
        now = self._clock().timestamp()
        if now >= self._ends:
            self._used, self._ends = 0, now + self._seconds


class Quotas:
    """The windows of a caller with the token and of one without."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._windows = {
            ("search", False): Quota("search", limits.search_anonymous, 60, clock),
            ("search", True): Quota("search", limits.search_token, 60, clock),
            ("graphql", False): Quota("graphql", 0, 3600, clock),
            ("graphql", True): Quota("graphql", limits.graphql, 3600, clock),
        }

    def of(self, resource: str, *, authenticated: bool) -> Quota:
        """Return the window of a resource."""
        return self._windows[resource, authenticated]
