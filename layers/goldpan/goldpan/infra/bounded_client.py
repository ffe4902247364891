"""Clients of httpx2 over the proxies of the environment, bodies bounded in time and size, and calls that are cancelled.

httpx2 has no call that another thread can end, so that each read waits in short pieces, and looks between them whether
the search of its thread still runs; if not, the connection is closed.
"""

import logging
import os
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from goldpan.engine.deadlines import Clock
from goldpan.errors import Cancelled, Misconfigured
from goldpan.infra.redaction import redact

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a response, packed or unpacked; no source sends nearly as much."""
MAX_CONNECTIONS = 640
"""Enough for 64 searches that make ten calls each. A connection is opened when needed and closed after 5 s without use;
with fewer, calls would spend their time waiting for one, and fail as if the server did not respond."""
CERTIFICATES, PROXIES = ("SSL_CERT_FILE", "SSL_CERT_DIR"), ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
POLL_SECONDS = 0.25
Open = Callable[..., httpcore2.NetworkStream]
_THREAD = threading.local()
_PARAMETERS = re.compile(r"\?\S+")


def _remove_secrets(record: logging.LogRecord) -> bool:
    """Remove from a log line of the HTTP client the parameters of addresses, which hold questions, and secrets."""
    record.msg, record.args = redact(_PARAMETERS.sub("?[parameters]", record.getMessage())), ()
    return True


logging.getLogger("httpx2").addFilter(_remove_secrets)


def open_client(transport: httpx2.BaseTransport | None = None) -> httpx2.Client:
    """Open a client over the proxies and with the certificates that the environment names.

    httpx2 ignores the proxies of the environment if it is given a transport, so that only tests give one. Inside
    `ended_with`, a call ends with its search. Raises `Misconfigured` for an environment that cannot be used.
    """
    limits = httpx2.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS)
    try:
        client = httpx2.Client(transport=transport, limits=limits, follow_redirects=False, trust_env=True)
    except (OSError, ssl.SSLError) as error:
        raise Misconfigured(f"{_named(CERTIFICATES)}: the certificates cannot be read ({error})") from error
    except ImportError as error:
        reason = "a SOCKS proxy needs the package socksio; allowed without it: http:// and https://"
        raise Misconfigured(f"{_named(PROXIES)}: {reason}") from error
    except (ValueError, httpx2.InvalidURL) as error:  # without the address, which may hold a password
        reason = "not the address of a proxy; allowed: http://host:port and https://host:port"
        raise Misconfigured(f"{_named(PROXIES)}: {reason}") from error
    # httpx2 offers no way to pass a backend to the transports that it makes for the environment's proxies.
    transports: Iterable[object] = (client._transport, *client._mounts.values())  # noqa: SLF001
    for pool in (getattr(transport, "_pool", None) for transport in transports):
        if pool is not None:  # a transport of a test has none
            backend = pool._network_backend  # noqa: SLF001
            backend.connect_tcp = _opening(backend.connect_tcp)
    return client


def read_body(response: httpx2.Response, until: float) -> bytes:
    """Read and unpack a body until a time of `time.monotonic`; its size is bounded, packed and not.

    httpx2 starts its read timeout again with every chunk, so that a slow server, or the blank lines with which some
    providers keep a connection alive, would never time out. It also unpacks a body to any size.
    """
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _LimitedStream(response.stream, until, response.request)
    parts, size = list[bytes](), 0
    for part in response.iter_bytes():
        size = _checked_size(size + len(part), response.request)
        parts.append(part)
    return b"".join(parts)


def _checked_size(size: int, request: httpx2.Request) -> int:
    if size > MAX_BODY:
        raise httpx2.ReadError(f"the response is larger than {MAX_BODY // 1024 // 1024} MiB", request=request)
    return size


class _LimitedStream(httpx2.SyncByteStream):
    """A body that ends with an error when its time is up, or when it is too large."""

    def __init__(self, inner: httpx2.SyncByteStream, until: float, request: httpx2.Request) -> None:
        self._inner, self._until, self._request = inner, until, request

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._inner:
            size = _checked_size(size + len(chunk), self._request)
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the response took too long", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()


def over_proxy(url: httpx2.URL) -> str:
    """Name the variable of the proxy over which a URL is called; nothing if it is called directly."""
    found = [scheme for scheme in (url.scheme, "all") if getproxies().get(scheme)]
    return f"; over the proxy of {found[0].upper()}_PROXY" if found and not proxy_bypass(url.host) else ""


def _named(names: tuple[str, ...]) -> str:
    """Return those of the variables that are set, in either case, as httpx2 reads them."""
    found = [name for name in names if os.environ.get(name) or os.environ.get(name.lower())]
    return " or ".join(found or names)


@contextmanager
def ended_with(clock: Clock) -> Iterator[None]:
    """End the calls of this thread with the search of a clock, if it can be cancelled: they raise `Cancelled`."""
    _THREAD.clock = clock
    try:
        yield
    finally:
        del _THREAD.clock


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
