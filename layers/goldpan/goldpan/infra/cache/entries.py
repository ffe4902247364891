"""The cache: compressed entries in a table, fresh for a while and stale for a day; a failing table costs no search."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from goldpan.engine.deadlines import Clock, from_micros, to_micros
from goldpan.infra.circuit_breaker import CircuitBreaker, Count, uncounted
from goldpan.infra.table import Item, ItemStore, read_integer

STALE_TTL = timedelta(days=1)
"""How long a stale entry is retained, to be served, marked with its age, when its source fails."""
MAX_VALUE = 16 * 1024 * 1024
"""Bytes of a value; no source returns nearly as much. A kilobyte in a store could unpack to gigabytes otherwise."""


@dataclass(frozen=True)
class Entry:
    """A value and its times; reading an entry does not extend its TTL."""

    value: bytes
    stored_at: datetime
    fresh_until: datetime

    def is_fresh(self, now: datetime) -> bool:
        """Whether the value may be served as if it had just been fetched."""
        return now < self.fresh_until

    def as_of(self, since: datetime) -> Entry:
        """Return the entry, stale if it was stored before that time."""
        return self if self.stored_at >= since else replace(self, fresh_until=min(self.fresh_until, since))

    def age(self, now: datetime) -> float:
        """Seconds since the value was stored; never negative, because the clocks of two machines differ."""
        return max(0.0, (now - self.stored_at).total_seconds())


class Cache:
    """A cache shared by all who use the same table; while that fails, reads find nothing and writes do nothing.

    Counts `CacheHit`, `CacheStale` (an entry that is served only if its source fails) and `CacheMiss`. Entries from
    before `since` are stale, for a run that is to see what its sources say now; what the run itself stores is fresh.
    Items of the namespace `readable` hold plain text, which the state machine reads itself.
    """

    def __init__(
        self,
        table: ItemStore,
        clock: Clock,
        count: Count = uncounted,
        since: datetime | None = None,
        readable: str = "-",
    ) -> None:
        self._table, self._clock, self._count, self._since = table, clock, count, since
        self._readable = f"{readable}:"
        self._circuit = CircuitBreaker("cache", "CacheFailed", clock, count)

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one, also stale ones; leave out what cannot be decoded."""
        return self._circuit.call(lambda: self._read(keys), dict)

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries that are fresh for `ttl` from now, unless the table fails."""
        now = self._clock.now()
        items = {key: self._item(key, value, now, now + ttl) for key, value in entries.items()}
        self._circuit.call(lambda: self._table.put_many(items), lambda: None)

    def _read(self, keys: Sequence[str]) -> dict[str, Entry]:
        items, now = self._table.get_many(keys), self._clock.now()
        decoded = {key: entry for key, item in items.items() if (entry := _read_entry(item)) is not None}
        found = {key: entry.as_of(self._since or entry.stored_at) for key, entry in decoded.items()}
        found = {key: entry for key, entry in found.items() if now < entry.fresh_until + STALE_TTL}
        for key in keys:
            entry = found.get(key)
            self._count("CacheMiss" if entry is None else "CacheHit" if entry.is_fresh(now) else "CacheStale")
        return found

    def _item(self, key: str, value: bytes, now: datetime, fresh_until: datetime) -> Item:
        times = {"stored_at": to_micros(now), "fresh_until": to_micros(fresh_until)}
        stored = {**times, "ttl": int((fresh_until + STALE_TTL).timestamp())}
        if not key.startswith(self._readable):
            return {**stored, "value": zlib.compress(value)}
        time = fresh_until.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {**stored, "text": value.decode(), "fresh_until_time": time}


def _read_entry(item: Item) -> Entry | None:
    """Read an item; None if it cannot be decoded."""
    text, stored = item.get("text"), item.get("value")
    value = text.encode() if isinstance(text, str) else decompress(stored) if isinstance(stored, bytes) else None
    stored_at, fresh_until = read_integer(item, "stored_at"), read_integer(item, "fresh_until")
    if value is None or not stored_at:
        return None
    try:
        return Entry(value, from_micros(stored_at), from_micros(fresh_until))
    except OverflowError:  # a number may be beyond any calendar
        return None


def decompress(stored: bytes) -> bytes | None:
    """Return the value that was compressed, or None if the store holds something else, or more than `MAX_VALUE`."""
    unpacking = zlib.decompressobj()
    try:
        value = unpacking.decompress(stored, MAX_VALUE)
    except zlib.error:
        return None
    return value if unpacking.eof else None
