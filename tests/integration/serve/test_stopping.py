"""How the server starts and stops."""

import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from goldpan_local.server import http_server

from tests.contract.openapi.contract import as_written
from tests.integration.conftest import QUESTION
from tests.integration.serve.process import PATIENCE, ServerProcess, plain_environment, serve_command, serving_thread
from tests.support.local import BlockingSource, github_runtime
from tests.support.loopback import Fault, LoopbackGitHub


def test_a_hanging_search_is_cancelled_when_the_server_stops(github: LoopbackGitHub) -> None:
    """After SIGTERM its caller gets 503, and the exit code is 0."""
    github.inject(Fault.hang(times=None))
    responses = list[httpx2.Response]()
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client:
        post = threading.Thread(target=lambda: responses.append(client.post("/search", json={"query": QUESTION})))
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
        options: dict[str, Any] = {"json": {"query": QUESTION}, "timeout": PATIENCE}
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
