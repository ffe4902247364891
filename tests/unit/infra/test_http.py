"""HTTP: every status is a response; a call without a response raises an error with the reason."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import TimedOut, Unavailable, Unreachable
from goldpan.infra.http import HttpClient, HttpRequest, HttpResponse, TotalTimeoutTransport

from tests.support.fakes import FakeClock

FAR, PASSED = Deadline.after(60, FakeClock()), Deadline.after(0, FakeClock())
URL, MEBIBYTE = "https://api.example.org/search", 1024 * 1024
GET = HttpRequest("GET", URL)
Handler = Callable[[httpx2.Request], httpx2.Response]


def send(handler: Handler, request: HttpRequest = GET, deadline: Deadline = FAR) -> HttpResponse:
    """Send a request to a handler instead of the network."""
    with closing(HttpClient(httpx2.MockTransport(handler))) as client:
        return client.send(request, deadline)


def total_timeout(handler: Handler) -> TotalTimeoutTransport:
    """Make the transport that limits time and size, over a handler instead of the network."""
    transport = TotalTimeoutTransport()
    vars(transport)["_inner"] = httpx2.MockTransport(handler)
    return transport


@pytest.mark.parametrize("status", [200, 301, 404, 429, 503])
def test_a_request_and_its_response(status: int) -> None:
    """A request is sent as given, and every status is a response, without following a redirection."""

    def echo(sent: httpx2.Request) -> httpx2.Response:
        body = [sent.method, sent.headers["accept"], sent.url.params["q"], json.loads(sent.read())]
        return httpx2.Response(status, headers={"Retry-After": "7", "Location": URL}, json=body)

    response = send(echo, HttpRequest("POST", URL, {"accept": "text/x"}, {"q": "c++ & ü"}, {"query": "动画"}))
    assert (response.status, response.headers["retry-after"]) == (status, "7")
    assert response.json() == ["POST", "text/x", "c++ & ü", {"query": "动画"}]


@pytest.mark.parametrize(
    ("raised", "expected", "message"),
    [
        (httpx2.ReadTimeout, TimedOut, "no answer before the deadline"),
        (httpx2.ConnectTimeout, TimedOut, "no answer before the deadline"),
        (httpx2.ConnectError, Unreachable, "could not be reached: broken pipe"),
        (httpx2.RemoteProtocolError, Unavailable, "could not be reached: broken pipe"),
    ],
)
def test_a_failed_call_is_named(raised: type[httpx2.TransportError], expected: type[Exception], message: str) -> None:
    """A timeout anywhere in the call is one; a connection that breaks is unavailable, with the reason."""

    def handler(_: httpx2.Request) -> httpx2.Response:
        raise raised("broken pipe")

    with pytest.raises(expected, match=message) as error:
        send(handler)
    assert type(error.value) is expected


def test_a_call_ends_at_the_deadline() -> None:
    """A call that hangs outside of httpx2, such as in a name lookup, is abandoned; without time no call is made."""
    release = threading.Event()

    def handler(_: httpx2.Request) -> httpx2.Response:
        release.wait(60)
        return httpx2.Response(200)

    with pytest.raises(TimedOut, match="before the deadline"):
        send(handler, deadline=Deadline.after(0.05, FakeClock()))
    with pytest.raises(TimedOut, match="no time was left"):
        send(handler, deadline=PASSED)
    release.set()


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe\x00"])
def test_a_body_that_is_not_json(body: bytes) -> None:
    """A body that is not JSON is unavailable; the message names its content type instead of repeating it."""
    response = send(lambda _: httpx2.Response(200, headers={"content-type": "text/html"}, content=body))
    with pytest.raises(Unavailable, match="answered 200 with text/html that is not JSON"):
        response.json()


def test_lone_surrogates_are_replaced() -> None:
    """JSON may spell half of a character, which could never be written again."""
    assert send(lambda _: httpx2.Response(200, content=b'["\\ud83d", "\\ud83d\\ude00"]')).json() == ["\ufffd", "😀"]


def test_a_body_that_is_too_large() -> None:
    """At most 32 MiB are read, and one chunk more; the limit holds for the unpacked body too."""
    chunks, packed = iter([b" " * MEBIBYTE] * 40), gzip.compress(b" " * (33 * MEBIBYTE))
    transport = total_timeout(lambda _: httpx2.Response(200, content=chunks))
    with closing(HttpClient(transport)) as client, pytest.raises(Unavailable, match="the response is too large"):
        client.send(GET, FAR)
    assert len(list(chunks)) == 40 - 33
    with pytest.raises(Unavailable, match="the response is too large"):
        send(lambda _: httpx2.Response(200, headers={"content-encoding": "gzip"}, content=packed))


def test_a_slow_body_is_cut_at_the_deadline() -> None:
    """A body whose chunks come in time ends with a timeout if it takes too long as a whole."""

    def chunks() -> Iterator[bytes]:
        for _ in range(500):
            time.sleep(0.01)
            yield b"."

    transport = total_timeout(lambda _: httpx2.Response(200, content=chunks()))
    with httpx2.Client(transport=transport) as client, pytest.raises(httpx2.ReadTimeout, match="took too long"):
        client.get(URL, timeout=0.1)


def test_a_body_in_time_is_complete() -> None:
    """Chunks that come in time are put together, also without any timeout."""
    transport = total_timeout(lambda _: httpx2.Response(200, content=iter([b'{"a"', b": 1}"])))
    assert httpx2.Client(transport=transport, timeout=None).get(URL).json() == {"a": 1}
    with closing(HttpClient(transport)) as client:
        assert client.send(GET, FAR).json() == {"a": 1}
    with pytest.raises(Unavailable, match="its connections are closed"):
        client.send(GET, FAR)
