"""The loopback language model refuses what the chat completions API refuses, and counts simultaneous requests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Barrier, Event
from typing import Any

import pytest

from tests.integration.loopback.calls import chat
from tests.support.loopback import LoopbackLLM

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"key": "bad-key"}, 401),
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, 400),
        ({"response_format": {"type": "json_object"}, "text": "Reply."}, 400),
        ({"stream": True}, 400),
        ({"messages": []}, 400),
        ({"model": None}, 400),
    ],
)
def test_refused_requests(llm: LoopbackLLM, more: dict[str, Any], status: int) -> None:
    """A wrong key and a request that the API does not accept get an error object."""
    response = chat(llm, **more)
    assert (response.status_code, set(response.json()["error"])) == (status, {"message", "type", "param", "code"})


def test_the_peak() -> None:
    """The peak is the number of requests that were answered at the same time."""
    all_four = Barrier(4, timeout=30)
    with LoopbackLLM(latency=lambda: all_four.wait() * 0.0) as llm, ThreadPoolExecutor(4) as pool:
        assert {response.status_code for response in pool.map(lambda _: chat(llm), range(4))} == {200}
    assert llm.in_flight_peak == 4


def test_the_limit_of_simultaneous_requests() -> None:
    """A request over the limit gets a 429."""
    release = Event()
    with LoopbackLLM(latency=lambda: release.wait(30) * 0.0, limit=1) as llm, ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(chat, llm) for _ in range(2)]
        refused = next(as_completed(calls)).result()
        release.set()
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert sorted(call.result().status_code for call in calls) == [200, 429]
