"""A language model over the network: what counts as an answer, what a failure costs, and when it is cut."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from goldpan.contracts import Usage
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModelFailed, Prompt

from tests.integration.conftest import KEY, MODEL, Clients, within
from tests.support.loopback import LLMFault, LoopbackLLM, Reply

pytestmark = pytest.mark.enable_socket

README = "a README that nobody else may see"
PROMPT = Prompt(system="Answer with a JSON object.", user=f'{{"readme": "{README}"}}', max_tokens=77)
ANSWER = '{"relevance": 0.5}'
SPENT = Usage(llm_calls=1, input_tokens=11, output_tokens=22)


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always says the same, and what it bills."""
    with LoopbackLLM(lambda _: Reply(ANSWER, prompt_tokens=11, completion_tokens=22)) as server:
        yield server


def failure(model: OpenAIModel, seconds: float = 5) -> LanguageModelFailed:
    """Ask, and give the failure, whose words hold neither key nor README."""
    began = time.monotonic()
    with pytest.raises(LanguageModelFailed) as failed:
        model.complete(PROMPT, within(seconds))
    assert time.monotonic() - began < seconds + 4
    assert KEY not in str(failed.value)
    assert README not in str(failed.value)
    return failed.value


def test_a_good_answer(llm: LoopbackLLM, clients: Clients) -> None:
    """An object comes back with what it cost; JSON mode, temperature and length are asked for."""
    completion = clients.model(llm).complete(PROMPT, within(5))
    assert (completion.data, completion.usage) == ({"relevance": 0.5}, SPENT)
    body = llm.requests[0].body
    assert body["model"] == MODEL
    assert body["response_format"] == {"type": "json_object"}
    assert (body["temperature"], body["max_tokens"]) == (0, 77)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "thinking" not in body


def test_thinking_is_switched_off_where_told(llm: LoopbackLLM, clients: Clients) -> None:
    """An endpoint that thinks aloud unless told otherwise is told so."""
    clients.model(llm, thinking=False).complete(PROMPT, within(5))
    assert llm.requests[0].body["thinking"] == {"type": "disabled"}


def test_fenced_json_is_accepted(llm: LoopbackLLM, clients: Clients) -> None:
    """An object in a Markdown fence is still an object."""
    llm.inject(LLMFault.fenced())
    assert clients.model(llm).complete(PROMPT, within(5)).data == {"relevance": 0.5}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (LLMFault.blank(), "blank content"),
        (LLMFault.null_content(), "blank content"),
        (LLMFault.truncated(), "cut at its length"),
        (LLMFault.array(), "JSON list, not an object"),
        (LLMFault.not_json(), "not JSON"),
    ],
)
def test_a_useless_answer_was_paid_for(llm: LoopbackLLM, clients: Clients, fault: LLMFault, said: str) -> None:
    """Content that is no object is a failure, and its tokens count."""
    llm.inject(fault)
    failed = failure(clients.model(llm))
    assert said in str(failed)
    assert failed.usage == SPENT
    assert len(llm.requests) == 1
