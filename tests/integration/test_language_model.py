"""A language model over the network: which responses are completions, and what a useless one costs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from goldpan.contracts import Usage
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModelFailed, Prompt

from tests.integration.conftest import KEY, MODEL, Clients, within
from tests.support.loopback import LLMFault, LoopbackLLM, Reply

pytestmark = pytest.mark.enable_socket

README = "a private README"
PROMPT = Prompt(system="Answer with a JSON object.", user=f'{{"readme": "{README}"}}', max_tokens=77)
ANSWER = '{"relevance": 0.5}'
SPENT = Usage(llm_calls=1, input_tokens=11, output_tokens=22)


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always gives the same answer, and what it bills."""
    with LoopbackLLM(lambda _: Reply(ANSWER, prompt_tokens=11, completion_tokens=22)) as server:
        yield server


def failure(model: OpenAIModel, seconds: float = 30) -> LanguageModelFailed:
    """Call, and return the failure, whose message contains neither the key nor the README."""
    with pytest.raises(LanguageModelFailed) as failed:
        model.complete(PROMPT, within(seconds))
    assert KEY not in str(failed.value)
    assert README not in str(failed.value)
    return failed.value


def test_a_good_answer(llm: LoopbackLLM, clients: Clients) -> None:
    """An object comes back with its cost; JSON mode, temperature and length are requested."""
    model = clients.model(llm)
    completion = model.complete(PROMPT, within(30))
    assert (model.name, completion.data, completion.usage) == (MODEL, {"relevance": 0.5}, SPENT)
    body = llm.requests[0].body
    assert body["model"] == MODEL
    assert body["response_format"] == {"type": "json_object"}
    assert (body["temperature"], body["max_tokens"]) == (0, 77)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "thinking" not in body


def test_thinking_can_be_disabled(llm: LoopbackLLM, clients: Clients) -> None:
    """A model that thinks by default is requested not to, if its endpoint has a parameter for that."""
    clients.model(llm, thinking=False).complete(PROMPT, within(30))
    assert llm.requests[0].body["thinking"] == {"type": "disabled"}


def test_fenced_json_is_accepted(llm: LoopbackLLM, clients: Clients) -> None:
    """An object in a Markdown fence is still an object."""
    llm.inject(LLMFault.fenced())
    assert clients.model(llm).complete(PROMPT, within(30)).data == {"relevance": 0.5}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (LLMFault.blank(), "blank content"),
        (LLMFault.null_content(), "blank content"),
        (LLMFault.truncated(), "not JSON (truncated at max_tokens)"),
        (LLMFault.array(), "JSON list, not an object"),
        (LLMFault.not_json(), "not JSON"),
    ],
)
def test_a_useless_answer_costs_its_tokens(llm: LoopbackLLM, clients: Clients, fault: LLMFault, message: str) -> None:
    """Content that is no object is a failure after one call, and its tokens count."""
    llm.inject(fault)
    failed = failure(clients.model(llm))
    assert message in str(failed)
    assert failed.usage == SPENT
    assert len(llm.requests) == 1
