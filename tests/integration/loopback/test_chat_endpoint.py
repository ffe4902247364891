"""The loopback language model: its answers, its bill, its refusals, and how many it serves at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest

from tests.integration.loopback.asking import at_once, chat, said
from tests.integration.loopback.conftest import SCORES
from tests.support.loopback import LoopbackLLM, Reply

pytestmark = pytest.mark.enable_socket


def test_completion(llm: LoopbackLLM) -> None:
    """An answer is a chat completion with its bill."""
    body = chat(llm, response_format={"type": "json_object"}).json()
    assert (body["object"], body["model"]) == ("chat.completion", "loopback-1")
    assert body["choices"][0]["message"] == {"role": "assistant", "content": SCORES}
    assert body["choices"][0]["finish_reason"] == "stop"
    usage = body["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 2
    assert llm.requests[-1].body["messages"][0]["content"] == "Reply in json."


def test_replies() -> None:
    """The answer may depend on the request, and say its own bill."""
    with LoopbackLLM(lambda body: Reply(body["model"], "length", 11, 22)) as llm:
        body = chat(llm).json()
    assert body["choices"][0]["message"]["content"] == "loopback-1"
    assert body["choices"][0]["finish_reason"] == "length"
    assert body["usage"] == {"prompt_tokens": 11, "completion_tokens": 22, "total_tokens": 33}


def test_default_answer() -> None:
    """Without a function the model answers an empty object."""
    with LoopbackLLM() as llm:
        assert said(llm)["message"]["content"] == "{}"


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
def test_refusals(llm: LoopbackLLM, more: dict[str, Any], status: int) -> None:
    """A wrong key and requests that the API does not accept get OpenAI's error object."""
    answer = chat(llm, **more)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"}


def test_limit_and_peak() -> None:
    """Requests over the limit of simultaneous ones get 429 with Retry-After."""
    release = Event()
    with LoopbackLLM(latency=lambda: release.wait(5) * 0.0, limit=2) as llm:
        answers = at_once(5, lambda: chat(llm), release, refused=3)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429, 429]
    assert {a.headers.get("retry-after") for a in answers if a.status_code == 429} == {"1"}
    assert llm.in_flight_peak >= 3


def test_peak() -> None:
    """The peak is the number of requests that waited for their answers together."""
    everybody = Barrier(4)
    with LoopbackLLM(latency=lambda: everybody.wait(5) * 0.0) as llm, ThreadPoolExecutor(4) as pool:
        assert {answer.status_code for answer in pool.map(lambda _: chat(llm), range(4))} == {200}
    assert llm.in_flight_peak == 4


def test_polite_client_stays_under_the_limit() -> None:
    """Requests one after the other never count as simultaneous."""
    with LoopbackLLM(limit=1) as llm:
        assert {chat(llm).status_code for _ in range(20)} == {200}
        assert llm.in_flight_peak == 1
