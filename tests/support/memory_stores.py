"""The stores of one machine over a database in memory, for tests that need a store and no file."""

from __future__ import annotations

from goldpan.engine.deadlines import Clock, WallClock
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import IN_MEMORY, READ, SqliteFile
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS


class MemoryCache(SqliteCache):
    """A cache in memory."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(SqliteFile(IN_MEMORY), clock)

    def keys(self) -> list[str]:
        """Return the keys of all entries."""
        with self._file.transaction(READ) as connection:
            return [key for (key,) in connection.execute("SELECT key FROM cache")]


class MemoryRateLimiter(SqliteRateLimiter):
    """A rate limiter in memory, with GitHub's limits unless others are given."""

    def __init__(self, clock: Clock | None = None, limits: Limits = RATE_LIMITS) -> None:
        super().__init__(SqliteFile(IN_MEMORY), clock or WallClock(), limits)


class MemoryLocks(SqliteLocks):
    """Single-flight locks in memory."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(SqliteFile(IN_MEMORY), clock)
