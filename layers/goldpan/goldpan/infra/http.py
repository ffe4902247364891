"""HTTP with a total deadline: a call ends when its time is up, however the other side spends it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut, Unavailable, Unreachable
from goldpan.infra.threads import run_with_deadline
from goldpan.text import replace_lone_surrogates

MAX_BODY = 32 * 1024 * 1024
CONNECTIONS = 640
"""At most, at once: 64 searches that each make ten calls. One is opened when it is needed, and closed 5 s after that;
with fewer than the searches need, a call spends its time waiting for a connection, and fails as if nobody answered."""


@dataclass(frozen=True)
class HttpRequest:
    """What is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    body: object = None


@dataclass(frozen=True)
class HttpReply:
    """What came back; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> object:
        """Read the body; raises `Unavailable` where it is not the JSON that the other side promises."""
        try:
            told = json.loads(self.body)
        except ValueError as error:
            kind = self.headers.get("content-type", "no content type")
            message = f"answered {self.status} with {kind} that is not JSON"
            raise Unavailable(message) from error
        return replace_lone_surrogates(told) if b"\\ud" in self.body.lower() else told


class Http(Protocol):
    """Sends a request; raises `TimedOut` or `Unavailable`, never for a status."""

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Send and read the whole answer before the deadline."""


class HttpClient:
    """HTTP over httpx2, with connections kept open between calls; may be shared between threads."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._client = httpx2.Client(
            transport=transport or TotalTimeoutTransport(), follow_redirects=False, trust_env=True
        )

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Send and read the whole answer before the deadline."""
        if not deadline.left:
            raise TimedOut("no time was left to ask")
        if self._client.is_closed:
            raise Unavailable("its connections are closed")
        return run_with_deadline(lambda: self._send(request, deadline.left), deadline)

    def _send(self, request: HttpRequest, seconds: float) -> HttpReply:
        try:
            with self._client.stream(
                request.method,
                request.url,
                headers=dict(request.headers),
                params=dict(request.params) or None,
                json=request.body,
                timeout=max(0.001, seconds),
            ) as reply:
                body = _unpacked(reply)
        except httpx2.TimeoutException as error:
            raise TimedOut("no answer before the deadline") from error
        except httpx2.ConnectError as error:
            message = f"could not be reached: {error or 'no connection'}"
            raise Unreachable(message) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            message = f"could not be reached: {error or type(error).__name__}"
            raise Unavailable(message) from error
        return HttpReply(reply.status_code, {k.lower(): v for k, v in reply.headers.items()}, body)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _unpacked(reply: httpx2.Response) -> bytes:
    """Read a body; what the transport bounds is packed, so that it is bounded here once more."""
    parts, size = list[bytes](), 0
    for part in reply.iter_bytes():
        size += len(part)
        if size > MAX_BODY:
            raise httpx2.ReadError("the answer is too large", request=reply.request)
        parts.append(part)
    return b"".join(parts)


class TotalTimeoutTransport(httpx2.BaseTransport):
    """A transport for which the read timeout is the time of the whole answer.

    httpx2 starts its read timeout anew with every chunk, so that a slow drip, or the blank lines with which some
    providers keep a connection alive, would never time out.
    """

    def __init__(self) -> None:
        limits = httpx2.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS)
        self._inner = httpx2.HTTPTransport(limits=limits)
        self._closed = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and put the clock on the body."""
        seconds = request.extensions.get("timeout", {}).get("read")
        until = None if seconds is None else time.monotonic() + seconds
        response = self._inner.handle_request(request)
        if self._closed:  # it was being connected meanwhile, so that nobody else would close it
            response.close()
            raise httpx2.ReadError("the client was closed", request=request)
        if until is None or not isinstance(response.stream, httpx2.SyncByteStream):
            return response
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_ClockedStream(response.stream, until, request),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close the connections, those too that calls which were given up still make."""
        self._closed = True
        self._inner.close()


class _ClockedStream(httpx2.SyncByteStream):
    """A body that stops when its time is up, or when it is larger than anything we ask for."""

    def __init__(self, inner: httpx2.SyncByteStream, until: float, request: httpx2.Request) -> None:
        self._inner, self._until, self._request = inner, until, request

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._inner:
            size += len(chunk)
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the whole answer took too long", request=self._request)
            if size > MAX_BODY:
                raise httpx2.ReadError("the answer is too large", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()
