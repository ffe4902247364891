"""What the outside answers reaches a door as data: half characters, absurd numbers and its own words break nothing."""

from __future__ import annotations

import json
import logging
from urllib.parse import unquote_plus

import httpx2
import pytest
from goldpan.infra.llm.openai import OpenAIModel
from goldpan.settings import ModelEndpoint
from pydantic import SecretStr

from tests.unit.aws.doors import door, event, github, sample_ports

HALF = "\\ud83d"
"""Half of a character, as JSON can write it and UTF-8 cannot."""
ENDPOINT = ModelEndpoint(
    key_name="LLM_API_KEY", key=SecretStr("hush-key"), base_url="https://llm.example.org/v1", model="deepseek-flash"
)
JUDGED = '{"relevance": 0.5, "documentation": 7, "ease_of_use": 6, "reasoning": "It fits.", "quote": "web framework"}'


def model(content: str = JUDGED, tokens: str = "100", status: int = 200, body: str | None = None) -> OpenAIModel:
    """Make the real client of a model over a transport that answers in this process."""
    completion = (
        '{"id": "1", "object": "chat.completion", "created": 1, "model": "own-model", "choices": [{"index": 0,'
        f' "finish_reason": "stop", "message": {{"role": "assistant", "content": {json.dumps(content)}}}}}],'
        f' "usage": {{"prompt_tokens": {tokens}, "completion_tokens": {tokens}, "total_tokens": {tokens}}}}}'
    )

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, text=body or completion, headers={"content-type": "application/json"})

    return OpenAIModel(ENDPOINT, httpx2.MockTransport(answer))


def scored(llm: OpenAIModel) -> dict[str, object]:
    """Let the model judge the repository of the committed event."""
    given = event("score")
    given["task"]["ask_llm"] = True
    verdict: dict[str, object] = door("screener", sample_ports(llm))(given)
    json.dumps(verdict, ensure_ascii=False).encode()
    return verdict


def test_a_model_that_answers_well_is_heard() -> None:
    """The stand-in of this file is one that the client understands."""
    verdict = scored(model())
    assert (verdict["basis"], verdict["reasoning"]) == ("llm", "It fits. (“web framework”)")


@pytest.mark.parametrize("field", ["quote", "reasoning"])
def test_half_a_character_of_a_model_leaves_a_verdict(field: str) -> None:
    """A model that breaks a character in two gives a verdict that can travel, by its own words or by rules."""
    said = json.loads(JUDGED)
    content = json.dumps({**said, field: "web framework HALF"}).replace("HALF", HALF)
    assert scored(model(content))["reasoning"]


@pytest.mark.parametrize("tokens", ["1" + "0" * 400, "-5"])
def test_absurd_numbers_of_a_model_leave_a_verdict(tokens: str) -> None:
    """A provider that counts tokens absurdly does not end the search, and costs nothing below zero."""
    usage = scored(model(tokens=tokens))["usage"]
    assert isinstance(usage, dict)
    assert usage.get("cost_usd", 0.0) >= 0


@pytest.mark.parametrize("status", [400, 429, 500])
def test_half_a_character_in_a_providers_words_leaves_a_verdict(status: int) -> None:
    """The message of an error is the provider's own: whatever it holds, the verdict by rules can travel."""
    verdict = scored(model(status=status, body='{"error": {"message": "no HALF"}}'.replace("HALF", HALF)))
    assert verdict["basis"] == "rules"
    assert verdict["failure"]


def test_half_a_character_of_a_source_leaves_a_row() -> None:
    """A source whose JSON breaks a character in two is a row that says how it failed, or an answer without the half."""
    found = json.dumps({"total_count": 1, "items": [{"full_name": "a/web-framework", "description": "HALF"}]})

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, text=found.replace("HALF", HALF))

    batch = door("scout", sample_ports(source=github(answer)))(event("scout"))
    json.dumps(batch, ensure_ascii=False).encode()
    assert batch["status"]["status"] in {"unavailable", "truncated", "ok"}


def test_half_a_character_in_a_refusal_leaves_a_row() -> None:
    """The words of a refusal are the source's own: whatever they hold, the row can travel."""

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(422, text='{"message": "no HALF"}'.replace("HALF", HALF))

    batch = door("scout", sample_ports(source=github(answer)))(event("scout"))
    json.dumps(batch, ensure_ascii=False).encode()
    assert batch["status"]["status"] == "unavailable"


def test_no_client_logs_the_question(caplog: pytest.LogCaptureFixture) -> None:
    """Clients log the addresses and bodies of their calls, and so the question: at no level does a door let them."""
    caplog.set_level(logging.DEBUG)
    given = event("score")
    given["task"]["ask_llm"] = True

    def answer(_request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"total_count": 0, "items": []})

    door("scout", sample_ports(source=github(answer)))(event("scout"))
    door("screener", sample_ports(model()))(given)
    told = [unquote_plus(record.getMessage()).lower() for record in caplog.records]
    assert [line for line in told if "web framework" in line or "rust" in line] == []
