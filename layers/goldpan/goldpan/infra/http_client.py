"""HTTP over httpx2 with a total deadline: a call ends in time, however slowly the server sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, TimedOut, Unavailable, Unreachable
from goldpan.infra.bounded_client import ended_with, open_client, over_proxy, read_body
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.redaction import redact
from goldpan.infra.threads import run_with_deadline

SENDING = "http11.send_request_headers.started"
"""The event of httpcore2 that comes when a connection is ready."""
CLOSED = "its connections are closed"


class HttpClient:
    """HTTP over httpx2, with connections that are reused between calls; safe between threads."""

    def __init__(self, transport: httpx2.BaseTransport | None = None) -> None:
        self._client = open_client(transport)

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
            with ended_with(deadline), made as response:
                body = read_body(response)
        except httpx2.TimeoutException as error:
            raise TimedOut("no answer before the deadline") from error
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            reason = redact(f"{error}{over_proxy(httpx2.URL(request.url))}") or "no connection"
            raise Unreachable(f"could not be reached: {reason}") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise Unavailable(f"could not be reached: {redact(str(error)) or 'the connection broke'}") from error
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpResponse(response.status_code, headers, body)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


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
        if self._client.is_closed:  # while this connection was made: nobody would close it any more
            raise httpx2.ConnectError(CLOSED)
        self._sent = True
        if self._given_up:
            raise httpx2.ConnectTimeout("the connection was made too late")

    def give_up(self) -> bool:
        """Send no more; return whether the request was sent before."""
        self._given_up = True
        return self._sent
