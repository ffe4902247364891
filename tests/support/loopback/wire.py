"""What travels over a loopback connection, and the good and bad ways of delivering it."""

from __future__ import annotations

import json
import select
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any

JSON_TYPE = "application/json; charset=utf-8"


@dataclass
class RecordedRequest:
    """One request as it arrived; its status stays None until a status line is sent."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    text: str
    body: Any = None
    status: int | None = None


@dataclass(frozen=True)
class Wire:
    """The connection on which one request waits for its response."""

    handler: BaseHTTPRequestHandler
    request: RecordedRequest
    stopping: Event

    def head(self, response: Response, framing: Mapping[str, str] | None = None) -> None:
        """Send the status line and the headers, by default with the length of the body."""
        self.request.status = response.status
        self.handler.send_response_only(response.status)
        framing = framing or {"content-length": str(len(response.body))}
        for name, value in {**response.headers, **framing}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def is_open(self, seconds: float) -> bool:
        """Wait, and return whether both ends of the connection are still open."""
        if self.stopping.wait(seconds):
            return False
        connection = self.handler.connection
        readable, _, _ = select.select([connection], [], [], 0)
        return not readable or connection.recv(1, socket.MSG_PEEK) != b""


Delivery = Callable[[Wire, "Response"], None]


def whole(wire: Wire, response: Response) -> None:
    """Deliver the response without a fault."""
    wire.head(response)
    wire.handler.wfile.write(response.body)


def hang(wire: Wire, _response: Response) -> None:
    """Never respond, and hold the connection until one end closes it."""
    wire.handler.close_connection = True
    while wire.is_open(0.02):
        pass


def drip(every: float) -> Delivery:
    """Deliver the headers at once, and the body one byte at a time."""

    def deliver(wire: Wire, response: Response) -> None:
        wire.handler.close_connection = True
        wire.head(response)
        for byte in response.body:
            if not wire.is_open(every):
                return
            wire.handler.wfile.write(bytes([byte]))

    return deliver


def reset(wire: Wire, _response: Response) -> None:
    """Close the connection with RST before any byte of a response."""
    wire.handler.close_connection = True
    connection = wire.handler.connection
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # The handler's own files keep the socket open, so only closing the descriptor itself sends the RST.
    socket.close(connection.detach())


def broken_off(wire: Wire, response: Response) -> None:
    """Announce the whole response, send half of it, and close."""
    wire.handler.close_connection = True
    wire.head(response)
    wire.handler.wfile.write(response.body[: len(response.body) // 2])


def blank_lines(every: float, lines: int | None) -> Delivery:
    """Send blank lines without end, or a number of them and then the body."""

    def deliver(wire: Wire, response: Response) -> None:
        wire.head(response, {"transfer-encoding": "chunked"})
        sent = 0
        while lines is None or sent < lines:
            if not wire.is_open(every):
                wire.handler.close_connection = True
                return
            wire.handler.wfile.write(b"1\r\n\n\r\n")
            sent += 1
        wire.handler.wfile.write(f"{len(response.body):x}\r\n".encode() + response.body + b"\r\n0\r\n\r\n")

    return deliver


@dataclass(frozen=True)
class Response:
    """A response, and how it is delivered."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delivery: Delivery = whole

    @classmethod
    def of_json(cls, status: int, payload: object, headers: Mapping[str, str] | None = None) -> Response:
        """Write a payload as JSON."""
        body = json.dumps(payload, ensure_ascii=False).encode()
        return cls(status, body, {"content-type": JSON_TYPE, **(headers or {})})
