"""Searches over HTTP: many at once, and a log without them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.integration.serve.process import QUESTION, ServerProcess
from tests.support.local import timeless

pytestmark = pytest.mark.enable_socket
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
    for answer, expected in zip(together, alone * 3, strict=True):
        ended = [row for row in answer["sources"] if row["status"] != "timeout"]
        assert [row for row in expected["sources"] if row in ended] == ended
        if ended == answer["sources"]:
            assert timeless(answer) == timeless(expected)
        assert (answer["query"], answer["interpretation"]) == (expected["query"], expected["interpretation"])
    assert "API key required" in process.lines[0]
    assert [json.loads(line)["status"] for line in process.lines[1:]] == [200] * 16
    first = alone[0]["repositories"]["results"][0]["repo"]
    assert not [text for text in (*QUESTIONS, "first-key", "second-key", first) if text in process.logged()]
