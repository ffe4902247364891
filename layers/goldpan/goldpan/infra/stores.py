"""The stores of a process: the cache and the locks behind circuit breakers, so that they never fail a search."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from goldpan.errors import StoreFailed
from goldpan.infra.cache.port import STALE_TTL

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Clock
    from goldpan.engine.dependencies import Popularity
    from goldpan.infra.cache.port import Cache, Entry
    from goldpan.infra.dynamodb_table import DynamoDBTable
    from goldpan.infra.llm.limited import Spending
    from goldpan.infra.locks.port import SingleFlightLocks
    from goldpan.infra.rate_limits.limits import Limits
    from goldpan.infra.rate_limits.port import RateLimiter
    from goldpan.infra.sqlite_file import SqliteFile

Result = TypeVar("Result")
Count = Callable[[str], None]
"""Adds one to the metric of that name."""
OPEN_TIME = timedelta(seconds=30)
"""Longer than any search: each logs one warning at most, and loses the time of one failed call at most."""
BUSY_SECONDS = 0.5
"""How long a search waits for the file: others hold it for a millisecond, and its sources have at least two seconds."""
COUNTER_RETENTION = STALE_TTL + timedelta(hours=1)
"""How long a counter is kept after its last count: beyond the end of its day, when it is no longer read."""
_LOG = logging.getLogger(__name__)


class CircuitBreaker:
    """Calls a store, or a fallback while the store fails; safe between threads.

    A failure opens the circuit for `OPEN_TIME`, in which only the fallback is called. Then the circuit is half-open:
    calls reach the store again, and the first failure opens it anew. Every failed call adds one to the metric; a
    warning is logged only when the circuit opens.
    """

    def __init__(self, store: str, metric: str, clock: Clock, count: Count) -> None:
        self._store, self._metric, self._clock, self._count = store, metric, clock, count
        self._open_until = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def call(self, work: Callable[[], Result], fallback: Callable[[], Result]) -> Result:
        """Return what the work returns, or what the fallback returns if the store fails or the circuit is open."""
        if self._clock.now() < self._open_until:
            return fallback()
        try:
            return work()
        except StoreFailed as failure:
            self._count(self._metric)
            self._open(failure)
            return fallback()

    def _open(self, failure: StoreFailed) -> None:
        with self._lock:
            now = self._clock.now()
            if now < self._open_until:
                return
            self._open_until = now + OPEN_TIME
        _LOG.warning("The %s failed; searches continue without it: %s", self._store, failure)


class BestEffortCache:
    """A cache that never fails a search: while its store fails, reads find nothing and writes do nothing.

    Counts `CacheHit`, `CacheStale` (an entry that is served only if its source fails) and `CacheMiss`.
    """

    def __init__(self, cache: Cache, clock: Clock, count: Count) -> None:
        self._cache, self._clock, self._count = cache, clock, count
        self._circuit = CircuitBreaker("cache", "CacheFailed", clock, count)

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one, or none while the store fails."""
        return self._circuit.call(lambda: self._counted(keys, self._cache.read(keys)), dict)

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries, unless the store fails."""
        self._circuit.call(lambda: self._cache.write(entries, ttl), lambda: None)

    def _counted(self, keys: Sequence[str], found: dict[str, Entry]) -> dict[str, Entry]:
        now = self._clock.now()
        for key in keys:
            entry = found.get(key)
            self._count("CacheMiss" if entry is None else "CacheHit" if entry.is_fresh(now) else "CacheStale")
        return found


class BestEffortLocks:
    """Locks that never fail a search: while their store fails, every search runs."""

    def __init__(self, locks: SingleFlightLocks, clock: Clock, count: Count) -> None:
        self._locks = locks
        self._circuit = CircuitBreaker("single-flight lock store", "FlightsFailed", clock, count)

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; True while the store fails."""
        return self._circuit.call(lambda: self._locks.acquire(key, ttl, owner), lambda: True)

    def release(self, key: str, owner: str) -> None:
        """Release the lock, or leave it to expire while the store fails."""
        self._circuit.call(lambda: self._locks.release(key, owner), lambda: None)


class DynamoDBPopularity:
    """One counter for each question and day; an index returns the highest ones of a day.

    The state machine writes items of the same format for answers that it finds in the cache without a function.
    """

    def __init__(self, table: DynamoDBTable, clock: Clock) -> None:
        self._table, self._clock = table, clock

    def count(self, key: str, request: str) -> None:
        """Count one occurrence of the request."""
        now = self._clock.now()
        day, digest = f"{now:%Y-%m-%d}", key.partition(":")[2]
        values = {"day": day, "request": request, "ttl": int((now + COUNTER_RETENTION).timestamp())}
        self._table.update(f"asked:{day}:{digest}", assign=values, add={"asked": 1})


class BestEffortPopularity:
    """A counter that never fails a search: while its store fails, questions are not counted."""

    def __init__(self, popularity: Popularity, clock: Clock, count: Count) -> None:
        self._popularity = popularity
        self._circuit = CircuitBreaker("popularity counter", "PopularityFailed", clock, count)

    def count(self, key: str, request: str) -> None:
        """Count one occurrence of the request, unless the store fails."""
        self._circuit.call(lambda: self._popularity.count(key, request), lambda: None)


@dataclass(frozen=True)
class Stores:
    """The stores of one machine, or of one function on AWS; None for what is not kept. To be closed at the end."""

    make_rate_limiter: Callable[[], RateLimiter]
    cache: Cache | None = None
    locks: SingleFlightLocks | None = None
    popularity: Popularity | None = None
    spending: Spending | None = None
    close: Callable[[], None] = lambda: None

    @cached_property
    def rate_limiter(self) -> RateLimiter:
        """The rate limiter, made at its first use, because a search of a catalogue alone needs none."""
        return self.make_rate_limiter()


def open_local_stores(path: Path | None, clock: Clock, limits: Limits) -> Stores:
    """Open the file that all goldpan processes of this machine share; None keeps nothing and shares no rate limits."""
    if path is None:
        return Stores(lambda: process_rate_limiter(clock, limits))
    from goldpan.infra.cache.sqlite import SqliteCache  # noqa: PLC0415 - only if there is a file
    from goldpan.infra.locks.sqlite import SqliteLocks  # noqa: PLC0415
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    file = SqliteFile(path, BUSY_SECONDS)
    return Stores(
        lambda: _shared_rate_limiter(file, clock, limits),
        BestEffortCache(SqliteCache(file, clock), clock, _log_count),
        BestEffortLocks(SqliteLocks(file, clock), clock, _log_count),
        close=file.close,
    )


def process_rate_limiter(clock: Clock, limits: Limits) -> RateLimiter:
    """Make a rate limiter for this process alone, over a database in memory."""
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415
    from goldpan.infra.sqlite_file import IN_MEMORY, SqliteFile  # noqa: PLC0415 - at the first use

    return SqliteRateLimiter(SqliteFile(IN_MEMORY), clock, limits)


def _shared_rate_limiter(file: SqliteFile, clock: Clock, limits: Limits) -> RateLimiter:
    from goldpan.infra.rate_limits.port import BestEffortRateLimiter  # noqa: PLC0415 - at the first use
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415

    shared, fallback = SqliteRateLimiter(file, clock, limits), process_rate_limiter(clock, limits)
    return BestEffortRateLimiter(shared, fallback, clock, _log_count)


def _log_count(metric: str) -> None:
    """Log what AWS would count in a metric."""
    _LOG.debug("%s", metric)
