"""HTTP with a total deadline: a call ends in time, however slowly the server sends."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut, Unavailable, Unreachable
from goldpan.infra.redaction import redact
from goldpan.infra.threads import run_with_deadline
from goldpan.text import replace_lone_surrogates

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a response; no source sends nearly as much."""
MAX_WORDS = 80
"""Characters of a header that are quoted."""
MAX_CONNECTIONS = 640
"""Enough for 64 searches that make ten calls each. A connection is opened when needed and closed after 5 s without use;
with fewer, calls would spend their time waiting for one, and fail as if the server did not respond."""


@dataclass(frozen=True)
class HttpRequest:
    """A request; a body is sent as JSON."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    body: object = None


@dataclass(frozen=True)
class HttpResponse:
    """A response, with header names in lower case and the unpacked body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> object:
        """Parse the body, and replace lone surrogates. Raises `Unavailable` if it is not JSON."""
        try:
            value = json.loads(self.body)
        except ValueError as error:
            content_type = redact(self.headers.get("content-type", "no content type"))[:MAX_WORDS]
            message = f"answered {self.status} with {content_type} that is not JSON"
            raise Unavailable(message) from error
        return replace_lone_surrogates(value) if b"\\ud" in self.body.lower() else value


class Http(Protocol):
    """Sends requests."""

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Send, and read the whole response. Raises `TimedOut` or `Unavailable`, never for a status."""


class HttpClient:
    """HTTP over httpx2, with connections that are reused between calls; safe between threads."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._client = httpx2.Client(
            transport=transport or TotalTimeoutTransport(), follow_redirects=False, trust_env=True
        )

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Send, and read the whole response before the deadline."""
        if not deadline.left:
            raise TimedOut("no time was left for the request")
        if self._client.is_closed:
            raise Unavailable("its connections are closed")
        return run_with_deadline(lambda: self._send(request, deadline.left), deadline)

    def _send(self, request: HttpRequest, seconds: float) -> HttpResponse:
        try:
            with self._client.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                params=dict(request.params) or None,
                json=request.body,
                timeout=max(0.001, seconds),
            ) as response:
                body = _read_body(response)
        except httpx2.TimeoutException as error:
            raise TimedOut("no answer before the deadline") from error
        except httpx2.ConnectError as error:
            message = f"could not be reached: {redact(str(error)) or 'no connection'}"
            raise Unreachable(message) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            message = f"could not be reached: {redact(str(error)) or type(error).__name__}"
            raise Unavailable(message) from error
        return HttpResponse(response.status_code, {k.lower(): v for k, v in response.headers.items()}, body)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _read_body(response: httpx2.Response) -> bytes:
    """Read and unpack a body; the limit of the transport is for the packed one, so that it applies here once more."""
    parts, size = list[bytes](), 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MAX_BODY:
            raise httpx2.ReadError("the response is too large", request=response.request)
        parts.append(part)
    return b"".join(parts)


class TotalTimeoutTransport(httpx2.BaseTransport):
    """A transport whose read timeout is a limit for the whole response.

    httpx2 starts its read timeout again with every chunk, so that a slow server, or the blank lines with which some
    providers keep a connection alive, would never time out.
    """

    def __init__(self) -> None:
        limits = httpx2.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS)
        self._inner = httpx2.HTTPTransport(limits=limits)
        self._closed = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and limit the time and the size of the body."""
        seconds = request.extensions.get("timeout", {}).get("read")
        until = None if seconds is None else time.monotonic() + seconds
        response = self._inner.handle_request(request)
        if self._closed:  # while it was connecting: the connection would stay open otherwise
            response.close()
            raise httpx2.ReadError("the client was closed", request=request)
        if until is None or not isinstance(response.stream, httpx2.SyncByteStream):
            return response
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_LimitedStream(response.stream, until, request),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close the connections, also those of abandoned calls that are still connecting."""
        self._closed = True
        self._inner.close()


class _LimitedStream(httpx2.SyncByteStream):
    """A body that ends with an error when its time is up, or when it is larger than `MAX_BODY`."""

    def __init__(self, inner: httpx2.SyncByteStream, until: float, request: httpx2.Request) -> None:
        self._inner, self._until, self._request = inner, until, request

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._inner:
            size += len(chunk)
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the response took too long", request=self._request)
            if size > MAX_BODY:
                raise httpx2.ReadError("the response is too large", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()
