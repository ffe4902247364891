"""What a connection may send, how long it stays open, and how the server starts and stops."""

import json
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from goldpan_local.server import http_server, requests
from pytest_socket import enable_socket

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import (
    PATIENCE,
    QUESTION,
    ServerProcess,
    plain_environment,
    serve_command,
    serving_thread,
    talk,
)
from tests.support.local import BlockingSource, github_runtime, timeless
from tests.support.loopback import Fault, LoopbackGitHub

HEALTH = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
POST = b"POST /search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
LARGE = 3 * 1024 * 1024
QUESTIONS = ("Rust web framework", "React animation library", "Go microservices", "Open source CRM")


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


def test_concurrent_searches_do_not_mix() -> None:
    """Of 12 searches, eight at once, each gets the answer that its question gets alone; none is in the log."""
    bodies = [{**QUESTION, "query": query, "max_seconds": 27} for query in QUESTIONS]
    with ServerProcess(GOLDPAN_API_KEYS="first-key,second-key") as process:
        with process.client(headers={"x-api-key": "second-key"}) as client, ThreadPoolExecutor(8) as pool:

            def search(body: dict[str, Any]) -> dict[str, Any]:
                return dict(client.post("/search", json=body).json())

            alone, together = [search(body) for body in bodies], list(pool.map(search, bodies * 3))
        assert process.stop() == 0
    for answer, expected in zip(map(timeless, together), map(timeless, alone * 3), strict=True):
        ended = [row for row in answer["sources"] if row["status"] != "timeout"]  # of a busy machine
        assert [row for row in expected["sources"] if row in ended] == ended
        if ended == answer["sources"]:
            assert answer == expected
        assert (answer["query"], answer["interpretation"]) == (expected["query"], expected["interpretation"])
    first = alone[0]["repositories"]["results"][0]["repo"]
    assert not [text for text in (*QUESTIONS, "first-key", "second-key", first) if text in process.logged()]


def test_a_hanging_search_is_cancelled_when_the_server_stops(github: LoopbackGitHub) -> None:
    """After SIGTERM its caller gets 503, and the exit code is 0."""
    github.inject(Fault.hang(times=None))
    responses = list[httpx2.Response]()
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client:
        post = threading.Thread(target=lambda: responses.append(client.post("/search", json={"query": QUESTIONS[1]})))
        post.start()
        while not github.requests:
            time.sleep(0.02)
        code = process.stop()
        post.join(PATIENCE)
    assert (code, responses[0].status_code) == (0, 503)
    as_written("Problem").validate(responses[0].json())
    assert responses[0].json()["type"] == "urn:goldpan:problem:stopping"
    assert "Traceback" not in process.logged()


def test_a_running_search_may_still_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopping server accepts no connection, and answers a search that ends within the time for it."""
    monkeypatch.setattr(http_server, "GRACE_SECONDS", PATIENCE)
    monkeypatch.setattr(http_server, "SHUTDOWN_SECONDS", PATIENCE)
    source, statuses = BlockingSource(), list[int]()
    with serving_thread(github_runtime(source)) as (server, port):
        options: dict[str, Any] = {"json": {"query": QUESTIONS[1]}, "timeout": PATIENCE}
        url = f"http://127.0.0.1:{port}/search"
        post = threading.Thread(target=lambda: statuses.append(httpx2.post(url, **options).status_code))
        post.start()
        assert source.started.acquire(timeout=PATIENCE)
        server.should_exit = True
        with suppress(ConnectionRefusedError, ConnectionResetError):  # reset: queued at the very end
            while True:
                socket.create_connection(("127.0.0.1", port)).close()
        source.release.set()
        post.join(PATIENCE)
    assert statuses == [200]


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_an_idle_server_stops(how: signal.Signals, code: int) -> None:
    """Idle connections do not delay it, and the exit code is what scripts expect."""
    with ServerProcess() as process, process.client() as client:
        assert client.get("/health").status_code == 200
        assert process.stop(how) == code
    assert "Traceback" not in process.logged()


def test_a_public_address_without_keys_and_a_port_in_use_are_named() -> None:
    """The warning precedes the first request; a second server on the same port does not start."""
    with ServerProcess("--host", "0.0.0.0") as process:
        command, env = serve_command("--port", str(process.port)), plain_environment()
        second = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr == f"goldpan: cannot listen on 127.0.0.1 port {process.port}: Address already in use\n"
    assert process.lines[1] == "goldpan: GOLDPAN_API_KEYS is not set: every host that reaches this address can search\n"
