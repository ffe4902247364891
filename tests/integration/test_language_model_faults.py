"""A language model that fails: the message of the failure, its cost, and that it ends at the deadline."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from goldpan.contracts import Usage
from goldpan.errors import CredentialRejected

from tests.integration.conftest import KEY, Clients, within
from tests.integration.test_language_model import ANSWER, PROMPT, failure
from tests.support.loopback import Fault, LLMFault, LoopbackLLM

pytestmark = pytest.mark.enable_socket

ONE_CALL = Usage(llm_calls=1)


@pytest.fixture
def llm() -> Iterator[LoopbackLLM]:
    """Serve a model that always gives the same answer."""
    with LoopbackLLM(lambda _: ANSWER) as server:
        yield server


@pytest.mark.parametrize("code", [400, 402, 404, 429, 503])
def test_an_error_is_not_retried(llm: LoopbackLLM, clients: Clients, code: int) -> None:
    """An error status is a failure after one request, with the status in its message."""
    llm.inject(LLMFault.status(code, times=None))
    failed = failure(clients.model(llm))
    assert f"the language model answered {code}" in str(failed)
    assert failed.usage == ONE_CALL
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        LLMFault.hang(times=None),
        LLMFault.keep_alive(every=0.05, times=None),
        LLMFault.drip(every=0.05, times=None),
    ],
)
def test_a_slow_answer_ends_at_the_deadline(llm: LoopbackLLM, clients: Clients, fault: LLMFault) -> None:
    """A model that hangs, or that keeps the connection alive without end, fails at the deadline."""
    llm.inject(fault)
    failed = failure(clients.model(llm), seconds=0.6)
    assert "did not answer in time" in str(failed)
    assert failed.usage == ONE_CALL


def test_blank_lines_before_an_answer(llm: LoopbackLLM, clients: Clients) -> None:
    """Some blank lines, which keep the connection alive, do no harm."""
    llm.inject(LLMFault.keep_alive(every=0.05, lines=4))
    assert clients.model(llm).complete(PROMPT, within(30)).data == {"relevance": 0.5}


@pytest.mark.parametrize(
    "fault",
    [
        LLMFault.reset(),
        LLMFault.wrong_content_type(),
        Fault.not_json(),
        LLMFault.status(200, body={"choices": [None]}),
        LLMFault.status(200, body={"choices": [{"message": {"content": ANSWER}}], "usage": {"prompt_tokens": "many"}}),
    ],
)
def test_an_unexpected_response_is_a_failure(llm: LoopbackLLM, clients: Clients, fault: LLMFault | Fault) -> None:
    """A connection that breaks, a page for people or a malformed completion fails its own call, after one request."""
    llm.inject(fault)
    assert failure(clients.model(llm)).usage == ONE_CALL
    assert len(llm.requests) == 1


def test_an_endpoint_that_cannot_be_reached(llm: LoopbackLLM, clients: Clients) -> None:
    """A connection that is refused is a failure."""
    assert "could not be asked" in str(failure(clients.model(llm, base_url="http://127.0.0.1:9/v1")))


def test_without_time_or_connection_no_call_is_made(llm: LoopbackLLM, clients: Clients) -> None:
    """After the deadline, and after the client was closed, nothing is requested and nothing counted."""
    model = clients.model(llm)
    assert failure(model, seconds=0).usage == Usage()
    model.close()
    assert failure(model).usage == Usage()
    assert llm.requests == []


@pytest.mark.parametrize("code", [401, 403])
def test_a_rejected_key_is_named(llm: LoopbackLLM, clients: Clients, code: int) -> None:
    """A rejected key ends the search with the name of its variable, without its value, which some providers repeat."""
    llm.inject(LLMFault.status(code, body={"error": {"message": f"Incorrect API key provided: {KEY}"}}))
    with pytest.raises(CredentialRejected, match=r"^LLM_API_KEY: .*Incorrect API key") as rejected:
        clients.model(llm).complete(PROMPT, within(30))
    assert KEY not in str(rejected.value)
    assert len(llm.requests) == 1
