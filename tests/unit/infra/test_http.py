"""HTTP: a status is an answer, and what is no answer has its error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import TimedOut, Unavailable
from goldpan.infra.http import MAX_BODY, HttpClient, HttpResponse, HttpRequest, TotalTimeoutTransport

CLOCK = WallClock()
URL = "https://api.example.org/search"
Handler = Callable[[httpx2.Request], httpx2.Response]


def send(handler: Handler, request: HttpRequest | None = None, seconds: float = 5) -> HttpResponse:
    """Send a request to a handler in place of the network."""
    client = HttpClient(httpx2.MockTransport(handler))
    try:
        return client.send(request or HttpRequest("GET", URL), Deadline.after(seconds, CLOCK))
    finally:
        client.close()


@pytest.mark.parametrize("status", [200, 204, 301, 404, 422, 429, 500, 503])
def test_a_status_is_an_answer(status: int) -> None:
    """Every status comes back as it is, with its body and its headers in lower case."""
    reply = send(lambda _: httpx2.Response(status, headers={"Retry-After": "7", "Location": URL}, json={"a": 1}))
    assert (reply.status, reply.headers["retry-after"], reply.json()) == (status, "7", {"a": 1})


def test_what_is_sent() -> None:
    """Method, parameters, headers and a JSON body go out as given."""
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={})

    send(handler, HttpRequest("POST", URL, {"accept": "text/x"}, {"q": "c++ & ü"}, {"query": "动画"}))
    (request,) = seen
    assert (request.method, request.headers["accept"]) == ("POST", "text/x")
    assert request.url.params["q"] == "c++ & ü"
    assert request.read().decode().replace(" ", "") == '{"query":"动画"}'


@pytest.mark.parametrize("raised", [httpx2.ReadTimeout, httpx2.ConnectTimeout, httpx2.PoolTimeout])
def test_a_timeout_is_timed_out(raised: type[httpx2.TimeoutException]) -> None:
    """A timeout anywhere in a call is the deadline's."""

    def handler(_: httpx2.Request) -> httpx2.Response:
        raise raised("late")

    with pytest.raises(TimedOut):
        send(handler)


@pytest.mark.parametrize("raised", [httpx2.ConnectError, httpx2.ReadError, httpx2.RemoteProtocolError])
def test_a_broken_connection_is_unavailable(raised: type[httpx2.TransportError]) -> None:
    """A connection that fails or breaks makes the outside unavailable, in its own words."""

    def handler(_: httpx2.Request) -> httpx2.Response:
        raise raised("broken pipe")

    with pytest.raises(Unavailable, match="could not be reached: broken pipe"):
        send(handler)


def test_no_time_left_asks_nothing() -> None:
    """A call whose deadline has passed is not made."""
    asked: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return httpx2.Response(200)

    with pytest.raises(TimedOut):
        send(handler, seconds=0)
    assert asked == []


def test_a_call_that_nothing_cuts_is_left_behind() -> None:
    """A call that heeds no timeout, such as a look-up of a name, ends for the caller at the deadline."""
    release = threading.Event()

    def handler(_: httpx2.Request) -> httpx2.Response:
        release.wait(30)
        return httpx2.Response(200)

    began = time.monotonic()
    with pytest.raises(TimedOut):
        send(handler, seconds=0.2)
    release.set()
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"items": [', b"\xff\xfe\x00"])
def test_a_body_that_is_not_json(body: bytes) -> None:
    """A body that is not JSON is unavailable, and its kind is told instead of its text."""
    reply = send(lambda _: httpx2.Response(200, headers={"content-type": "text/html"}, content=body))
    with pytest.raises(Unavailable, match="answered 200 with text/html that is not JSON"):
        reply.json()


def served(monkeypatch: pytest.MonkeyPatch, chunks: Callable[[], Iterator[bytes]], seconds: float) -> HttpResponse:
    """Read a body through the transport that has the clock."""
    transport = TotalTimeoutTransport()
    inner = httpx2.MockTransport(lambda _: httpx2.Response(200, content=chunks()))
    monkeypatch.setattr(transport, "_inner", inner)
    client = HttpClient(transport)
    try:
        return client.send(HttpRequest("GET", URL), Deadline.after(seconds, CLOCK))
    finally:
        client.close()


def test_a_body_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body larger than anything that is asked for is not read to its end."""
    read: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(1000):
            read.append(number)
            yield b" " * (1024 * 1024)

    with pytest.raises(Unavailable, match="too large"):
        served(monkeypatch, chunks, 5)
    assert len(read) == MAX_BODY // (1024 * 1024) + 1


def test_a_drip_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body whose pieces come in time, but whose whole does not, is cut at the deadline."""

    def chunks() -> Iterator[bytes]:
        for _ in range(200):
            time.sleep(0.02)
            yield b"."

    began = time.monotonic()
    with pytest.raises(TimedOut):
        served(monkeypatch, chunks, 0.2)
    assert time.monotonic() - began < 3


def test_a_whole_body_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that comes in time and size is given whole."""
    assert served(monkeypatch, lambda: iter([b'{"a"', b": 1}"]), 5).json() == {"a": 1}


def test_after_its_end_a_client_asks_nobody() -> None:
    """A client that was closed says so, as of a source that is out of reach."""
    client = HttpClient(httpx2.MockTransport(lambda _: httpx2.Response(200)))
    client.close()
    with pytest.raises(Unavailable, match="closed"):
        client.send(HttpRequest("GET", URL), Deadline.after(5, CLOCK))


def test_what_connects_while_the_client_closes_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that was given up may still be connecting when its client is closed; its connection is closed too."""
    transport, closed = TotalTimeoutTransport(), threading.Event()

    class Body(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"{}"

        def close(self) -> None:
            closed.set()

    def connecting(_: httpx2.Request) -> httpx2.Response:
        client.close()
        return httpx2.Response(200, stream=Body())

    client = HttpClient(transport)
    monkeypatch.setattr(transport, "_inner", httpx2.MockTransport(connecting))
    with pytest.raises(Unavailable, match="closed"):
        client.send(HttpRequest("GET", URL), Deadline.after(5, CLOCK))
    assert closed.is_set()
