"""Stores that never fail a search: a circuit breaker, and the cache and the locks behind one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from goldpan.errors import StoreFailed

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Clock
    from goldpan.infra.cache.port import Cache, Entry
    from goldpan.infra.locks.port import SingleFlightLocks

Result = TypeVar("Result")
Count = Callable[[str], None]
"""Adds one to the metric of that name."""
OPEN_TIME = timedelta(seconds=30)
"""Longer than any search: each logs one warning at most, and loses the time of one failed call at most."""
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
