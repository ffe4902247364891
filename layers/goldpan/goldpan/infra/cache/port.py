"""The port of the cache: what was found out a while ago, under keys that cover all that would change it."""

from __future__ import annotations

import hashlib
import json
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol

from pydantic import BaseModel

from goldpan import __version__
from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count, StoreFailed

Namespace = Literal["translation", "source", "answer"]
TTL: Mapping[Namespace, timedelta] = {
    "translation": timedelta(minutes=15),
    "source": timedelta(hours=1),
    "answer": timedelta(minutes=15),
}
"""How long an entry is fresh."""
STALE_TTL = timedelta(days=1)
"""How long an entry is kept after that, to serve, marked with its age, where its source cannot."""
CACHE_FORMAT = 1
"""Raised by hand where what is written changes without a new version."""
MAX_ENTRIES = 512


class CacheFailed(StoreFailed):
    """The cache could not be reached, or is not what it should be."""


@dataclass(frozen=True)
class Entry:
    """What was written, and when; reading it renews nothing."""

    value: bytes
    stored_at: datetime
    fresh_until: datetime

    def fresh(self, now: datetime) -> bool:
        """Tell whether it serves as if it had just been asked for."""
        return now < self.fresh_until

    def age(self, now: datetime) -> float:
        """Tell its age in seconds."""
        return max(0.0, (now - self.stored_at).total_seconds())

    def gone(self, now: datetime) -> bool:
        """Tell whether it is too old even to serve as stale, though its store may not have deleted it yet."""
        return now >= self.fresh_until + STALE_TTL


class Cache(Protocol):
    """Keeps values for a while; raises `CacheFailed`."""

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Read at once what is there of all keys, stale entries too; what cannot be read is not there."""

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Write entries that are fresh for so long from now."""


def cache_key(namespace: Namespace, **parts: object) -> str:
    """Name a value by all that changes it: the parts given, and the version of the code.

    The parts are JSON values and pydantic models; raises `TypeError` for anything else, because two processes have to
    come to the same key.
    """
    told = {"format": CACHE_FORMAT, "version": __version__, "parts": parts}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)
    return f"{namespace}:{hashlib.sha256(text.encode()).hexdigest()}"


def _plain(part: object) -> object:
    if isinstance(part, BaseModel):
        return part.model_dump(mode="json")
    message = f"a {type(part).__name__} is no part of a key"
    raise TypeError(message)


def packed(value: bytes) -> bytes:
    """Compress a value as stores keep it."""
    return zlib.compress(value)


def unpacked(kept: bytes) -> bytes | None:
    """Give the value again, None where something else was kept."""
    try:
        return zlib.decompress(kept)
    except zlib.error:
        return None


class BestEffortCache:
    """A cache that never fails a search: where it cannot be reached it is empty, and keeps nothing.

    It counts what it finds: `CacheHit`, `CacheStale` for what is too old to serve but as a last resort, `CacheMiss`.
    """

    def __init__(self, cache: Cache, clock: Clock, count: Count) -> None:
        self._cache, self._clock, self._count = cache, clock, count
        self._tolerance = CircuitBreaker("Cache", clock, count)

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Read what is there and can be reached."""
        return self._tolerance.tried(lambda: self._counted(keys, self._cache.read(keys)), dict[str, Entry])

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Write where the cache can be reached."""
        self._tolerance.tried(lambda: self._cache.write(entries, life), lambda: None)

    def _counted(self, keys: Sequence[str], found: dict[str, Entry]) -> dict[str, Entry]:
        now = self._clock.now()
        for key in keys:
            entry = found.get(key)
            self._count("CacheMiss" if entry is None else "CacheHit" if entry.fresh(now) else "CacheStale")
        return found


class ProcessCache:
    """A cache of one process, the oldest entries of which make room for new ones; safe between threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: dict[str, Entry] = {}
        self._turn = threading.Lock()

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Read what is there."""
        now = self._clock.now()
        with self._turn:
            found = {key: self._entries[key] for key in keys if key in self._entries}
        return {key: entry for key, entry in found.items() if not entry.gone(now)}

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Write entries that are fresh for so long from now."""
        now = self._clock.now()
        with self._turn:
            for key, value in entries.items():
                self._entries.pop(key, None)
                self._entries[key] = Entry(value, now, now + life)
            for key in list(self._entries)[:-MAX_ENTRIES]:
                del self._entries[key]
