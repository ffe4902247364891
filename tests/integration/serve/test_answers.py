"""Searches over HTTP: many at once, and a log without them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.integration.serve.process import QUESTION, ServerProcess
from tests.support.local import timeless

pytestmark = pytest.mark.enable_socket
QUESTIONS = ("Rust web framework", "React animation library", "Go microservices", "Open source CRM")


def test_concurrent_searches_do_not_mix() -> None:
    """Of forty searches, sixteen at once, each gets the answer to its own question; none is in the log."""
    bodies = [{**QUESTION, "query": QUESTIONS[place % len(QUESTIONS)]} for place in range(40)]
    headers = {"x-api-key": "second-key"}
    with ServerProcess(GOLDPAN_API_KEYS="first-key,second-key") as process:
        with process.client(headers=headers) as client, ThreadPoolExecutor(16) as pool:
            answers = [response.json() for response in pool.map(lambda body: client.post("/search", json=body), bodies)]
        assert process.stop() == 0
    by_question = {answer["query"]: timeless(answer) for answer in answers}
    assert [answer["query"] for answer in answers] == [body["query"] for body in bodies]
    assert all(timeless(answer) == by_question[answer["query"]] for answer in answers)
    assert "API key required" in process.lines[0]
    assert [json.loads(line)["status"] for line in process.lines[1:]] == [200] * 40
    first = answers[0]["repositories"]["results"][0]["repo"]
    assert not [text for text in (*QUESTIONS, "first-key", "second-key", first) if text in process.logged()]
