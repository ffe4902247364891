"""What travels over a loopback connection, and the good and bad ways of delivering it."""

from __future__ import annotations

import json
import select
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import threading
    from http.server import BaseHTTPRequestHandler

JSON_TYPE = "application/json; charset=utf-8"


@dataclass
class RecordedRequest:
    """One request as it arrived; its status stays None when no status line was ever sent."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    text: str
    body: Any = None
    status: int | None = None


@dataclass(frozen=True)
class Wire:
    """The connection on which one request waits for its answer."""

    handler: BaseHTTPRequestHandler
    request: RecordedRequest
    stopping: threading.Event

    def head(self, response: Response, **framing: str) -> None:
        """Send the status line and the headers."""
        self.request.status = response.status
        self.handler.send_response_only(response.status)
        named = {name.lower(): value for name, value in response.headers.items()}
        for name, value in (named | {key.replace("_", "-"): value for key, value in framing.items()}).items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def write(self, piece: bytes) -> None:
        """Send bytes of the body at once."""
        self.handler.wfile.write(piece)

    def listening(self, seconds: float) -> bool:
        """Wait, and say whether both ends of the connection are still there."""
        if self.stopping.wait(seconds):
            return False
        connection = self.handler.connection
        readable, _, _ = select.select([connection], [], [], 0)
        return not readable or connection.recv(1, socket.MSG_PEEK) != b""

    def close(self) -> None:
        """Let the connection end after this answer."""
        self.handler.close_connection = True


Delivery = Callable[[Wire, "Response"], None]


def whole(wire: Wire, response: Response) -> None:
    """Deliver an answer as any sound server does."""
    wire.head(response, content_length=str(len(response.body)))
    wire.write(response.body)


def hang(wire: Wire, _response: Response) -> None:
    """Never answer, and hold the connection until one end goes away."""
    wire.close()
    while wire.listening(0.02):
        pass


def drip(every: float) -> Delivery:
    """Deliver the headers at once and then one byte at a time."""

    def deliver(wire: Wire, response: Response) -> None:
        wire.close()
        wire.head(response, content_length=str(len(response.body)))
        for position in range(len(response.body)):
            if not wire.listening(every):
                return
            wire.write(response.body[position : position + 1])

    return deliver


def reset(wire: Wire, _response: Response) -> None:
    """Close the connection with RST before any byte of an answer."""
    wire.close()
    connection = wire.handler.connection
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # The handler's own files keep the socket open, so only closing the descriptor itself sends the RST.
    socket.close(connection.detach())


def truncated(wire: Wire, response: Response) -> None:
    """Announce more bytes than are sent, and close."""
    wire.close()
    wire.head(response, content_length=str(len(response.body) + 100))
    wire.write(response.body[: len(response.body) // 2])


def blank_lines(every: float, lines: int | None) -> Delivery:
    """Keep the connection warm with blank lines: for ever, or some of them and then the body."""

    def deliver(wire: Wire, response: Response) -> None:
        wire.head(response, transfer_encoding="chunked")
        sent = 0
        while lines is None or sent < lines:
            if not wire.listening(every):
                return wire.close()
            wire.write(b"1\r\n\n\r\n")
            sent += 1
        wire.write(f"{len(response.body):x}\r\n".encode() + response.body + b"\r\n0\r\n\r\n")
        return None

    return deliver


@dataclass(frozen=True)
class Response:
    """An answer and the manner of its delivery."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delivery: Delivery = whole

    @classmethod
    def of_json(cls, status: int, payload: object, headers: Mapping[str, str] | None = None) -> Response:
        """Write a payload as JSON."""
        body = json.dumps(payload, ensure_ascii=False).encode()
        return cls(status, body, {"content-type": JSON_TYPE, **(headers or {})})
