"""HTTP: every status is a response; a call without a response raises the error that says why."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable, Iterator

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut, Unavailable, Unreachable
from goldpan.infra.http import HttpClient, HttpRequest, HttpResponse, TotalTimeoutTransport

from tests.support.fakes import FakeClock

FAR, PASSED = Deadline.after(60, FakeClock()), Deadline.after(0, FakeClock())
URL = "https://api.example.org/search"
MEBIBYTE = 1024 * 1024
Handler = Callable[[httpx2.Request], httpx2.Response]


def send(handler: Handler, request: HttpRequest | None = None, deadline: Deadline = FAR) -> HttpResponse:
    """Send a request to a handler instead of the network."""
    client = HttpClient(httpx2.MockTransport(handler))
    try:
        return client.send(request or HttpRequest("GET", URL), deadline)
    finally:
        client.close()


@pytest.mark.parametrize("status", [200, 301, 404, 429, 503])
def test_every_status_is_a_response(status: int) -> None:
    """A status is returned with its body, and with its headers in lower case; a redirection is not followed."""
    response = send(lambda _: httpx2.Response(status, headers={"Retry-After": "7", "Location": URL}, json={"a": 1}))
    assert (response.status, response.headers["retry-after"], response.json()) == (status, "7", {"a": 1})


def test_what_is_sent() -> None:
    """Method, parameters, headers and a JSON body are sent as given."""
    seen: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        return httpx2.Response(200, json={})

    send(handler, HttpRequest("POST", URL, {"accept": "text/x"}, {"q": "c++ & ü"}, {"query": "动画"}))
    (request,) = seen
    assert (request.method, request.headers["accept"]) == ("POST", "text/x")
    assert request.url.params["q"] == "c++ & ü"
    assert request.read().decode().replace(" ", "") == '{"query":"动画"}'


@pytest.mark.parametrize(
    ("raised", "expected", "message"),
    [
        (httpx2.ReadTimeout, TimedOut, "no answer before the deadline"),
        (httpx2.ConnectTimeout, TimedOut, "no answer before the deadline"),
        (httpx2.PoolTimeout, TimedOut, "no answer before the deadline"),
        (httpx2.ConnectError, Unreachable, "could not be reached: broken pipe"),
        (httpx2.ReadError, Unavailable, "could not be reached: broken pipe"),
        (httpx2.RemoteProtocolError, Unavailable, "could not be reached: broken pipe"),
    ],
)
def test_a_failed_call_is_named(raised: type[httpx2.TransportError], expected: type[Exception], message: str) -> None:
    """A timeout is one anywhere in the call; a connection that breaks is unavailable, with the reason."""

    def handler(_: httpx2.Request) -> httpx2.Response:
        raise raised("broken pipe")

    with pytest.raises(expected, match=message) as error:
        send(handler)
    assert type(error.value) is expected


def test_without_time_no_call_is_made() -> None:
    """A call whose deadline has passed is not made."""
    calls: list[httpx2.Request] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        calls.append(request)
        return httpx2.Response(200)

    with pytest.raises(TimedOut):
        send(handler, deadline=PASSED)
    assert calls == []


def test_a_call_that_heeds_no_timeout_is_abandoned() -> None:
    """A call that hangs outside of httpx2, such as in a name lookup, ends for the caller at the deadline."""
    release, clock = threading.Event(), FakeClock()

    def handler(_: httpx2.Request) -> httpx2.Response:
        release.wait(60)
        return httpx2.Response(200)

    with pytest.raises(TimedOut):
        send(handler, deadline=Deadline.after(0.05, clock))
    release.set()


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"items": [', b"\xff\xfe\x00"])
def test_a_body_that_is_not_json(body: bytes) -> None:
    """A body that is not JSON is unavailable; the message names its content type instead of repeating it."""
    response = send(lambda _: httpx2.Response(200, headers={"content-type": "text/html"}, content=body))
    with pytest.raises(Unavailable, match="answered 200 with text/html that is not JSON"):
        response.json()


def test_lone_surrogates_are_replaced() -> None:
    """JSON may spell half of a character, which could never be written again."""
    assert send(lambda _: httpx2.Response(200, content=b'["\\ud83d", "\\ud83d\\ude00"]')).json() == ["\ufffd", "😀"]


def limited(monkeypatch: pytest.MonkeyPatch, chunks: Callable[[], Iterator[bytes]]) -> TotalTimeoutTransport:
    """Make the transport that limits time and size, over a server that sends those chunks."""
    transport = TotalTimeoutTransport()
    transport._inner.close()
    monkeypatch.setattr(transport, "_inner", httpx2.MockTransport(lambda _: httpx2.Response(200, content=chunks())))
    return transport


def test_a_body_that_is_too_large_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most 32 MiB are read, and one chunk more."""
    read: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(1000):
            read.append(number)
            yield b" " * MEBIBYTE

    client = HttpClient(limited(monkeypatch, chunks))
    with pytest.raises(Unavailable, match="the response is too large"):
        client.send(HttpRequest("GET", URL), FAR)
    assert len(read) == 33
    client.close()


def test_a_body_that_is_too_large_when_unpacked() -> None:
    """A small body may unpack to a large one; the limit is for both."""
    packed = gzip.compress(b" " * (33 * MEBIBYTE))
    with pytest.raises(Unavailable, match="the response is too large"):
        send(lambda _: httpx2.Response(200, headers={"content-encoding": "gzip"}, content=packed))


def test_a_body_that_never_ends_is_cut_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body whose chunks come in time ends with a timeout if it takes too long as a whole."""

    def chunks() -> Iterator[bytes]:
        while True:
            time.sleep(0.01)
            yield b"."

    with (
        httpx2.Client(transport=limited(monkeypatch, chunks)) as client,
        pytest.raises(httpx2.ReadTimeout, match="took too long"),
    ):
        client.get(URL, timeout=0.1)


def test_a_body_in_time_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that come in time are put together, also without any timeout."""
    transport = limited(monkeypatch, lambda: iter([b'{"a"', b": 1}"]))
    client = HttpClient(transport)
    assert client.send(HttpRequest("GET", URL), FAR).json() == {"a": 1}
    assert httpx2.Client(transport=transport, timeout=None).get(URL).json() == {"a": 1}
    client.close()


def test_a_closed_client_makes_no_call() -> None:
    """A client that was closed is unavailable."""
    client = HttpClient(httpx2.MockTransport(lambda _: httpx2.Response(200)))
    client.close()
    with pytest.raises(Unavailable, match="its connections are closed"):
        client.send(HttpRequest("GET", URL), FAR)


def test_a_connection_made_while_the_client_closes_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An abandoned call may still be connecting when its client is closed; its connection is closed too."""
    transport, closed = TotalTimeoutTransport(), threading.Event()

    class Body(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"{}"

        def close(self) -> None:
            closed.set()

    def connect(_: httpx2.Request) -> httpx2.Response:
        client.close()
        return httpx2.Response(200, stream=Body())

    client = HttpClient(transport)
    monkeypatch.setattr(transport, "_inner", httpx2.MockTransport(connect))
    with pytest.raises(Unavailable, match="the client was closed"):
        client.send(HttpRequest("GET", URL), FAR)
    assert closed.is_set()
