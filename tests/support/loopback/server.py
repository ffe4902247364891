"""The HTTP server on a loopback port that the fakes are built on."""

from __future__ import annotations

import json
import socketserver
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from typing import Any, Self
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from tests.support.loopback.fault import Exchange, LoopbackFault
from tests.support.loopback.wire import RecordedRequest, Response, Wire, whole

Serve = Callable[[BaseHTTPRequestHandler], None]


class Handler(BaseHTTPRequestHandler):
    """A keep-alive connection whose requests are served by the loopback server."""

    protocol_version = "HTTP/1.1"
    # Headers and body are two writes; with Nagle's algorithm each response could wait for a delayed ACK.
    disable_nagle_algorithm = True
    server: Listener

    def do_GET(self) -> None:
        """Serve a request."""
        self.server.serve(self)

    do_HEAD = do_POST = do_GET  # noqa: N815 - as http.server calls them

    def log_message(self, *_: Any) -> None:
        """Write no log."""


class Listener(ThreadingHTTPServer):
    """A threading server that runs from the start, and stops at once, whatever its connections are doing."""

    daemon_threads = False  # so that `server_close` waits for the threads of the connections
    request_queue_size = 128

    def __init__(self, serve: Serve) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.serve = serve
        self._open: set[socket] = set()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Accept no more, shut every open connection down and wait for its thread."""
        self.shutdown()
        for connection in list(self._open):
            with suppress(OSError):  # the client may have closed it
                connection.shutdown(SHUT_RDWR)
        self.server_close()

    def server_bind(self) -> None:
        """Bind without a lookup of the host's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def get_request(self) -> tuple[socket, Any]:
        """Accept a connection, known to `stop` before its thread starts."""
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        """Close a connection at its end."""
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless the client closed the connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class LoopbackServer(ABC):
    """A server that records its requests, and has the faults that a test injects; `latency` is in seconds a request."""

    server_name = "loopback"

    def __init__(self, *, latency: float = 0.0) -> None:
        self.requests: list[RecordedRequest] = []
        self.in_flight_peak = 0
        """The highest number of requests that were answered at the same time."""
        self._crashes: list[Exception] = []
        self._latency = latency
        self.in_flight = 0
        """How many requests are being answered, or hang on a connection that their client has not closed."""
        self._lock = threading.Lock()
        self._faults: list[tuple[LoopbackFault, int | None]] = []
        self._stopping = threading.Event()

    @abstractmethod
    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""

    def dress(self, _request: RecordedRequest, response: Response) -> Response:
        """Add the headers that every response of this server has."""
        return response

    def now(self) -> datetime:
        """Return the server's time."""
        return datetime.now(UTC)

    @property
    def url(self) -> str:
        """The address of the server, without a path."""
        return f"http://127.0.0.1:{self._listener.server_port}"

    def inject(self, *faults: LoopbackFault) -> None:
        """Queue faults for the next requests; each of them gets the oldest fault that affects it."""
        with self._lock:
            self._faults += [(fault, fault.times) for fault in faults]

    def clear_faults(self) -> None:
        """Remove all faults, also those without an end."""
        with self._lock:
            self._faults.clear()

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._listener = Listener(self.serve)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Stop at once, and raise what went wrong in the server itself."""
        self._stopping.set()
        self._listener.stop()
        if self._crashes and kind is None:
            raise self._crashes[0]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Record, answer and deliver one request."""
        request = _received(handler)
        self.requests.append(request)
        with self._lock:
            self.in_flight += 1
            self.in_flight_peak = max(self.in_flight_peak, self.in_flight)
        with ExitStack() as counted:
            counted.callback(self._count_out)
            response = self._respond(request)
            if response.delivery is whole:
                counted.close()  # after the last byte the client's next request could still find this one
            headers = {"server": self.server_name, "date": format_datetime(self.now(), usegmt=True)}
            stamped = replace(response, headers={**headers, **response.headers})
            response.delivery(Wire(handler, request, self._stopping), stamped)

    def _count_out(self) -> None:
        with self._lock:
            self.in_flight -= 1

    def _respond(self, request: RecordedRequest) -> Response:
        try:
            fault = self._next_fault(request)
            exchange = Exchange(request, self.now(), lambda: self.answer(request))
            response = self.dress(request, fault.distort(exchange) if fault else exchange.genuine())
            self._stopping.wait(self._latency)
        except Exception as crash:  # noqa: BLE001 - raised at the end of the test instead of in this thread
            self._crashes.append(crash)
            return Response.of_json(500, {"message": f"the loopback server crashed: {crash!r}"})
        return response

    def _next_fault(self, request: RecordedRequest) -> LoopbackFault | None:
        """Return the first fault for this request, and count it."""
        with self._lock:
            for place, (fault, times) in enumerate(self._faults):
                if fault.contains is None or fault.contains in request.text:
                    left = None if times is None else times - 1
                    self._faults[place : place + 1] = [] if left == 0 else [(fault, left)]
                    return fault
        return None


def _received(handler: BaseHTTPRequestHandler) -> RecordedRequest:
    """Read a request from the connection."""
    target = urlsplit(handler.path)
    text = handler.rfile.read(int(handler.headers.get("content-length") or 0)).decode()
    body: Any = None
    with suppress(ValueError):
        body = json.loads(text)
    return RecordedRequest(
        method=handler.command,
        path=target.path,
        params=dict(parse_qsl(target.query, keep_blank_values=True)),
        headers={name.lower(): value for name, value in handler.headers.items()},
        text="\n".join([unquote_plus(handler.path), text, *_strings(body)]),
        body=body,
    )


def _strings(body: Any) -> list[str]:
    """List the strings of a body without JSON's escapes."""
    if isinstance(body, str):
        return [body]
    children = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    return [text for child in children for text in _strings(child)]
