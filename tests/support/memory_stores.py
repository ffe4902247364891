"""The stores in memory, for tests that need a store and no file; and the cost of calls in the fullest window."""

from collections.abc import Sequence

from goldpan.engine.deadlines import Clock, WallClock
from goldpan.infra.cache.entries import Cache
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.table import MemoryTable
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS


class MemoryCache(Cache):
    """A cache in memory."""

    def __init__(self, clock: Clock) -> None:
        self._items = MemoryTable()
        super().__init__(self._items, clock)

    def keys(self) -> list[str]:
        """Return the keys of all entries."""
        return list(self._items._items)


class MemoryRateLimiter(RateLimiter):
    """A rate limiter in memory, with GitHub's limits unless others are given."""

    def __init__(self, clock: Clock | None = None, limits: Limits = RATE_LIMITS) -> None:
        super().__init__(MemoryTable(), clock or WallClock(), limits)


class MemoryLocks(SingleFlightLocks):
    """Single-flight locks in memory."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(MemoryTable(), clock, list[str]().append)


Call = tuple[float, int]
"""The time of a call in seconds, and its cost."""


def fullest_window(calls: Sequence[Call], seconds: float) -> int:
    """Return the largest sum of costs in any window of that length, both ends included."""
    windows = ([cost for time, cost in calls if start <= time <= start + seconds] for start, _ in calls)
    return max(map(sum, windows), default=0)
