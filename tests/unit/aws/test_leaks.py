"""Nothing private is written, however a call ends: under AWS's own runtime client, with marks in what is private."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from goldpan.engine.events import Stage

from tests.unit.aws.marked import (
    HUSHED,
    JUDGED,
    QUESTION,
    REASON,
    STAGES,
    asked,
    breaking,
    github,
    marked_ports,
    model,
    refusing,
    run,
    said,
)

MODELS = {
    "judges": said(JUDGED),
    "is blank": said("  "),
    "says no JSON": said(f"no JSON, but {HUSHED}words"),
    "says a list": said([JUDGED]),
    "breaks the form": said({f"{HUSHED}field": REASON, "relevance": HUSHED, "keywords": HUSHED}),
    "refuses": refusing(400),
    "is over its limit": refusing(429),
    "is broken": refusing(500),
    "is gone": breaking,
    "rejects the key": refusing(401, "Incorrect API key provided: hush-key."),
}
SOURCES = {
    "refuses": refusing(422),
    "is over its limit": refusing(403, "API rate limit exceeded"),
    "is broken": refusing(502),
    "is gone": breaking,
    "rejects the token": refusing(401, "Bad credentials"),
}


@pytest.fixture
def heard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> Callable[[], str]:
    """Give all that was written: to both streams, and to any logger at any level, with its arguments."""
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "DEBUG")
    caplog.set_level(logging.DEBUG)

    def tell() -> str:
        written = capsys.readouterr()
        return f"{written.out}\n{written.err}\n" + "\n".join(f"{record.__dict__}" for record in caplog.records)

    return tell


@pytest.mark.parametrize("log_event", ["true", "false"])
@pytest.mark.parametrize("state", MODELS)
@pytest.mark.parametrize("stage", ["translate", "score"])
def test_nothing_leaks_whatever_the_model_does(
    stage: Stage, state: str, log_event: str, monkeypatch: pytest.MonkeyPatch, heard: Callable[[], str]
) -> None:
    """However the model fails, and whatever it repeats: no question, README, key or word of its own is written."""
    monkeypatch.setenv("POWERTOOLS_LOGGER_LOG_EVENT", log_event)
    ended = run(STAGES[stage], marked_ports(model(MODELS[state])), asked(stage))
    assert ended.get("errorType") == ("CredentialRejected" if state == "rejects the key" else None)
    written = heard()
    assert ("LlmFailed" in written) == (state not in {"judges", "breaks the form"})
    assert '"_aws"' in written
    assert HUSHED not in written


@pytest.mark.parametrize("state", SOURCES)
@pytest.mark.parametrize("stage", ["scout", "shortlist"])
def test_nothing_leaks_whatever_the_source_does(stage: Stage, state: str, heard: Callable[[], str]) -> None:
    """However GitHub fails, and whatever it repeats: neither what was searched for nor the token is written."""
    given = asked(stage)
    for task in (given.get("task", {}), *given.get("translation", {}).get("tasks", ())):
        for search in task.get("searches", ()):
            search["words"] = [f"{HUSHED}word"]
    ended = run(STAGES[stage], marked_ports(source=github(SOURCES[state])), given)
    assert ended.get("errorType") == ("CredentialRejected" if state == "rejects the token" else None)
    written = heard()
    assert '"_aws"' in written
    assert HUSHED not in written


@pytest.mark.parametrize("error", ["InvalidRequest", "SourcesFailed", "CredentialRejected", "KeyError"])
def test_nothing_leaks_where_a_search_ended(error: str, heard: Callable[[], str]) -> None:
    """What ended a search goes to the asker; assemble writes nothing of it."""
    cause = {"errorMessage": f"{HUSHED}message", "errorType": error, "stackTrace": [f"{HUSHED}trace"]}
    failed = {"kind": "repositories", "failure": {"Error": error, "Cause": json.dumps(cause)}}
    ended = run("screener", marked_ports(), {**asked("assemble"), "lines": [failed]})
    assert ended["statusCode"] >= 400
    assert HUSHED not in heard()


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": 50 * f"{HUSHED}question "},
        {"query": f"{HUSHED}\u0007"},
        {"query": [f"{HUSHED}question"]},
        {"question": f"{HUSHED}question", "query": QUESTION},
        {"query": QUESTION, "max_results": 1000},
    ],
    ids=["too long", "control characters", "a list", "unknown field", "too many"],
)
@pytest.mark.parametrize("stage", STAGES)
def test_a_refused_request_is_not_repeated(stage: Stage, wrong: dict[str, object], heard: Callable[[], str]) -> None:
    """Lambda writes the text of a refusal into the log: it names the field, and never the question."""
    given: dict[str, Any] = {**asked(stage), "request": wrong}
    ended = run(STAGES[stage], marked_ports(), {**given, "lines": []} if stage == "assemble" else given)
    assert ended.get("errorType", "InvalidRequest") == "InvalidRequest"
    assert ended.get("statusCode", 400) == 400
    assert HUSHED not in heard()


def test_a_store_that_fails_is_told_once_without_its_keys(heard: Callable[[], str]) -> None:
    """A warning names the table and the error; what was looked up stands in neither."""
    run("query_translator", marked_ports(model(said(JUDGED))), asked("translate"))
    written = heard()
    assert "goldpan-cache could not be used" in written
    assert "CacheFailed" in written
    assert HUSHED not in written


def test_the_question_of_whose_turn_it_is_tells_nothing(heard: Callable[[], str]) -> None:
    """The door that tells who searches is given the question as well, and writes nothing of it."""
    given = {"stage": "begin", "key": "answer:1", "owner": "an-execution", "request": {"query": QUESTION}}
    assert run("query_translator", marked_ports(), given) == {"turn": "search"}
    assert HUSHED not in heard()
