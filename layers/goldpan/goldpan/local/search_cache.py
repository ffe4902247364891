"""The cache of the results of `SearchOrchestrator` in the memory of a process: bounded in entries and bytes.

Values are kept as JSON: their size is known exactly, and what a caller does with a value changes none of another. Calls
at the same time share one execution, also one that fails.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakValueDictionary

from pydantic import BaseModel

MAX_ENTRIES, MAX_BYTES, TTL_SECONDS = 256, 16 * 1024 * 1024, 900.0
ENTRY_BYTES = 400
"""What an entry takes in addition to its key and value: its place in the table, its times, and two objects of bytes."""
Value = TypeVar("Value", bound=BaseModel)


@dataclass
class Counters:
    """What happened to the calls of a cache; `hits` needed no execution, also those that waited for another's."""

    hits: int = 0
    misses: int = 0

    @property
    def hit_rate(self) -> float:
        """The share of hits, 0 to 1; 0 without a call."""
        calls = self.hits + self.misses
        return self.hits / calls if calls else 0.0


@dataclass(eq=False)
class _Execution:
    """The execution for all calls of one key at the same time; those that wait for it raise its failure too."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    failure: Exception | None = None


class InMemoryCache:
    """The least recently used entries go first; safe between threads. Raises `ValueError` for a bound of 0 or less."""

    def __init__(
        self,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
        ttl_seconds: float = TTL_SECONDS,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        for name, bound in (("max_entries", max_entries), ("max_bytes", max_bytes), ("ttl_seconds", ttl_seconds)):
            if bound <= 0:
                raise ValueError(f"{name}: must be more than 0 (given {bound})")
        self._max_entries, self._max_bytes, self._ttl, self._tick = max_entries, max_bytes, ttl_seconds, tick
        self._entries: OrderedDict[str, tuple[bytes, float]] = OrderedDict()
        """The values, and when they expire; the least recently used is the first."""
        self._bytes = 0
        self._lock = threading.Lock()
        self._running: WeakValueDictionary[str, _Execution] = WeakValueDictionary()
        self.counters = Counters()

    def get_or_run(
        self,
        key: str,
        model: type[Value],
        run: Callable[[], Value],
        ttl_of: Callable[[Value], float | None] = lambda _: None,
    ) -> Value:
        """Return the value of a key, also of a call that runs at the same time, or compute it.

        `ttl_of` gives the seconds for which a value is kept, None for those of the cache.
        """
        with self._lock:
            running = self._running.setdefault(key, _Execution())
        with running.lock:
            if running.failure:
                raise running.failure
            if kept := self._read(key):
                return model.model_validate_json(kept)
            try:
                value = run()
            except Exception as failure:
                running.failure = failure
                del self._running[key]  # whatever keeps the failure would keep this too, for later calls
                raise
            ttl = ttl_of(value)
            self._keep(key, value.model_dump_json().encode(), self._ttl if ttl is None else min(ttl, self._ttl))
            return value

    def _read(self, key: str) -> bytes | None:
        with self._lock:
            value, expires_at = self._entries.get(key, (None, 0.0))
            if value is None or expires_at <= self._tick():
                self.counters.misses += 1
                return None
            self._entries.move_to_end(key)
            self.counters.hits += 1
            return value

    def _keep(self, key: str, value: bytes, ttl: float) -> None:
        with self._lock:
            self._remove(key)
            if _cost(key, value) > self._max_bytes:
                return
            self._entries[key] = value, self._tick() + ttl
            self._bytes += _cost(key, value)
            while len(self._entries) > self._max_entries or self._bytes > self._max_bytes:
                self._remove(next(iter(self._entries)))

    def _remove(self, key: str) -> None:
        if key in self._entries:
            self._bytes -= _cost(key, self._entries.pop(key)[0])


def _cost(key: str, value: bytes) -> int:
    return len(key) + len(value) + ENTRY_BYTES


_OF_PROCESS = InMemoryCache()
_OF_REQUEST: ContextVar[InMemoryCache | None] = ContextVar("goldpan_search_cache", default=None)


@contextmanager
def search_cache(
    max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES, ttl_seconds: float = TTL_SECONDS
) -> Iterator[InMemoryCache]:
    """Give the searches of one request a cache of their own, and return it; its `counters` tell what it saved.

    Within the context, equal searches are executed once, also at the same time; nothing of it is left after the end. It
    reaches tasks of asyncio, `asyncio.to_thread`, and threads that run in a copy of the context
    (`contextvars.copy_context().run`). A thread without one uses the cache of the process.
    """
    cache = InMemoryCache(max_entries, max_bytes, ttl_seconds)
    token = _OF_REQUEST.set(cache)
    try:
        yield cache
    finally:
        _OF_REQUEST.reset(token)


def current_cache(otherwise: InMemoryCache | None = None) -> InMemoryCache:
    """Return the cache of the request, without one the given cache, else that of the process."""
    return _OF_REQUEST.get() or otherwise or _OF_PROCESS
