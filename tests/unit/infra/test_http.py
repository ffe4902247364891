"""HTTP: every status is a response; a call without a response raises an error with the reason."""

import gzip
import json
import threading
import tracemalloc
from collections.abc import Callable
from contextlib import closing

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, TimedOut, Unavailable, Unreachable
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.http_client import SENDING, HttpClient

from tests.support.fakes import FakeClock

FAR, PASSED = Deadline.after(60, FakeClock()), Deadline.after(0, FakeClock())
URL, MEBIBYTE = "https://api.example.org/search", 1024 * 1024
GET = HttpRequest("GET", URL)
Handler = Callable[[httpx2.Request], httpx2.Response]


def send(handler: Handler, request: HttpRequest = GET, deadline: Deadline = FAR) -> HttpResponse:
    """Send a request to a handler instead of the network."""
    with closing(HttpClient(httpx2.MockTransport(handler))) as client:
        return client.send(request, deadline)


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


DEEP, UTF_16 = b"[" * 20_000, "[1]".encode("utf-16")


@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff\xfe\x00", DEEP + b"]" * 20_000, DEEP, b"9" * 5000, UTF_16])
def test_a_body_that_is_not_json(body: bytes) -> None:
    """A body that no parser reads is unavailable; the message names its content type instead of repeating it."""
    headers = {"content-type": f"text/html; {'x' * 999}"}
    response = send(lambda _: httpx2.Response(200, headers=headers, content=body))
    with pytest.raises(Unavailable, match=r"answered 200 with text/html; x{69} that is not JSON"):
        response.json()


@pytest.mark.parametrize("layers", [1, 2])
def test_a_small_body_never_unpacks_to_gigabytes(layers: int) -> None:
    """No client keeps more than 32 MiB of an unpacked body."""
    packed = bytes(160 * MEBIBYTE)
    for _ in range(layers):
        packed = gzip.compress(packed, 1)
    headers = {"content-encoding": ", ".join(["gzip"] * layers)}
    tracemalloc.start()
    try:
        with pytest.raises(Unavailable, match="the response is larger than 32 MiB"):
            send(lambda _: httpx2.Response(200, headers=headers, content=[packed]))
        assert tracemalloc.get_traced_memory()[1] < 100 * MEBIBYTE
    finally:
        tracemalloc.stop()


def test_a_body_in_time_is_complete() -> None:
    """Chunks are put together and unpacked; a lone surrogate, which UTF-8 cannot encode, is replaced."""
    packed = gzip.compress(b'{"a": 1}')
    answer = httpx2.Response(200, headers={"Content-Encoding": "gzip"}, content=[packed[:9], packed[9:]])
    with closing(HttpClient(httpx2.MockTransport(lambda _: answer))) as client:
        assert client.send(GET, FAR).json() == {"a": 1}
    with pytest.raises(Unavailable, match="its connections are closed"):
        client.send(GET, FAR)
    body = b'\xef\xbb\xbf{"a\\udc00": ["\\uD83Dx", {"b": "\\ud83d\\ude00"}, "\\\\ud800", 1, null, true]}'
    read = send(lambda _: httpx2.Response(200, content=body)).json()
    assert read == {"a\ufffd": ["\ufffdx", {"b": "😀"}, "\\ud800", 1, None, True]}


@pytest.mark.parametrize("connected_after", [0.0, 0.2])
def test_a_request_counts_as_sent_once_its_connection_is_ready(connected_after: float) -> None:
    """A failure says whether the server may have received the call; what was given up before is never sent."""
    connecting, received = threading.Event(), threading.Event()

    def server(request: httpx2.Request) -> httpx2.Response:
        connecting.wait(connected_after)
        request.extensions["trace"](SENDING, {"request": request})
        received.set()
        connecting.wait(60)
        return httpx2.Response(200)

    with pytest.raises(TimedOut) as failed:
        send(server, deadline=Deadline.after(0.1, FakeClock()))
    assert failed.value.sent is (connected_after == 0)
    assert received.wait(0.3) is failed.value.sent
    connecting.set()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "SSL_CERT_FILE.*: the certificates cannot be read .*No such file"),
        ("HTTPS_PROXY", "ftp://user:hidden@proxy.example.org", "HTTPS_PROXY: not the address of a proxy; allowed: "),
        ("https_proxy", "http://proxy.example.org:port", "HTTPS_PROXY: not the address of a proxy; allowed: "),
        ("ALL_PROXY", "socks5://127.0.0.1:1080", "ALL_PROXY: a SOCKS proxy needs the package socksio"),
    ],
)
def test_an_environment_that_cannot_be_used_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    """A wrong proxy, or a file of certificates that is not there, is reported by the name of its variable."""
    monkeypatch.setenv(name, value)
    with pytest.raises(Misconfigured, match=message) as error:
        HttpClient()
    assert "hidden" not in str(error.value)
