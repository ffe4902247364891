"""The faults of the loopback language model: each is one that models and their hosts have."""

from __future__ import annotations

import json
import time

import httpx2
import pytest

from tests.integration.loopback.asking import IMPATIENT, chat, said
from tests.integration.loopback.conftest import SCORES
from tests.support.loopback import LLMFault, LoopbackLLM

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize("code", [401, 402, 429, 500, 503])
def test_statuses(llm: LoopbackLLM, code: int) -> None:
    """A status comes with OpenAI's error object."""
    llm.inject(LLMFault.status(code, {"Retry-After": "2"}))
    answer = chat(llm)
    assert (answer.status_code, answer.headers["retry-after"]) == (code, "2")
    assert answer.json()["error"]["message"]
    assert chat(llm).status_code == 200


@pytest.mark.parametrize(
    ("fault", "content", "finish_reason"),
    [
        (LLMFault.blank(), "", "stop"),
        (LLMFault.null_content(), None, "stop"),
        (LLMFault.fenced(), f"```json\n{SCORES}\n```", "stop"),
        (LLMFault.array(), f"[{SCORES}]", "stop"),
        (LLMFault.truncated(), SCORES[: len(SCORES) // 2], "length"),
    ],
)
def test_contents(llm: LoopbackLLM, fault: LLMFault, content: str, finish_reason: str) -> None:
    """The model's text can be spoilt in the ways that models have."""
    llm.inject(fault)
    choice = said(llm)
    assert (choice["message"]["content"], choice["finish_reason"]) == (content, finish_reason)


def test_prose(llm: LoopbackLLM) -> None:
    """The model can chat instead of answering in JSON."""
    llm.inject(LLMFault.not_json(contains="json"))
    with pytest.raises(json.JSONDecodeError):
        json.loads(said(llm)["message"]["content"])


def test_wrong_content_type(llm: LoopbackLLM) -> None:
    """A proxy can answer with a page."""
    llm.inject(LLMFault.wrong_content_type())
    assert chat(llm).headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("fault", "error"), [(LLMFault.hang(), httpx2.ReadTimeout), (LLMFault.reset(), httpx2.ReadError)]
)
def test_broken_connections(llm: LoopbackLLM, fault: LLMFault, error: type[Exception]) -> None:
    """A model can hang, or hang up."""
    llm.inject(fault)
    with pytest.raises(error):
        chat(llm, timeout=IMPATIENT)


def test_keep_alive_for_ever(llm: LoopbackLLM) -> None:
    """Blank lines defeat a read timeout, so that only a deadline of the whole helps."""
    llm.inject(LLMFault.keep_alive(every=0.05))
    body = {"model": "loopback-1", "messages": [{"role": "user", "content": "json"}]}
    headers, url = {"authorization": "Bearer good-key"}, f"{llm.base_url}/chat/completions"
    began, got = time.monotonic(), b""
    with httpx2.stream("POST", url, json=body, headers=headers, timeout=IMPATIENT) as answer:
        for piece in answer.iter_raw():
            got += piece
            if time.monotonic() - began > 2 * IMPATIENT:
                break
    assert answer.status_code == 200
    assert set(got) == {ord("\n")}


def test_keep_alive_before_the_answer(llm: LoopbackLLM) -> None:
    """Blank lines before the true answer leave it readable."""
    llm.inject(LLMFault.keep_alive(every=0.01, lines=3))
    answer = chat(llm)
    assert answer.text.startswith("\n\n\n{")
    assert answer.json()["choices"][0]["message"]["content"] == SCORES
