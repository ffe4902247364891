"""A language model over the network: what counts as an answer, what a failure costs, and when it is cut."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.contracts import Usage
from goldpan.errors import CredentialRejected
from goldpan.services.language_model import LanguageModelFailed, Prompt
from goldpan.services.openai_model import OpenAIModel
from goldpan.settings import ModelEndpoint
from pydantic import SecretStr

from tests.integration.conftest import KEY, MODEL, within
from tests.loopback import LLMFault, LoopbackLLM, Reply

pytestmark = pytest.mark.enable_socket

README = "a README that nobody else may see"
PROMPT = Prompt(system="Answer with a JSON object.", user=f'{{"readme": "{README}"}}', max_tokens=77)
ANSWER = '{"relevance": 0.5}'
SPENT = Usage(llm_calls=1, input_tokens=11, output_tokens=22)
Open = Callable[..., OpenAIModel]


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always says the same, and what it bills."""
    with LoopbackLLM(lambda _: Reply(ANSWER, prompt_tokens=11, completion_tokens=22)) as server:
        yield server


@pytest.fixture
def connect(llm: LoopbackLLM) -> Iterator[Open]:
    """Make models that are closed at the end of the test."""
    made: list[OpenAIModel] = []

    def open_model(key: str = KEY, base_url: str | None = None, **more: Any) -> OpenAIModel:
        endpoint = ModelEndpoint(
            key_name="LLM_API_KEY", key=SecretStr(key), base_url=base_url or llm.base_url, model=MODEL, **more
        )
        made.append(OpenAIModel(endpoint))
        return made[-1]

    yield open_model
    for model in made:
        model._client.close()


def failure(model: OpenAIModel, seconds: float = 5) -> LanguageModelFailed:
    """Ask, and give the failure, whose words hold neither key nor README."""
    began = time.monotonic()
    with pytest.raises(LanguageModelFailed) as failed:
        model.complete(PROMPT, within(seconds))
    assert time.monotonic() - began < seconds + 4
    assert KEY not in str(failed.value)
    assert README not in str(failed.value)
    return failed.value


def test_a_good_answer(llm: LoopbackLLM, connect: Open) -> None:
    """An object comes back with what it cost; JSON mode, temperature and length are asked for."""
    completion = connect().complete(PROMPT, within(5))
    assert (completion.data, completion.usage) == ({"relevance": 0.5}, SPENT)
    body = llm.requests[0].body
    assert body["model"] == MODEL
    assert body["response_format"] == {"type": "json_object"}
    assert (body["temperature"], body["max_tokens"]) == (0, 77)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "thinking" not in body


def test_thinking_is_switched_off_where_told(llm: LoopbackLLM, connect: Open) -> None:
    """An endpoint that thinks aloud unless told otherwise is told so."""
    connect(thinking=False).complete(PROMPT, within(5))
    assert llm.requests[0].body["thinking"] == {"type": "disabled"}


def test_fenced_json_is_accepted(llm: LoopbackLLM, connect: Open) -> None:
    """An object in a Markdown fence is still an object."""
    llm.inject(LLMFault.fenced())
    assert connect().complete(PROMPT, within(5)).data == {"relevance": 0.5}


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
def test_a_useless_answer_was_paid_for(llm: LoopbackLLM, connect: Open, fault: LLMFault, said: str) -> None:
    """Content that is no object is a failure, and its tokens count."""
    llm.inject(fault)
    failed = failure(connect())
    assert said in str(failed)
    assert failed.usage == SPENT
    assert len(llm.requests) == 1


@pytest.mark.parametrize("code", [400, 402, 404, 429, 500, 503])
def test_an_error_is_not_tried_again(llm: LoopbackLLM, connect: Open, code: int) -> None:
    """An error status is a failure after one request, with the status in its words."""
    llm.inject(LLMFault.status(code, times=None))
    failed = failure(connect())
    assert str(code) in str(failed)
    assert failed.usage == Usage(llm_calls=1)
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        LLMFault.hang(times=None),
        LLMFault.keep_alive(every=0.05, times=None),
        LLMFault.drip(every=0.05, times=None),
    ],
)
def test_a_slow_answer_is_cut_at_the_deadline(llm: LoopbackLLM, connect: Open, fault: LLMFault) -> None:
    """A model that hangs, or keeps the connection warm for ever, ends at the deadline."""
    llm.inject(fault)
    failed = failure(connect(), seconds=0.6)
    assert "did not answer in time" in str(failed)
    assert failed.usage == Usage(llm_calls=1)
    assert len(llm.requests) == 1


def test_blank_lines_before_an_answer_are_waited_through(llm: LoopbackLLM, connect: Open) -> None:
    """Some blank lines before the answer do no harm."""
    llm.inject(LLMFault.keep_alive(every=0.05, lines=4))
    assert connect().complete(PROMPT, within(5)).data == {"relevance": 0.5}


@pytest.mark.parametrize("fault", [LLMFault.reset(), LLMFault.wrong_content_type()])
def test_a_broken_connection_is_a_failure(llm: LoopbackLLM, connect: Open, fault: LLMFault) -> None:
    """A connection that breaks, or a page for people, is a failure after one request."""
    llm.inject(fault)
    assert failure(connect()).usage == Usage(llm_calls=1)
    assert len(llm.requests) == 1


def test_nobody_listens(connect: Open) -> None:
    """A model that cannot be reached is a failure."""
    assert "could not be asked" in str(failure(connect(base_url="http://127.0.0.1:9/v1"), seconds=1))


def test_no_time_left(llm: LoopbackLLM, connect: Open) -> None:
    """Without time left nothing is asked, and nothing counted."""
    assert failure(connect(), seconds=0).usage == Usage()
    assert llm.requests == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_rejected_key_is_named(llm: LoopbackLLM, connect: Open, code: int) -> None:
    """A key that is rejected ends the search, by the name of its variable and without its value."""
    llm.inject(LLMFault.status(code))
    with pytest.raises(CredentialRejected, match=r"^LLM_API_KEY: ") as ended:
        connect().complete(PROMPT, within(5))
    assert KEY not in str(ended.value)
    assert len(llm.requests) == 1
