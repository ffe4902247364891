"""A search that no client waits for: it outlives its connection, and its answer is read by its id."""

import time
from typing import Any

import httpx2
from goldpan.errors import Unavailable

from tests.contract.openapi.contract import as_written
from tests.integration.serve.process import PATIENCE, ServerProcess, serving_thread
from tests.support.factories import ListedSource, repository
from tests.support.local import QUESTION, BlockingSource, github_runtime, timeless
from tests.support.loopback import Fault, LoopbackGitHub

PREFER = {"prefer": "wait=5, Respond-Async; x=1"}


def request(port: int, method: str, path: str, **options: Any) -> httpx2.Response:
    """Send one request over a connection of its own, which is closed at the end."""
    url = f"http://127.0.0.1:{port}{path}"
    return httpx2.request(method, url, timeout=PATIENCE, trust_env=False, **options)


def start(port: int, body: dict[str, Any] = QUESTION) -> str:
    """Start a search, close the connection, and return the location of its answer."""
    response = request(port, "POST", "/search", headers=PREFER, json=body)
    assert (response.status_code, response.headers["preference-applied"]) == (202, "respond-async")
    as_written("Accepted").validate(response.json())
    assert response.headers["location"] == response.json()["location"] == f"/search/{response.json()['id']}"
    return response.headers["location"]


def finished(port: int, location: str) -> httpx2.Response:
    """Ask for the answer until it is there, each time over a new connection."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        response = request(port, "GET", location)
        if response.status_code != 202:
            return response
        time.sleep(0.05)
    raise TimeoutError(location)


def test_a_search_outlives_the_connection_that_started_it() -> None:
    """While it runs the finished stages are shown; then the answer is what a client that waits gets."""
    source = BlockingSource()
    with serving_thread(github_runtime(source)) as (_, port):
        location = start(port)
        assert source.started.acquire(timeout=PATIENCE)
        response = request(port, "GET", location)
        assert (response.status_code, response.headers["retry-after"]) == (202, "1")
        assert response.headers["cache-control"] == "no-store"
        as_written("Progress").validate(response.json())
        [stage] = response.json()["stages"]
        assert (stage["stage"], stage["kind"], stage["message"]) == ("translate", "repositories", "Query translated")
        source.release.set()
        response = finished(port, location)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
        waited = request(port, "POST", "/search", json=QUESTION)
        assert timeless(response.json()) == timeless(waited.json())


def test_a_search_of_several_rounds_is_for_no_client_that_waits() -> None:
    """More than 27 seconds are refused with what allows them; without a client they are several rounds."""
    long, source = QUESTION | {"max_seconds": 90}, ListedSource([repository()])
    with serving_thread(github_runtime(source)) as (_, port):
        for headers in ({}, PREFER | {"accept": "text/event-stream"}):
            refused = request(port, "POST", "/search", json=long, headers=headers)
            assert refused.status_code == 400
            assert "at most 27, or 280 with the header Prefer: respond-async (given 90)" in refused.json()["detail"]
        answer = finished(port, start(port, long))
        assert [each["repo"] for each in answer.json()["repositories"]["results"]] == ["example-org/motion"]
        one_round = request(port, "POST", "/search", json=QUESTION).json()
        assert len(answer.json()["sources"]) == 2 * len(one_round["sources"])


def test_a_failure_is_read_as_a_client_that_waits_gets_it() -> None:
    """With its status, its type and its Retry-After; what is invalid is refused at once."""
    with serving_thread(github_runtime(ListedSource(failure=Unavailable("down")))) as (_, port):
        waited, read = request(port, "POST", "/search", json=QUESTION), finished(port, start(port))
        for response in (waited, read):
            assert (response.status_code, response.json()["type"]) == (503, "urn:goldpan:problem:sources-failed")
        for name in ("content-type", "retry-after"):
            assert read.headers[name] == waited.headers[name]
        assert request(port, "POST", "/search", headers=PREFER, json={"query": ""}).status_code == 400
        unknown = request(port, "GET", "/search/6f1c6f0e-9a53-4a0b-8a5e-3d4c1f6b7a21")
        assert (unknown.status_code, unknown.json()["type"]) == (404, "urn:goldpan:problem:not-found")


def test_it_needs_a_key_and_never_holds_a_stopping_server(github: LoopbackGitHub) -> None:
    """The key of any search; a server that stops waits for no search that no client waits for, and logs no id."""
    github.inject(Fault.hang(times=None))
    with ServerProcess(GITHUB_API_URL=github.url, GOLDPAN_API_KEYS="k") as process:
        key, port = {"x-api-key": "k"}, process.port
        location = request(port, "POST", "/search", headers=PREFER | key, json=QUESTION).headers["location"]
        statuses = [request(port, "GET", location, headers=headers).status_code for headers in ({}, key)]
        assert statuses == [403, 202]
        assert process.stop() == 0
    assert '"path": "/search/{id}"' in process.logged()
    assert location not in process.logged()
    assert "Traceback" not in process.logged()
