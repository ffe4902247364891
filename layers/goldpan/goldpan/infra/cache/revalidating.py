"""A cache for a run that is to see what its sources say now, such as that of a saved search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from goldpan.infra.cache.port import Cache, Entry


class RevalidatingCache:
    """A cache whose entries from before a time are stale: each source is queried again.

    What a source said before serves only if it fails, with its age. What the run itself stores is fresh, so that
    nothing is asked twice.
    """

    def __init__(self, cache: Cache, since: datetime) -> None:
        self._cache, self._since = cache, since

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one. Raises `StoreFailed`."""
        return {key: self._as_of(entry) for key, entry in self._cache.read(keys).items()}

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries. Raises `StoreFailed`."""
        self._cache.write(entries, ttl)

    def _as_of(self, entry: Entry) -> Entry:
        if entry.stored_at >= self._since:
            return entry
        return replace(entry, fresh_until=min(entry.fresh_until, self._since))
