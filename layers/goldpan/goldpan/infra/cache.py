"""The cache: entries in a table, fresh for a while and stale for a day, and typed values on top of them.

A failing table costs no search.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Generic, Literal, Self, TypeVar

import goldpan_data
from pydantic import BaseModel, TypeAdapter, ValidationError

from goldpan.engine.deadlines import Clock, from_micros, to_micros
from goldpan.errors import CallFailed
from goldpan.infra.table import CircuitBreaker, Count, Item, ItemStore, read_integer, uncounted
from goldpan.version import __version__

STALE_TTL = timedelta(days=1)
"""How long a stale entry is retained, to be served, marked with its age, when its source fails."""
MAX_VALUE = 16 * 1024 * 1024
"""Bytes of a value; no source returns nearly as much. A kilobyte in a store could unpack to gigabytes otherwise."""

Namespace = Literal["translation", "source", "search", "answer"]
TTL: Mapping[Namespace, timedelta] = {
    **dict.fromkeys(("translation", "search", "answer"), timedelta(minutes=15)),
    "source": timedelta(hours=1),
}
"""How long an entry is fresh."""
CACHE_FORMAT = 1
"""To be raised by hand when the format of values changes without a new version of goldpan."""
Value = TypeVar("Value")


@dataclass(frozen=True)
class Entry:
    """A value and its times; reading an entry does not extend its TTL."""

    value: bytes
    stored_at: datetime
    fresh_until: datetime

    def is_fresh(self, now: datetime) -> bool:
        """Whether the value may be served as if it had just been fetched."""
        return now < self.fresh_until

    def as_of(self, since: datetime) -> Self:
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

    def read(self, keys: Sequence[str], *, latest: bool = False) -> dict[str, Entry]:
        """Return the entries of those keys that have one, also stale ones; leave out what cannot be decoded.

        The `latest` are those that another function may have written a moment ago.
        """
        return self._circuit.call(lambda: self._read(keys, latest=latest), dict)

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries that are fresh for `ttl` from now, unless the table fails."""
        now = self._clock.now()
        items = {key: self._item(key, value, now, now + ttl) for key, value in entries.items()}
        self._circuit.call(lambda: self._table.put_many(items), lambda: None)

    def _read(self, keys: Sequence[str], *, latest: bool) -> dict[str, Entry]:
        items, now = self._table.get_many(keys, latest=latest), self._clock.now()
        decoded = {key: entry for key, item in items.items() if (entry := _read_entry(item)) is not None}
        found = {key: entry.as_of(self._since or entry.stored_at) for key, entry in decoded.items()}
        found = {key: entry for key, entry in found.items() if now - STALE_TTL < entry.fresh_until}
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


def cache_key(namespace: Namespace, **parts: object) -> str:
    """Make the key of JSON values or models, for this version of goldpan and its data. Raises `TypeError` else."""
    content = {"format": CACHE_FORMAT, "version": __version__, "data": goldpan_data.__version__, "parts": parts}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_json_value)
    return f"{namespace}:{hashlib.sha256(text.encode()).hexdigest()}"


def _json_value(part: object) -> object:
    if isinstance(part, BaseModel):
        return part.model_dump(mode="json")
    raise TypeError(f"a cache key cannot contain a {type(part).__name__}; allowed are JSON values and pydantic models")


@dataclass(frozen=True)
class CachedValue(Generic[Value]):
    """A value that was fetched now, or a cached one with its age in seconds."""

    value: Value
    age_s: int | None = None
    fresh: bool = True
    failure: CallFailed | None = None
    """That of the call in place of which a stale value serves."""

    @property
    def note(self) -> str:
        """Why a stale value serves, without its age, which `age_s` says; empty for any other."""
        return f"served from the cache because the source failed: {self.failure}" if self.failure else ""


class CachedValues(Generic[Value]):
    """Values of one type in one namespace of a cache."""

    def __init__(self, cache: Cache, namespace: Namespace, value_type: type[Value], clock: Clock) -> None:
        self._cache, self._ttl, self._clock = cache, TTL[namespace], clock
        self._adapter: TypeAdapter[Value] = TypeAdapter(value_type)

    def read(self, keys: Sequence[str]) -> dict[str, CachedValue[Value]]:
        """Return the values of those keys that have one, also stale ones; leave out entries that do not validate."""
        now, values = self._clock.now(), {}
        for key, entry in self._cache.read(keys).items():
            try:
                value = self._adapter.validate_json(entry.value)
            except ValidationError:  # written by another version of goldpan
                continue
            values[key] = CachedValue(value, round(entry.age(now)), entry.is_fresh(now))
        return values

    def read_or_call(
        self, key: str, call: Callable[[], Value], is_complete: Callable[[Value], bool]
    ) -> CachedValue[Value]:
        """Return the fresh value, else call, and write what is complete; an old value serves if the call fails."""
        cached = self.read([key]).get(key)
        if cached and cached.fresh:
            return cached
        try:
            value = call()
        except CallFailed as failure:
            if cached is None:
                raise
            return replace(cached, failure=failure)
        if is_complete(value):
            self.write({key: value})
        return CachedValue(value)

    def write(self, values: Mapping[str, Value]) -> None:
        """Write values, fresh for the TTL of the namespace."""
        if values:
            self._cache.write({key: self._adapter.dump_json(value) for key, value in values.items()}, self._ttl)
