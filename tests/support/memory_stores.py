"""The stores in memory, for tests that need a store and no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from goldpan.engine.deadlines import Clock, WallClock
from goldpan.infra.cache.port import Entry
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.table import MemoryTable
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS


class MemoryCache:
    """A cache in memory."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._entries = clock, dict[str, Entry]()

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one."""
        now = self._clock.now()
        return {key: found for key in keys if (found := self._entries.get(key)) and not found.is_expired(now)}

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries that are fresh for `ttl` from now."""
        now = self._clock.now()
        self._entries |= {key: Entry(value, now, now + ttl) for key, value in entries.items()}

    def keys(self) -> list[str]:
        """Return the keys of all entries."""
        return list(self._entries)


class MemoryRateLimiter(RateLimiter):
    """A rate limiter in memory, with GitHub's limits unless others are given."""

    def __init__(self, clock: Clock | None = None, limits: Limits = RATE_LIMITS) -> None:
        super().__init__(MemoryTable(), clock or WallClock(), limits)


class MemoryLocks(SingleFlightLocks):
    """Single-flight locks in memory."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(MemoryTable(), clock, list[str]().append)
