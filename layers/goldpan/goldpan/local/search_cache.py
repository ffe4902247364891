"""Which cache holds the results of `SearchOrchestrator`: that of the request, else that of the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from goldpan.infra.cache.in_memory import MAX_BYTES, MAX_ENTRIES, TTL_SECONDS, InMemoryCache

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
    of_request = _OF_REQUEST.get()
    if of_request is not None:
        return of_request
    return _OF_PROCESS if otherwise is None else otherwise
