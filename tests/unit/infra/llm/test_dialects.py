"""Every documented dialect of the chat completions API gives its answer, and is learned at the first call."""

from dataclasses import replace

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.infra.http_client import HttpClient
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.infra.llm.port import LanguageModelFailed, Prompt

from tests.support.fakes import FakeClock
from tests.support.llm_dialects import DIALECTS, GATEWAY, Body, Endpoint, only
from tests.support.loopback.llm import model_at

PROMPT, FAR = Prompt("Answer in JSON.", "{}", attempts=4), Deadline.after(60, FakeClock())


def model_of(endpoint: Endpoint) -> OpenAIModel:
    """Make the client of a simulated endpoint."""
    return model_at(endpoint.base_url, HttpClient(httpx2.MockTransport(endpoint)), endpoint.model)


@pytest.mark.parametrize("name", DIALECTS)
def test_an_endpoint_answers_in_its_dialect(name: str) -> None:
    """No answer is refused, cut while thinking or unread; what is refused at the first call is not sent again."""
    first, documented = DIALECTS[name]
    endpoint = replace(documented, bodies=[])
    model = model_of(endpoint)
    completion = model.complete(PROMPT, FAR)
    assert (completion.data, completion.usage.llm_calls, len(endpoint.bodies)) == ({"relevance": 0.5}, first, first)
    assert model.complete(Prompt("", "{}"), FAR).usage.llm_calls == 1
    assert len(endpoint.bodies) == first + 1
    assert (name != "two names") or "response_format" in endpoint.bodies[-1], "the field that is named first is meant"


def test_what_is_asked_of_a_model() -> None:
    """JSON of the length that the prompt allows, the same each time and without thoughts; untrusted text is data."""
    endpoint = Endpoint("https://api.deepseek.com", "deepseek-flash")
    model_of(endpoint).complete(Prompt("Answer in JSON.", "A README", max_tokens=77), FAR)
    (sent,) = endpoint.bodies
    said = {"system": "Answer in JSON.", "user": "A README"}
    assert {message["role"]: message["content"] for message in sent.pop("messages")} == said
    exact = {"temperature": 0, "response_format": {"type": "json_object"}, "thinking": {"type": "disabled"}}
    assert sent == {"model": endpoint.model, "max_tokens": 77, **exact}


def test_what_is_learned_serves_the_next_call() -> None:
    """Where only one call is allowed, it fails with the endpoint's words, and the next one succeeds."""
    endpoint = Endpoint(GATEWAY, "own", only("model", "messages", "max_tokens", "temperature"))
    model = model_of(endpoint)
    with pytest.raises(LanguageModelFailed, match=r"answered 422 .*Extra inputs are not permitted"):
        model.complete(Prompt("", "{}"), FAR)
    assert model.complete(Prompt("", "{}"), FAR).data == {"relevance": 0.5}


def test_a_refusal_of_something_else_is_not_repeated() -> None:
    """A 400 that names no field that was sent fails after one call, and changes nothing."""

    def objection(_: Body) -> dict[str, object]:
        return {
            "error": {"message": "The response was filtered: temperature", "code": "content_filter", "param": "prompt"}
        }

    endpoint = Endpoint(GATEWAY, "own", objection)
    model = model_of(endpoint)
    for calls in (1, 2):
        with pytest.raises(LanguageModelFailed, match="answered 400"):
            model.complete(PROMPT, FAR)
        assert len(endpoint.bodies) == calls
    assert endpoint.bodies[0] == endpoint.bodies[1]
