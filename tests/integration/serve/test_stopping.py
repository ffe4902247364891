"""How the process begins and ends."""

from __future__ import annotations

import signal
import subprocess
import threading
import time

import httpx2
import pytest
from goldpan_local.serve.listening import CUT_SECONDS

from tests.contract.openapi.contract import as_written
from tests.integration.conftest import QUESTION
from tests.integration.serve.process import PATIENCE, ServerProcess, plain_environment, serve_command
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_a_search_that_runs_is_told_when_the_server_stops(github: LoopbackGitHub) -> None:
    """At SIGTERM a search that hangs is given up: its asker is told, and the process ends promptly and well."""
    github.inject(Fault.hang(times=None))
    heard = list[httpx2.Response]()
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client:
        asking = threading.Thread(target=lambda: heard.append(client.post("/search", json={"query": QUESTION})))
        asking.start()
        while not github.requests:
            time.sleep(0.02)
        code, seconds = process.stop()
        asking.join(PATIENCE)
    assert (code, heard[0].status_code) == (0, 503)
    as_written("Problem").validate(heard[0].json())
    assert heard[0].json()["type"] == "urn:goldpan:problem:stopping"
    assert seconds < CUT_SECONDS
    assert "Traceback" not in process.logged()


def test_a_search_that_ends_in_time_is_answered(github: LoopbackGitHub) -> None:
    """A search that needs a moment more than the signal gives its answer."""
    github.inject(Fault.hang(times=None))
    heard = list[httpx2.Response]()
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client:
        asked = {"query": QUESTION, "sources": ["catalogue"]}
        asking = [threading.Thread(target=lambda: heard.append(client.post("/search", json=asked))) for _ in range(8)]
        for thread in asking:
            thread.start()
        time.sleep(0.2)
        code, seconds = process.stop()
        for thread in asking:
            thread.join(PATIENCE)
    assert code == 0
    assert {response.status_code for response in heard} == {200}
    assert seconds < CUT_SECONDS


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_an_idle_server_stops_at_once(how: signal.Signals, code: int) -> None:
    """With connections that are open and idle, or in half a head, it ends at once, and as scripts expect."""
    with ServerProcess() as process, process.client() as client:
        assert client.get("/health").status_code == 200
        ended, seconds = process.stop(how)
    assert ended == code
    assert seconds < 3
    assert "Traceback" not in process.logged()


def test_a_port_that_is_taken_is_named() -> None:
    """A second server on the same port says what is wrong and does not start."""
    with ServerProcess() as process:
        command, env = serve_command("--port", str(process.port)), plain_environment()
        ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 2
    assert ended.stderr == f"goldpan: cannot listen on 127.0.0.1 port {process.port}: Address already in use\n"
    assert ended.stdout == ""


def test_another_address_without_keys_is_warned_of() -> None:
    """To listen beyond the loopback with no keys set is told before the first request."""
    with ServerProcess("--host", "0.0.0.0") as process:
        while len(process.lines) < 2:
            time.sleep(0.02)
    assert process.lines[1] == "goldpan: GOLDPAN_API_KEYS is not set: whoever reaches this address can search\n"
