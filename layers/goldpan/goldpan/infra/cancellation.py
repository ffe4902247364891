"""Ends the calls of a search that is cancelled: a connection that waits for its response is closed.

httpx2 has no call that another thread can end, so that each read waits in short pieces, and looks between them whether
the search of its thread still runs.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import httpcore2
import httpx2

from goldpan.engine.deadlines import Clock
from goldpan.errors import Cancelled

POLL_SECONDS = 0.25
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
            pool._network_backend = _Backend(pool._network_backend)  # noqa: SLF001


def _look() -> None:
    if getattr(getattr(_THREAD, "clock", None), "cancelled", False):
        raise Cancelled("the search was cancelled")


class _Backend(httpcore2.NetworkBackend):
    """Opens connections that can be cancelled."""

    def __init__(self, backend: httpcore2.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_tcp(host, port, timeout, local_address, socket_options))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_unix_socket(path, timeout, socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _Stream(httpcore2.NetworkStream):
    """A connection whose reads end soon after the search of their thread was cancelled."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            _look()
            left = POLL_SECONDS if until is None else until - time.monotonic()
            try:
                return self._stream.read(max_bytes, max(0.001, min(POLL_SECONDS, left)))
            except httpcore2.ReadTimeout:
                if until is not None and time.monotonic() >= until:
                    raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
