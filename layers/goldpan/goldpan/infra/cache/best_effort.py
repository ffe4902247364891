"""A cache whose failures cost no search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import Cache, Entry
from goldpan.infra.circuit_breaker import CircuitBreaker, Count


class BestEffortCache:
    """A cache that never fails a search: while its store fails, reads find nothing and writes do nothing.

    Counts `CacheHit`, `CacheStale` (an entry that is served only if its source fails) and `CacheMiss`. Entries from
    before `since` are stale, for a run that is to see what its sources say now; what the run itself stores is fresh.
    """

    def __init__(self, cache: Cache, clock: Clock, count: Count, since: datetime | None = None) -> None:
        self._cache, self._clock, self._count, self._since = cache, clock, count, since
        self._circuit = CircuitBreaker("cache", "CacheFailed", clock, count)

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one, or none while the store fails."""
        return self._circuit.call(lambda: self._read(keys), dict)

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries, unless the store fails."""
        self._circuit.call(lambda: self._cache.write(entries, ttl), lambda: None)

    def _read(self, keys: Sequence[str]) -> dict[str, Entry]:
        found, now = self._cache.read(keys), self._clock.now()
        if self._since is not None:
            found = {key: entry.as_of(self._since) for key, entry in found.items()}
        for key in keys:
            entry = found.get(key)
            self._count("CacheMiss" if entry is None else "CacheHit" if entry.is_fresh(now) else "CacheStale")
        return found
