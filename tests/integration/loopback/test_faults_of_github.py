"""The faults of the loopback GitHub: each comes when and as often as it was injected."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import httpx2
import pytest

from tests.integration.loopback.asking import IMPATIENT, PATIENT, data, graphql, rest
from tests.integration.loopback.conftest import NOW
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_queue(github: LoopbackGitHub) -> None:
    """Each request uses the first fault that is aimed at it."""
    github.inject(Fault.status(500, contains="vue"), Fault.status(502, where="rest", times=2))
    assert data(github, "{rateLimit{cost}}")
    codes = [rest(github, query).status_code for query in ("rust", "vue", "rust", "rust")]
    assert codes == [502, 500, 502, 200]
    github.inject(Fault.status(503, times=None))
    assert [rest(github, "rust").status_code for _ in range(3)] == [503] * 3
    github.clear_faults()
    assert rest(github, "rust").status_code == 200


def test_secondary_limits(github: LoopbackGitHub) -> None:
    """A secondary limit says when to come back, or when the window ends, or nothing."""
    github.inject(
        Fault.secondary_limit(retry_after=7),
        Fault.secondary_limit(retry_after=None, reset_in=30),
        Fault.too_many_requests(retry_after=3),
        Fault.too_many_requests(),
    )
    first, second, third, fourth = (rest(github, "rust") for _ in range(4))
    assert (first.status_code, first.headers["retry-after"]) == (403, "7")
    assert first.headers["x-ratelimit-remaining"] != "0"
    assert "retry-after" not in second.headers
    assert 29 <= int(second.headers["x-ratelimit-reset"]) - NOW.timestamp() <= 32
    assert (third.status_code, third.headers["retry-after"]) == (429, "3")
    assert (fourth.status_code, "retry-after" in fourth.headers) == (429, False)


def test_graphql_faults(github: LoopbackGitHub) -> None:
    """GraphQL has faults that REST requests do not use up."""
    github.inject(Fault.rate_limited_200(), Fault.graphql_timeout_502(), Fault.partial_data("b"))
    assert rest(github, "rust").status_code == 200
    query = '{a: rateLimit {cost} b: search(query: "vue", type: REPOSITORY) {repositoryCount}}'
    limited, late, partial = (graphql(github, query) for _ in range(3))
    assert limited.json()["errors"][0]["type"] == "RATE_LIMITED"
    assert limited.headers["x-ratelimit-remaining"] == "0"
    assert late.status_code == 502
    assert "timeout" in late.json()["errors"][0]["message"]
    assert partial.json()["data"] == {"a": {"cost": 1}, "b": None}
    assert partial.json()["errors"][0]["path"] == ["b"]


def test_incomplete_results(github: LoopbackGitHub) -> None:
    """A search can say that it is not complete."""
    github.inject(Fault.incomplete_results())
    assert [rest(github, "rust").json()["incomplete_results"] for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.hang(), httpx2.ReadTimeout),
        (Fault.reset(), httpx2.ReadError),
        (Fault.truncated(), httpx2.RemoteProtocolError),
    ],
)
def test_broken_connections(github: LoopbackGitHub, fault: Fault, error: type[Exception]) -> None:
    """A connection that breaks is a transport error, and the next one is sound."""
    github.inject(fault)
    with pytest.raises(error):
        rest(github, "rust", timeout=IMPATIENT)
    assert github.requests[-1].status == (200 if fault.name == "truncated" else None)
    assert rest(github, "rust").status_code == 200


def test_drip(github: LoopbackGitHub) -> None:
    """A dripping answer keeps each read short of its timeout, and takes for ever."""
    github.inject(Fault.drip(every=0.05))
    url, began = f"{github.url}/search/repositories?q=rust", time.monotonic()
    with httpx2.stream("GET", url, timeout=PATIENT) as answer:
        got = b"".join(islice(answer.iter_raw(), 4))
    assert time.monotonic() - began > 0.19
    assert b'{"to'.startswith(got[:4])
    assert int(answer.headers["content-length"]) > 1000


def test_wrong_content(github: LoopbackGitHub) -> None:
    """An answer can be a page for people, or JSON that breaks off."""
    github.inject(Fault.wrong_content_type(), Fault.not_json())
    page, broken = rest(github, "rust"), rest(github, "rust")
    assert page.headers["content-type"].startswith("text/html")
    assert broken.headers["content-type"].startswith("application/json")
    with pytest.raises(json.JSONDecodeError):
        broken.json()


def test_stop_ends_hanging_handlers() -> None:
    """The server stops at once although somebody still waits."""
    with httpx2.Client(timeout=10) as client, ThreadPoolExecutor(1) as pool:
        with LoopbackGitHub() as github:
            github.inject(Fault.hang())
            waiting = pool.submit(client.get, f"{github.url}/rate_limit")
            while not github.requests:
                time.sleep(0.01)
            began = time.monotonic()
        assert time.monotonic() - began < 5  # its handler would wait for the client, which waits ten
        assert isinstance(waiting.exception(), httpx2.TransportError)


def test_crash_reaches_the_test() -> None:
    """A defect of the fake itself is raised at the end of the block."""
    with pytest.raises(ZeroDivisionError), LoopbackGitHub(latency=lambda: 1 / 0) as github:
        assert rest(github, "rust").status_code == 500
