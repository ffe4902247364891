"""Ends the calls of a search that is cancelled: a connection that waits for its response is closed.

httpx2 has no call that another thread can end, so that each read waits in short pieces, and looks between them whether
the search of its thread still runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import httpcore2
import httpx2

from goldpan.engine.deadlines import Clock
from goldpan.errors import Cancelled

POLL_SECONDS = 0.25
Open = Callable[..., httpcore2.NetworkStream]
_THREAD = threading.local()


@contextmanager
def ended_with(clock: Clock) -> Iterator[None]:
    """End the calls of this thread with the search of a clock, if it can be cancelled: they raise `Cancelled`."""
    _THREAD.clock = clock
    try:
        yield
    finally:
        del _THREAD.clock


def make_cancellable(client: httpx2.Client) -> None:
    """Let the connections that a client opens from now on be closed while they wait; a transport of a test has none."""
    # httpx2 offers no way to pass a backend to the transports that it makes for the environment's proxies.
    transports: Iterable[object] = (client._transport, *client._mounts.values())  # noqa: SLF001
    for pool in (getattr(transport, "_pool", None) for transport in transports):
        if pool is not None:
            backend = pool._network_backend  # noqa: SLF001
            backend.connect_tcp = _opening(backend.connect_tcp)


def _opening(open_stream: Open) -> Open:
    """Return a function that opens the same connection, whose reads end soon after the search of their thread."""

    def opened(*given: object, **named: object) -> httpcore2.NetworkStream:
        stream = open_stream(*given, **named)
        stream.read = partial(_read, stream.read)  # type: ignore[method-assign]
        stream.start_tls = _opening(stream.start_tls)  # type: ignore[method-assign]
        return stream

    return opened


def _read(read: Callable[[int, float], bytes], max_bytes: int, timeout: float | None = None) -> bytes:
    """Read in short pieces of time. Raises `Cancelled`, or `httpcore2.ReadTimeout` at the end of all of it."""
    until = None if timeout is None else time.monotonic() + timeout
    while True:
        if getattr(getattr(_THREAD, "clock", None), "cancelled", False):
            raise Cancelled("the search was cancelled")
        left = POLL_SECONDS if until is None else until - time.monotonic()
        try:
            return read(max_bytes, max(0.001, min(POLL_SECONDS, left)))
        except httpcore2.ReadTimeout:
            if until is not None and time.monotonic() >= until:
                raise
