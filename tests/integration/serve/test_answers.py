"""Searches over HTTP: the same answers as the library gives, many at once, and a log without them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from goldpan.contracts import parse_request
from goldpan.engine import library
from goldpan_local.runtime import open_runtime

from tests.contract.openapi.contract import as_written
from tests.integration.conftest import QUESTION as SUBJECT
from tests.integration.serve.process import QUESTION, ServerProcess
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket
QUESTIONS = ("Rust web framework", "React animation library", "Go microservices", "Open source CRM")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs between two runs."""
    return {name: part for name, part in answer.items() if name not in {"answered_at", "execution_time_ms"}}


def test_the_answer_is_that_of_the_library(served: ServerProcess) -> None:
    """The sample gives the same answer over HTTP and in this process, but for the times."""
    with served.client() as client:
        response = client.post("/search", json=QUESTION)
    assert response.status_code == 200
    as_written("Answer").validate(response.json())
    request = parse_request(QUESTION)
    there = json.loads(library.search(request, runtime=open_runtime(request.sources, None)).to_json())
    assert timeless(response.json()) == timeless(there)


def test_many_askers_get_each_their_own_answer(served: ServerProcess) -> None:
    """Forty searches, sixteen at once, over connections that are kept: each gets the answer to its question."""
    with served.client() as client, ThreadPoolExecutor(16) as pool:
        asked = [{**QUESTION, "query": QUESTIONS[place % len(QUESTIONS)]} for place in range(40)]
        answers = [response.json() for response in pool.map(lambda body: client.post("/search", json=body), asked)]
    alone = {answer["query"]: timeless(answer) for answer in answers}
    assert [answer["query"] for answer in answers] == [body["query"] for body in asked]
    assert all(timeless(answer) == alone[answer["query"]] for answer in answers)
    assert set(alone) == set(QUESTIONS)


def test_a_key_opens_and_nothing_of_a_search_is_logged(github: LoopbackGitHub) -> None:
    """GitHub is asked with its token; the log holds neither question, nor keys, nor what was found."""
    settings = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "GOLDPAN_API_KEYS": "first-key,second-key"}
    with ServerProcess(**settings) as process, process.client() as client:
        assert client.post("/search", json={"query": SUBJECT}).status_code == 403
        response = client.post("/search", json={"query": SUBJECT}, headers={"x-api-key": "second-key"})
        assert response.json()["sources"][0]["source"] == "github"
        first = response.json()["repositories"]["results"][0]["repo"]
        code, _ = process.stop()
    assert code == 0
    log = process.logged()
    assert [json.loads(line)["status"] for line in process.lines[1:]] == [403, 200]
    assert not [word for word in (*SUBJECT.split(), "first-key", "second-key", "good-token", first) if word in log]
    assert "asks for a key" in process.lines[0]


def test_health_answers_while_searches_hang(github: LoopbackGitHub) -> None:
    """Searches that wait for a hung GitHub hold nobody else, and end with the sample's answer in their time."""
    github.inject(Fault.hang(times=None))
    asked = {"query": SUBJECT, "max_seconds": 5}
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client, ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(client.post, "/search", json=asked) for _ in range(4)]
        assert client.get("/health").elapsed.total_seconds() < 2
        assert not any(asking.done() for asking in waiting)
        for asking in waiting:
            response = asking.result(30)
            assert response.status_code == 200
            assert "asked the catalogue instead" in " ".join(response.json()["warnings"])
            assert response.elapsed.total_seconds() < 8
