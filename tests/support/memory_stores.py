"""The stores in memory, for tests that need a store and no file; and the cost of calls in the fullest window."""

from collections.abc import Mapping, Sequence

from goldpan.engine.deadlines import Clock, WallClock
from goldpan.engine.dependencies import Connections
from goldpan.infra.cache import Cache
from goldpan.infra.http import Http
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.table import Count, Item, MemoryTable, uncounted
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS


class MemoryItems(dict[str, Item]):
    """A table of entries of a cache."""

    def get_many(self, pks: Sequence[str], *, latest: bool = True) -> dict[str, Item]:
        """Read many items."""
        del latest
        return {pk: self[pk] for pk in pks if pk in self}

    def put_many(self, items: Mapping[str, Item]) -> None:
        """Store many items."""
        self.update(items)


class MemoryCache(Cache):
    """A cache in memory."""

    def __init__(self, clock: Clock, count: Count = uncounted) -> None:
        self._items = MemoryItems()
        super().__init__(self._items, clock, count)

    def keys(self) -> list[str]:
        """Return the keys of all entries."""
        return list(self._items)


class MemoryRateLimiter(RateLimiter):
    """A rate limiter in memory, with GitHub's limits unless others are given."""

    def __init__(self, clock: Clock | None = None, limits: Limits = RATE_LIMITS) -> None:
        super().__init__(MemoryTable(), clock or WallClock(), limits)


def memory_connections(http: Http, clock: Clock, limits: Limits = RATE_LIMITS) -> Connections:
    """Make connections over a client, without a cache."""
    return Connections(lambda: http, MemoryRateLimiter(clock, limits), None, clock)


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
