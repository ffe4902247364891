"""The HTTP server on a loopback port that both fakes are built on."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from tests.support.loopback.crowd import Crowd
from tests.support.loopback.fault import Exchange, FaultQueue, LoopbackFault
from tests.support.loopback.listener import Listener
from tests.support.loopback.wire import RecordedRequest, Response, Wire, whole

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

Latency = Callable[[], float]


class LoopbackServer(ABC):
    """A server that records what it is asked, and fails where it is told to."""

    server_name = "loopback"

    def __init__(self, *, latency: Latency | None = None, limit: int | None = None) -> None:
        self.requests: list[RecordedRequest] = []
        self.crashes: list[Exception] = []
        self._latency = latency
        self._crowd = Crowd(limit)
        self._faults = FaultQueue()
        self._stopping = threading.Event()
        self._listener: Listener | None = None

    @abstractmethod
    def answer(self, request: RecordedRequest) -> Response:
        """Give the answer of a healthy server."""

    @abstractmethod
    def refuse(self, _request: RecordedRequest) -> Response:
        """Give the answer to a request that is one too many at the same time."""

    def dress(self, _request: RecordedRequest, response: Response) -> Response:
        """Add the headers that every answer of this server has."""
        return response

    def now(self) -> datetime:
        """Tell the server's time."""
        return datetime.now(UTC)

    @property
    def url(self) -> str:
        """The address of the running server, without a path."""
        if self._listener is None:
            message = "the loopback server is not running"
            raise RuntimeError(message)
        return f"http://127.0.0.1:{self._listener.server_port}"

    @property
    def in_flight_peak(self) -> int:
        """The highest number of requests that were being answered at the same time."""
        return self._crowd.peak

    def inject(self, *faults: LoopbackFault) -> None:
        """Queue faults for the requests to come."""
        self._faults.extend(faults)

    def clear_faults(self) -> None:
        """Be healthy from now on."""
        self._faults.clear()

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._listener = Listener(self.serve)
        self._listener.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Stop at once, whatever hangs, and raise what went wrong in the server itself."""
        self._stopping.set()
        if self._listener is not None:
            self._listener.stop()
        if self.crashes and kind is None:
            raise self.crashes[0]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Record, answer and deliver one request."""
        request = _received(handler)
        self.requests.append(request)
        with ExitStack() as stay:
            admitted = stay.enter_context(self._crowd.joined())
            response = self._respond(request, admitted=admitted)
            if response.delivery is whole:
                # Leaving only after the last byte would let a client's next request find this one still here.
                stay.close()
            date = format_datetime(self.now(), usegmt=True)
            stamped = Response(
                response.status,
                response.body,
                {"server": self.server_name, "date": date, **response.headers},
                response.delivery,
            )
            response.delivery(Wire(handler, request, self._stopping), stamped)

    def _respond(self, request: RecordedRequest, *, admitted: bool) -> Response:
        try:
            if not admitted:
                return self.dress(request, self.refuse(request))
            fault = self._faults.take(request)
            exchange = Exchange(request, self.now(), lambda: self.answer(request))
            response = self.dress(request, fault.distort(exchange) if fault else exchange.genuine())
            self._stopping.wait(self._latency() if self._latency else 0)
        except Exception as crash:  # noqa: BLE001 - told to the test at the end, instead of a dead thread
            self.crashes.append(crash)
            return Response.of_json(500, {"message": f"the loopback server crashed: {crash!r}"})
        return response


def _received(handler: BaseHTTPRequestHandler) -> RecordedRequest:
    """Read a request off the connection."""
    target = urlsplit(handler.path)
    text = handler.rfile.read(int(handler.headers.get("content-length") or 0)).decode()
    body: Any = None
    try:
        body = json.loads(text) if text else None
    except ValueError:
        body = None
    return RecordedRequest(
        method=handler.command,
        path=target.path,
        params=dict(parse_qsl(target.query, keep_blank_values=True)),
        headers={name.lower(): value for name, value in handler.headers.items()},
        text="\n".join([unquote_plus(handler.path), text, *_strings(body)]),
        body=body,
    )


def _strings(body: Any) -> list[str]:
    """List the strings of a body as they read without JSON's escapes."""
    if isinstance(body, str):
        return [body]
    children = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return [text for child in children for text in _strings(child)]
