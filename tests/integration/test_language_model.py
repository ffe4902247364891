"""A language model over the network: which responses are completions, and what each failure is called and costs."""

from collections.abc import Iterator

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModelFailed, Prompt

from tests.integration.conftest import KEY, MODEL, Clients
from tests.support.fakes import FakeClock
from tests.support.loopback import LLMFault, LoopbackLLM, Reply

README = "a private README"
PROMPT = Prompt(system="Answer with a JSON object.", user=f'{{"readme": "{README}"}}', max_tokens=77)
ANSWER = '{"relevance": 0.5}'
ONE_CALL, SPENT = Usage(llm_calls=1), Usage(llm_calls=1, input_tokens=11, output_tokens=22)


def within(seconds: float) -> Deadline:
    """Make a deadline that is always a number of seconds away, however long the test takes to start a call."""
    return Deadline.after(seconds, FakeClock())


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
    """An object comes back with its cost; JSON mode, temperature and length are requested, and thinking is disabled."""
    model = clients.model(llm)
    completion = model.complete(PROMPT, within(30))
    assert (model.name, completion.data, completion.usage) == (MODEL, {"relevance": 0.5}, SPENT)
    body = llm.requests[0].body
    assert (body["model"], body["response_format"]) == (MODEL, {"type": "json_object"})
    assert (body["temperature"], body["max_tokens"]) == (0, 77)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["thinking"] == {"type": "disabled"}


@pytest.mark.parametrize("fault", [LLMFault.hang(), LLMFault.keep_alive(every=0.05), LLMFault.drip(every=0.05)])
def test_a_slow_answer_ends_at_the_deadline(llm: LoopbackLLM, clients: Clients, fault: LLMFault) -> None:
    """A model that hangs, or that keeps the connection alive without end, fails at the deadline."""
    llm.inject(fault)
    failed = failure(clients.model(llm), seconds=0.6)
    assert ("did not answer in time" in str(failed), failed.usage) == (True, ONE_CALL), str(failed)


def test_without_time_or_connection_no_call_is_made(llm: LoopbackLLM, clients: Clients) -> None:
    """After the deadline, and after the client was closed, nothing is requested; the latter counts as a failure."""
    model = clients.model(llm)
    assert failure(model, seconds=0).usage == Usage()
    clients.close()
    assert failure(model).usage == ONE_CALL
    assert llm.requests == []
    assert "could not be asked" in str(failure(clients.model(llm, base_url="http://127.0.0.1:9/v1")))
