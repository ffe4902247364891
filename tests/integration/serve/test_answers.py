"""Searches over HTTP: many at once, a log without them, and a source that hangs."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.integration.conftest import QUESTION as SUBJECT
from tests.integration.serve.process import QUESTION, ServerProcess
from tests.support.local import timeless
from tests.support.loopback import Fault, LoopbackGitHub

pytestmark = pytest.mark.enable_socket
QUESTIONS = ("Rust web framework", "React animation library", "Go microservices", "Open source CRM")


def test_concurrent_searches_do_not_mix(served: ServerProcess) -> None:
    """Of forty searches, sixteen at once over kept connections, each gets the answer to its own question."""
    with served.client() as client, ThreadPoolExecutor(16) as pool:
        bodies = [{**QUESTION, "query": QUESTIONS[place % len(QUESTIONS)]} for place in range(40)]
        answers = [response.json() for response in pool.map(lambda body: client.post("/search", json=body), bodies)]
    by_question = {answer["query"]: timeless(answer) for answer in answers}
    assert [answer["query"] for answer in answers] == [body["query"] for body in bodies]
    assert all(timeless(answer) == by_question[answer["query"]] for answer in answers)


def test_nothing_of_a_search_is_logged(github: LoopbackGitHub) -> None:
    """The log has neither the question, nor a key, nor a result."""
    settings = {"GITHUB_API_URL": github.url, "GITHUB_TOKEN": "good-token", "GOLDPAN_API_KEYS": "first-key,second-key"}
    with ServerProcess(**settings) as process, process.client() as client:
        assert client.post("/search", json={"query": SUBJECT}).status_code == 403
        response = client.post("/search", json={"query": SUBJECT}, headers={"x-api-key": "second-key"})
        assert response.json()["sources"][0]["source"] == "github"
        first = response.json()["repositories"]["results"][0]["repo"]
        assert process.stop() == 0
    assert "API key required" in process.lines[0]
    assert [json.loads(line)["status"] for line in process.lines[1:]] == [403, 200]
    private = (*SUBJECT.split(), "first-key", "second-key", "good-token", first)
    assert not [word for word in private if word in process.logged()]


def test_searches_that_wait_for_a_hung_source_end_in_their_time(github: LoopbackGitHub) -> None:
    """Other requests are answered in between; the fallback answers the searches."""
    github.inject(Fault.hang(times=None))
    body = {"query": SUBJECT, "max_seconds": 5}
    with ServerProcess(GITHUB_API_URL=github.url) as process, process.client() as client, ThreadPoolExecutor(4) as pool:
        searches = [pool.submit(client.post, "/search", json=body) for _ in range(4)]
        assert client.get("/health").status_code == 200
        for search in searches:
            response = search.result(60)
            assert response.status_code == 200
            assert {row["source"] for row in response.json()["sources"] if row["status"] == "ok"} == {"catalogue"}
