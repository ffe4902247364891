"""A language model that fails: what the failure says, what it costs, and when it is cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from goldpan.contracts import Usage
from goldpan.errors import CredentialRejected

from tests.integration.conftest import KEY, Clients, within
from tests.integration.test_language_model import PROMPT, failure
from tests.support.loopback import Fault, LLMFault, LoopbackLLM

pytestmark = pytest.mark.enable_socket

ANSWER = '{"relevance": 0.5}'


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always says the same."""
    with LoopbackLLM(lambda _: ANSWER) as server:
        yield server


@pytest.mark.parametrize("code", [400, 402, 404, 429, 500, 503])
def test_an_error_is_not_tried_again(llm: LoopbackLLM, clients: Clients, code: int) -> None:
    """An error status is a failure after one request, with the status in its words."""
    llm.inject(LLMFault.status(code, times=None))
    failed = failure(clients.model(llm))
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
def test_a_slow_answer_is_cut_at_the_deadline(llm: LoopbackLLM, clients: Clients, fault: LLMFault) -> None:
    """A model that hangs, or keeps the connection warm for ever, ends at the deadline."""
    llm.inject(fault)
    failed = failure(clients.model(llm), seconds=0.6)
    assert "did not answer in time" in str(failed)
    assert failed.usage == Usage(llm_calls=1)
    assert len(llm.requests) == 1


def test_blank_lines_before_an_answer_are_waited_through(llm: LoopbackLLM, clients: Clients) -> None:
    """Some blank lines before the answer do no harm."""
    llm.inject(LLMFault.keep_alive(every=0.05, lines=4))
    assert clients.model(llm).complete(PROMPT, within(5)).data == {"relevance": 0.5}


@pytest.mark.parametrize("fault", [LLMFault.reset(), LLMFault.wrong_content_type()])
def test_a_broken_connection_is_a_failure(llm: LoopbackLLM, clients: Clients, fault: LLMFault) -> None:
    """A connection that breaks, or a page for people, is a failure after one request."""
    llm.inject(fault)
    assert failure(clients.model(llm)).usage == Usage(llm_calls=1)
    assert len(llm.requests) == 1


def test_nobody_listens(llm: LoopbackLLM, clients: Clients) -> None:
    """A model that cannot be reached is a failure."""
    assert "could not be asked" in str(failure(clients.model(llm, base_url="http://127.0.0.1:9/v1"), seconds=1))


def test_no_time_left(llm: LoopbackLLM, clients: Clients) -> None:
    """Without time left nothing is asked, and nothing counted."""
    assert failure(clients.model(llm), seconds=0).usage == Usage()
    assert llm.requests == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_rejected_key_is_named(llm: LoopbackLLM, clients: Clients, code: int) -> None:
    """A key that is rejected ends the search, by the name of its variable and without its value."""
    llm.inject(LLMFault.status(code))
    with pytest.raises(CredentialRejected, match=r"^LLM_API_KEY: ") as ended:
        clients.model(llm).complete(PROMPT, within(5))
    assert KEY not in str(ended.value)
    assert len(llm.requests) == 1


def test_a_key_is_in_no_message(llm: LoopbackLLM, clients: Clients) -> None:
    """A provider that repeats the key in its refusal does not bring it into the message."""
    llm.inject(LLMFault.status(401, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    with pytest.raises(CredentialRejected, match="Incorrect API key") as ended:
        clients.model(llm).complete(PROMPT, within(5))
    assert KEY not in str(ended.value)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.not_json(),
        LLMFault.status(200, body={"choices": [None]}),
        LLMFault.status(200, body={"choices": [{"message": {"content": ANSWER}}], "usage": {"prompt_tokens": "many"}}),
    ],
)
def test_a_malformed_completion_is_a_failure(llm: LoopbackLLM, clients: Clients, fault: LLMFault | Fault) -> None:
    """A completion that is no JSON, or not in the promised form, fails its own call and nothing else."""
    llm.inject(fault)
    assert failure(clients.model(llm)).usage.llm_calls == 1
