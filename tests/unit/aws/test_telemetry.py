"""What a handler writes: JSON lines with its stage, and nothing private, however a call ends."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable

import pytest

from tests.support.handlers import sample_dependencies
from tests.support.private_marks import (
    FUNCTIONS,
    JUDGED,
    MARK,
    REASON,
    broken,
    completion,
    invoke,
    marked,
    marked_dependencies,
    refusal,
)  # fmt: skip


@pytest.fixture
def everything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Callable[[], str]:
    """Return all that was written: to both streams, and to any logger at any level, with its arguments."""
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("POWERTOOLS_LOGGER_LOG_EVENT", "true")
    caplog.set_level(logging.DEBUG)

    def read() -> str:
        written = capsys.readouterr()
        return f"{written.out}\n{written.err}\n" + "\n".join(f"{record.__dict__}" for record in caplog.records)

    return read


@pytest.mark.parametrize("stage", FUNCTIONS)
def test_every_line_is_json_and_names_its_stage(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No line has the question, a README, a reason or a secret."""
    assert "errorType" not in invoke(stage, marked_dependencies(), marked(stage))
    written = capsys.readouterr()
    lines = [json.loads(line) for line in written.out.splitlines()]
    assert {line["stage"] for line in lines if "message" in line or "Duration" in line} == {stage}
    assert MARK not in written.out + written.err
    if stage == "assemble":
        [summary] = [line for line in lines if "Search completed" in str(line.get("message"))]
        assert (summary["level"], "LLM calls" in summary["message"]) == ("INFO", True)


MODELS = {
    "judges": completion(JUDGED),
    "is blank": completion("  "),
    "returns no JSON": completion(f"no JSON, but {MARK}words"),
    "returns other fields": completion({f"{MARK}field": REASON, "relevance": MARK, "keywords": MARK}),
    "refuses": refusal(400),
    "is limited": refusal(429),
    "is broken": refusal(500),
    "is gone": broken,
    "returns half a character": completion(JUDGED | {"reasoning": "It fits \ud83d."}),
    "refuses with half a character": refusal(400, "no \ud83d"),
    "rejects the key": refusal(401, f"Incorrect API key provided: {MARK}key."),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("stage", ["translate", "score"])
def test_nothing_leaks_whatever_the_model_does(stage: str, name: str, everything: Callable[[], str]) -> None:
    """Only a rejected key fails the call; failures are counted, and one warning names the cache that fails."""
    result = invoke(stage, marked_dependencies(MODELS[name]), marked(stage))
    assert result.get("errorType") == ("CredentialRejected" if name == "rejects the key" else None)
    written = everything()
    assert ("LlmFailed" in written) == (name not in {"judges", "returns other fields", "returns half a character"})
    assert stage == "score" or "goldpan-cache could not be used" in written
    assert MARK not in written


SOURCES = {
    "refuses": refusal(422),
    "is limited": refusal(403, "API rate limit exceeded"),
    "is broken": refusal(502),
    "is gone": broken,
    "refuses with half a character": refusal(422, "no \ud83d"),
    "rejects the token": refusal(401, "Bad credentials"),
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("stage", ["scout", "shortlist"])
def test_nothing_leaks_whatever_github_does(stage: str, name: str, everything: Callable[[], str]) -> None:
    """Only a rejected token fails the call."""
    result = invoke(stage, marked_dependencies(github=SOURCES[name]), marked(stage))
    assert result.get("errorType") == ("CredentialRejected" if name == "rejects the token" else None)
    assert MARK not in everything()


@pytest.mark.parametrize("error", ["InvalidRequest", "SourcesFailed", "KeyError"])
def test_nothing_leaks_of_a_terminal_error(error: str, everything: Callable[[], str]) -> None:
    """Its message goes to the client alone."""
    cause = json.dumps({"errorMessage": f"{MARK}message", "errorType": error, "stackTrace": [f"{MARK}trace"]})
    outcome = {"kind": "repositories", "failure": {"Error": error, "Cause": cause}}
    assert invoke("assemble", sample_dependencies(), marked("assemble") | {"outcomes": [outcome]})["statusCode"] >= 400
    assert MARK not in everything()


@pytest.mark.parametrize("stage", FUNCTIONS)
def test_nothing_leaks_of_a_refused_request(stage: str, everything: Callable[[], str]) -> None:
    """Lambda logs the text of the error, which names fields and repeats no value."""
    wrong = {"query": f"{MARK}\u0007", "question": f"{MARK}question"}
    fields = {"request": wrong, **({"outcomes": []} if stage == "assemble" else {})}
    result = invoke(stage, sample_dependencies(), marked(stage) | fields)
    assert result.get("errorType", "InvalidRequest") == "InvalidRequest"
    assert result.get("statusCode", 400) == 400
    assert MARK not in everything()
