"""What a connection may say: HTTP is answered, everything else is refused, and nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import ServerProcess, spoken

pytestmark = pytest.mark.enable_socket
HEALTH = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
LAST = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
POST = b"POST /search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n"
LARGE = 3 * 1024 * 1024


def problem_in(heard: bytes, status: int) -> dict[str, object]:
    """Read the last response that was heard: problem details with a status, and the end of the connection."""
    head, _, body = heard[heard.rindex(b"HTTP/1.1 ") :].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"content-type: application/problem+json" in head.lower()
    details: dict[str, object] = json.loads(body)
    as_written("Problem").validate(details)
    assert details["status"] == status
    return details


@pytest.mark.parametrize(
    "noise",
    [
        b"garbage\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 100_000,
        b"POST /search HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n",
        b"POST /search HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        b"POST /search HTTP/1.1\r\nhost: x\r\nbad header: y\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_as_a_problem(served: ServerProcess, noise: bytes) -> None:
    """Noise gets problem details and the end of its connection; the server goes on."""
    assert problem_in(spoken(served.port, noise), 400)["type"] == "urn:goldpan:problem:invalid-request"
    assert b"200 OK" in spoken(served.port, LAST)


def test_a_connection_is_kept_for_more_requests(served: ServerProcess) -> None:
    """Several requests go over one connection, one after the other or all at once, and are answered in order."""
    assert spoken(served.port, HEALTH, HEALTH, LAST, pause=0.2).count(b'{"status": "ok"}') == 3
    unknown = HEALTH.replace(b"/health", b"/unknown")
    heard = spoken(served.port, HEALTH + unknown + LAST)
    assert [part[:3] for part in heard.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


def test_noise_behind_a_request_harms_only_itself(served: ServerProcess) -> None:
    """The request before the noise is answered, then the noise is refused."""
    heard = spoken(served.port, HEALTH + b"garbage\r\n\r\n")
    assert heard.count(b'{"status": "ok"}') == 1
    problem_in(heard, 400)


def test_noise_in_a_body_harms_only_itself(served: ServerProcess) -> None:
    """A body that breaks the rules of chunks ends its connection: with a problem, or behind the answer it had."""
    chunked = POST.replace(b"connection: close", b"transfer-encoding: chunked") + b"\r\n"
    problem_in(spoken(served.port, chunked, b"zz\r\n", pause=0.2), 400)
    answered = spoken(served.port, chunked.replace(b"/search", b"/unknown"), b"zz\r\n", pause=0.2)
    problem_in(answered, 404)
    assert answered.count(b"HTTP/1.1 ") == 1
    assert "Traceback" not in served.logged()


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(served: ServerProcess) -> None:
    """Who asks first, with Expect, is refused at once and never told to go on."""
    head = POST + b"content-length: %d\r\nexpect: 100-continue\r\n\r\n" % LARGE
    heard = spoken(served.port, head)
    problem_in(heard, 413)
    assert b"100 Continue" not in heard


def test_a_body_that_is_too_large_is_refused_while_it_is_sent(served: ServerProcess) -> None:
    """A client that sends all before it listens hears the problem, whether it told the length or not."""

    def pieces() -> Iterator[bytes]:
        for _ in range(LARGE // 65536):
            yield b" " * 65536

    with served.client() as client:
        for content in (b" " * LARGE, pieces()):
            response = client.post("/search", content=content, headers={"content-type": "application/json"})
            assert response.status_code == 413
            as_written("Problem").validate(response.json())
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /search", 405),
        (b"PUT /search", 405),
        (b"TRACE /health", 405),
        (b"OPTIONS /search", 405),
        (b"FOO /health", 405),
        (b"OPTIONS *", 404),
        (b"CONNECT example.org:443", 404),
        (b"GET http://example.org/health", 404),
        (b"GET /%00%ff%2e%2e/", 404),
        (b"POST /search", 415),
    ],
)
def test_wrong_methods_and_targets_are_problems(served: ServerProcess, line: bytes, status: int) -> None:
    """Whatever is called that is not there is told so in the form of the contract."""
    problem_in(spoken(served.port, line + b" HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"), status)


def test_an_upgrade_is_not_taken(served: ServerProcess) -> None:
    """A WebSocket's greeting is answered as the request that it is."""
    greeting = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n"
    assert spoken(served.port, greeting).startswith(b"HTTP/1.1 200 OK")
