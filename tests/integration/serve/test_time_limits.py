"""Connections that hold on to the server without asking anything are let go."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
from goldpan_local.serve import protocol, request_body
from goldpan_local.serve.application import application
from goldpan_local.serve.listening import listen, server
from goldpan_local.serve.searches import Searches

from tests.integration.serve.process import PATIENCE
from tests.unit.local.serving import runtime

pytestmark = pytest.mark.enable_socket
HEAD = b"POST /search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n"


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Serve in this process, with less patience."""
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(request_body, "BODY_SECONDS", 0.3)
    searches = Searches(runtime(), 1)
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        running = server(application(searches, None), searches)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield port
        finally:
            running.should_exit = True
            thread.join(PATIENCE)
    assert not thread.is_alive()


def held(port: int, first: bytes, drip: bytes = b"") -> tuple[bytes, float]:
    """Say something, go on with single bytes, and give what is heard, and the seconds, until the server closes."""
    began, heard = time.monotonic(), b""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(first)
        connection.settimeout(0.05)
        while time.monotonic() < began + PATIENCE:
            try:
                said = connection.recv(65536)
                if not said:
                    break
                heard += said
            except TimeoutError:
                try:
                    connection.sendall(drip)
                except ConnectionError:
                    break
            except ConnectionError:
                break
    return heard, time.monotonic() - began


@pytest.mark.parametrize(("first", "drip"), [(b"", b""), (b"GET /hea", b""), (b"GET /health HTTP/1.1\r\nx: ", b"y")])
def test_a_head_that_never_ends_is_let_go(port: int, first: bytes, drip: bytes) -> None:
    """A client that says nothing, half a head, or a head byte by byte is let go after the time that a head may take."""
    heard, seconds = held(port, first, drip)
    assert heard == b""
    assert 0.2 < seconds < 5


def test_a_body_that_never_ends_is_told_and_let_go(port: int) -> None:
    """A client that drips its body is told that it was too slow."""
    heard, seconds = held(port, HEAD, b" ")
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert b"urn:goldpan:problem:too-slow" in heard
    assert seconds < 5


def test_a_body_that_nobody_reads_is_let_go(port: int) -> None:
    """A client that was answered and goes on sending is let go; the answer was not held back."""
    heard, seconds = held(port, HEAD.replace(b"/search", b"/nothing"), b" ")
    assert heard.startswith(b"HTTP/1.1 404 ")
    assert seconds < 6


def test_a_slow_client_slows_nobody(port: int) -> None:
    """While many hold half a head, another one is answered."""
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for connection in slow:
        connection.sendall(b"GET /health HTTP/1.1\r\nx")
    heard, seconds = held(port, b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    for connection in slow:
        connection.close()
    assert heard.startswith(b"HTTP/1.1 200 OK")
    assert seconds < 5
