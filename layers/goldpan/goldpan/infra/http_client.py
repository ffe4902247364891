"""HTTP over httpx2: over the proxies of the environment, with calls that end in time and bodies of a bounded size.

httpx2 has no call that another thread can end, so that each read waits in short pieces, and looks between them whether
the search of its thread still runs; if not, the connection is closed.
"""

import os
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Cancelled, Misconfigured, TimedOut, Unavailable, Unreachable
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.redaction import redact
from goldpan.infra.threads import run_with_deadline

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a response, packed or unpacked; no source sends nearly as much."""
TOO_LARGE = f"the response is larger than {MAX_BODY // 1024 // 1024} MiB"
MAX_CONNECTIONS = 640
"""Enough for 64 searches that make ten calls each. A connection is opened when needed and closed after 5 s without use;
with fewer, calls would spend their time waiting for one, and fail as if the server did not respond."""
CERTIFICATES, PROXIES = ("SSL_CERT_FILE", "SSL_CERT_DIR"), ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")
POLL_SECONDS = 0.25
Open = Callable[..., httpcore2.NetworkStream]
_THREAD = threading.local()
SENDING = "http11.send_request_headers.started"
"""The event of httpcore2 that comes when a connection is ready."""
CLOSED = "its connections are closed"


class _Call:
    """Whether a request was sent; one that is given up before is not sent any more.

    Each side writes its own flag before it reads the other's: at worst a request counts as sent that was not.
    """

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client
        self._sent = self._given_up = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Note that the connection is ready and the request is about to be sent; a CONNECT only reaches a proxy."""
        if event != SENDING or info["request"].method == b"CONNECT":
            return
        if self._client.is_closed:  # while connecting: the pool no longer closes this connection
            raise httpx2.ConnectError(CLOSED)
        self._sent = True
        if self._given_up:
            raise httpx2.ConnectTimeout("the connection was made too late")

    def give_up(self) -> bool:
        """Send no more; return whether the request was sent before."""
        self._given_up = True
        return self._sent


class HttpClient:
    """HTTP over httpx2, with connections that are reused between calls; safe between threads."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._client = _open_client(transport)

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Send, and read the whole response before the deadline. Raises `Cancelled` soon after the search is."""
        call = _Call(self._client)
        try:
            if not deadline.left:
                raise TimedOut("no time was left for the request")
            if self._client.is_closed:
                raise Unreachable(CLOSED)
            return run_with_deadline(lambda: self._send(request, deadline, call), deadline)
        except CallFailed as failure:
            failure.sent = call.give_up()
            raise

    def _send(self, request: HttpRequest, deadline: Deadline, call: _Call) -> HttpResponse:
        made = self._client.stream(
            request.method,
            request.url,
            headers=dict(request.headers),
            params=dict(request.params) or None,
            json=request.body,
            timeout=max(0.001, deadline.left),
            extensions={"trace": call.trace},
        )
        try:
            with _ended_with(deadline), made as response:
                body = _read_body(response)
        except httpx2.TimeoutException as error:
            raise TimedOut("no answer before the deadline") from error
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            reason = redact(f"{error}{_over_proxy(httpx2.URL(request.url))}") or "no connection"
            raise Unreachable(f"could not be reached: {reason}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise Unavailable(f"could not be reached: {redact(str(error)) or 'the connection broke'}") from error
        return HttpResponse(response.status_code, dict(response.headers), body)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _open_client(transport: httpx2.BaseTransport | None) -> httpx2.Client:
    """Open a client over the proxies and with the certificates that the environment names.

    httpx2 ignores the proxies of the environment if it is given a transport, so that only tests give one. Raises
    `Misconfigured` for an environment that cannot be used.
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


def _read_body(response: httpx2.Response) -> bytes:
    """Read and unpack a body of at most `MAX_BODY` bytes; httpx2 unpacks one to any size."""
    body = bytearray()
    for part in response.iter_bytes():
        body += part
        if len(body) > MAX_BODY:
            raise httpx2.ReadError(TOO_LARGE, request=response.request)
    return bytes(body)


def _over_proxy(url: httpx2.URL) -> str:
    """Name the variable of the proxy over which a URL is called; nothing if it is called directly."""
    found = [scheme for scheme in (url.scheme, "all") if getproxies().get(scheme)]
    return f"; over the proxy of {found[0].upper()}_PROXY" if found and not proxy_bypass(url.host) else ""


def _named(names: tuple[str, ...]) -> str:
    """Return those of the variables that are set, in either case, as httpx2 reads them."""
    found = [name for name in names if os.environ.get(name) or os.environ.get(name.lower())]
    return " or ".join(found or names)


@contextmanager
def _ended_with(deadline: Deadline) -> Iterator[None]:
    """End the call of this thread at its deadline, or with its search, if that can be cancelled: raises `Cancelled`."""
    _THREAD.call, _THREAD.size = (deadline.clock, time.monotonic() + deadline.left), 0
    try:
        yield
    finally:
        del _THREAD.call


def _opening(open_stream: Open) -> Open:
    """Return a function that opens the same connection, whose reads end with the call of their thread."""

    def opened(*given: object, **named: object) -> httpcore2.NetworkStream:
        stream = open_stream(*given, **named)
        stream.read = partial(_read, stream.read)  # type: ignore[method-assign]
        stream.start_tls = _opening(stream.start_tls)  # type: ignore[method-assign]
        return stream

    return opened


def _read(read: Callable[[int, float], bytes], max_bytes: int, timeout: float | None = None) -> bytes:
    """Read in short pieces of time. Raises `Cancelled`, or `httpcore2.ReadTimeout` at the end of the call.

    httpx2 starts its own timeout again with every read, so that a slow server, or the blank lines with which some
    providers keep a connection alive, would never time out.
    """
    del timeout
    clock, until = _THREAD.call
    while (left := until - time.monotonic()) > 0:
        if getattr(clock, "cancelled", False):
            raise Cancelled("the search was cancelled")
        with suppress(httpcore2.ReadTimeout):
            received = read(max_bytes, min(POLL_SECONDS, left))
            _THREAD.size += len(received)
            if _THREAD.size > MAX_BODY:
                raise httpcore2.ReadError(TOO_LARGE)
            return received
    raise httpcore2.ReadTimeout("the response took too long")
