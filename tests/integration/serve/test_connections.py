"""What a connection may send: HTTP is answered, searches at once too, and no connection stays open for nothing."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from goldpan_local.server import http_server, requests
from pytest_socket import enable_socket

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import QUESTION, ServerProcess, serving_thread, talk
from tests.support.local import github_runtime, timeless

HEALTH = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
LAST = b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
POST = b"POST /search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
LARGE = 3 * 1024 * 1024


def problem_in(received: bytes, status: int) -> dict[str, object]:
    """Read the last of the responses: problem details with a status."""
    head, _, body = received[received.rindex(b"HTTP/1.1 ") :].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    assert b"content-type: application/problem+json" in head.lower()
    details: dict[str, object] = json.loads(body)
    as_written("Problem").validate(details)
    assert details["status"] == status
    return details


@pytest.fixture(scope="module")
def served() -> Iterator[ServerProcess]:
    """Serve the sample; the address of GitHub is a port on which no server listens."""
    enable_socket()
    with ServerProcess(GITHUB_API_URL="http://127.0.0.1:9") as process:
        yield process


def test_malformed_http_after_a_request_affects_only_itself(served: ServerProcess) -> None:
    """The request before it is answered, also if its body is malformed and not read."""
    received = talk(served.port, HEALTH + b"garbage\r\n\r\n")
    assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400"]
    chunked = POST.replace(b"connection: close", b"transfer-encoding: chunked").replace(b"/search", b"/unknown")
    problem_in(talk(served.port, chunked + b"\r\n", b"zz\r\n"), 404)
    assert "Traceback" not in served.logged()


def test_a_body_that_is_too_large_is_refused(served: ServerProcess) -> None:
    """A client that asks first gets the problem instead of 100, one that sends all of it at once gets it as well."""
    received = talk(served.port, POST + b"content-length: %d\r\nexpect: 100-continue\r\n\r\n" % LARGE)
    problem_in(received, 413)
    assert b"100 Continue" not in received
    with served.client() as client:
        for content in (b" " * LARGE, iter([b" " * 65536] * (LARGE // 65536))):  # an iterator has no declared length
            response = client.post("/search", content=content, headers={"content-type": "application/json"})
            assert response.status_code == 413
            as_written("Problem").validate(response.json())
        assert client.get("/health").status_code == 200


@pytest.fixture(scope="module")
def impatient() -> Iterator[int]:
    """Serve with time limits of 0.3 s instead of 10 s; gives the port."""
    assert (http_server.REQUEST_SECONDS, requests.BODY_SECONDS) == (10, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_server, "REQUEST_SECONDS", 0.3)
        patch.setattr(requests, "BODY_SECONDS", 0.3)
        with serving_thread(github_runtime()) as (_, port):
            yield port


@pytest.mark.parametrize(
    ("pieces", "drip", "response"),
    [
        ([b""], b"", b""),
        ([b"GET /health HTTP/1.1\r\nx: "], b"y", b""),
        ([HEALTH, b"GET /hea"], b"", b"HTTP/1.1 200 "),
        ([POST + b"content-length: 100\r\n\r\n"], b" ", b"HTTP/1.1 408 "),
        ([HEALTH[:-2] + b"content-length: 9999\r\n\r\n"], b" ", b"HTTP/1.1 200 "),
    ],
)
def test_a_request_that_never_ends_is_cut(impatient: int, pieces: list[bytes], drip: bytes, response: bytes) -> None:
    """The connection is closed, whether the client sends nothing, half a head, or a head or a body byte by byte."""
    slow = [socket.create_connection(("127.0.0.1", impatient)) for _ in range(20)]
    for connection in slow:
        connection.sendall(b"GET /health HTTP/1.1\r\nx")  # these do not delay the others
    received = talk(impatient, *pieces, drip=drip)
    for connection in slow:
        connection.close()
    assert received.startswith(response)
    assert bool(received) == bool(response)


QUESTIONS = ("Rust web framework", "React animation library", "Go microservices", "Open source CRM")


def test_concurrent_searches_do_not_mix() -> None:
    """Of 12 searches, eight at once, each gets the answer that its question gets alone; none is in the log.

    On a busy machine a strategy may run out of time; the others must still find what they find alone.
    """
    bodies = [{**QUESTION, "query": query, "max_seconds": 27} for query in QUESTIONS]
    with ServerProcess(GOLDPAN_API_KEYS="first-key,second-key") as process:
        with process.client(headers={"x-api-key": "second-key"}) as client, ThreadPoolExecutor(8) as pool:

            def search(body: dict[str, Any]) -> dict[str, Any]:
                return dict(client.post("/search", json=body).json())

            alone, together = [search(body) for body in bodies], list(pool.map(search, bodies * 3))
        assert process.stop() == 0
    for answer, expected in zip(map(timeless, together), map(timeless, alone * 3), strict=True):
        ended = [row for row in answer["sources"] if row["status"] != "timeout"]
        assert [row for row in expected["sources"] if row in ended] == ended
        if ended == answer["sources"]:
            assert answer == expected
        assert (answer["query"], answer["interpretation"]) == (expected["query"], expected["interpretation"])
    assert "API key required" in process.lines[0]
    logged = map(json.loads, process.lines[1:])
    assert [line["status"] for line in logged if "status" in line] == [200] * 16
    first = alone[0]["repositories"]["results"][0]["repo"]
    assert not [text for text in (*QUESTIONS, "first-key", "second-key", first) if text in process.logged()]
