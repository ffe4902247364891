"""Logs, metrics and traces of the handlers: what they hold, and what they never hold."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.aws.telemetry import COUNTED, COUNTERS, DIMENSIONS, UNITS, measure_call, measure_response, stage_of
from goldpan.engine.problem_details import Response
from snapshot_restore_py import get_after_restore

from tests.support.factories import ListedSource, QueuedModel, answer, repository
from tests.support.handlers import event, handler, load_function, sample_dependencies
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

METRICS = {
    **dict.fromkeys(
        (
            "ColdStart", "CacheHit", "CacheMiss", "CacheStale", "CacheFailed", "CacheEntryTooLarge", "CacheBatchCut",
            "RateBudgetFailed", "FlightsFailed", "PopularityFailed", "LlmFailed",
        ),
        ("stage", "service", "Count"),
    ),
    "Duration": ("stage", "service", "Milliseconds"),
    "Responses": ("status", "service", "Count"),
    "SearchTime": ("service", "Milliseconds"),
    "CostUsd": ("service", "None"),
    **dict.fromkeys(("LlmCalls", "InputTokens", "OutputTokens", "RulesOnly"), ("service", "Count")),
    "SourceStatus": ("source", "status", "service", "Count"),
}  # fmt: skip
"""Every metric with its dimensions and its unit, as alarms and dashboards name them."""
TRACE = "1-65f0c1a2-0123456789abcdef01234567"


def written(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the lines of metrics that were written."""
    return [line for text in capsys.readouterr().out.splitlines() if "_aws" in (line := json.loads(text))]


def metrics(lines: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, str], float]]:
    """Read the lines as CloudWatch does: each metric, its dimensions and its value."""
    for line in lines:
        assert isinstance(line["_aws"]["Timestamp"], int)
        [directive] = line["_aws"]["CloudWatchMetrics"]
        [dimensions] = directive["Dimensions"]
        for metric in directive["Metrics"]:
            assert (*dimensions, metric["Unit"]) == METRICS[metric["Name"]]
            values = {name: line[name] for name in dimensions}
            assert values.pop("service") == "goldpan"
            [value] = line[metric["Name"]]
            yield metric["Name"], values, value


@pytest.fixture(autouse=True)
def _no_counts() -> None:
    COUNTERS.take()


def test_every_metric_is_in_the_list() -> None:
    """An alarm can watch no other; this list is the one of the documentation."""
    assert {name: (*dimensions, UNITS.get(name, "Count")) for name, dimensions in DIMENSIONS.items()} == METRICS


def test_a_call_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Its duration and all that was counted, with the stage as a dimension."""
    measure_call("score", "an-id", 0.25, dict.fromkeys(COUNTED, 2), cold=True)
    [line] = lines = written(capsys)
    assert {name: value for name, _, value in metrics(lines)} == {
        "Duration": 250, "ColdStart": 1, **dict.fromkeys(COUNTED, 2),
    }  # fmt: skip
    assert {str(where) for _, where, _ in metrics(lines)} == {"{'stage': 'score'}"}
    assert line["function_request_id"] == "an-id"


@pytest.mark.parametrize("stage", ["private text", 5, ["rank"], None])
def test_another_stage_is_unknown(stage: object) -> None:
    """A free text would make a metric of its own for each value, and could hold the question."""
    assert stage_of({"stage": stage}) == "unknown"


def test_counts_belong_to_one_call(capsys: pytest.CaptureFixture[str]) -> None:
    """They are written when the call ends, also if it fails, and start anew; only the first call is a cold start."""
    call = handler("scout", sample_dependencies())
    COUNTERS.add("CacheHit")
    COUNTERS.add("CacheHit")
    with pytest.raises(ValueError, match="task"):
        call({"stage": "scout"})
    assert {name: value for name, _, value in metrics(written(capsys))}.items() >= {
        "CacheHit": 2,
        "ColdStart": 1,
    }.items()
    call(event("scout"))
    assert {name for name, _, _ in metrics(written(capsys))} == {"Duration"}


def test_counts_from_before_a_snapshot_are_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    """Every restored copy would report them."""
    before = len(get_after_restore())
    load_function("screener")
    COUNTERS.add("CacheFailed")
    for hook, arguments, named in list(get_after_restore())[before:]:
        hook(*arguments, **named)
    handler("screener", sample_dependencies())(event("rank"))
    assert "CacheFailed" not in {name for name, _, _ in metrics(written(capsys))}


def test_an_answer_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Its time, cost, calls, tokens and rules-only results, and its sources by status."""
    found = answer(ListedSource([repository("a/one"), repository("a/two")]), QueuedModel(), max_llm_calls=2)
    row = found.sources[0]
    rows = [row.model_copy(update={"status": status}) for status in ("ok", "timeout", "ok")]
    times = found.execution_time_ms.model_copy(update={"total": 1234})
    usage = found.usage.model_copy(update={"cost_usd": 0.0125})
    found = found.model_copy(update={"execution_time_ms": times, "usage": usage, "sources": tuple(rows)})
    response = Response(statusCode=200, contentType="application/json", retryAfter="", body=found.to_json())
    measure_response(response, found)
    assert list(metrics(written(capsys))) == [
        ("Responses", {"status": "200"}, 1),
        ("SearchTime", {}, 1234),
        ("CostUsd", {}, 0.0125),
        ("LlmCalls", {}, 2),
        ("InputTokens", {}, 2000),
        ("OutputTokens", {}, 200),
        ("RulesOnly", {}, 1),
        ("SourceStatus", {"source": "github", "status": "ok"}, 2),
        ("SourceStatus", {"source": "github", "status": "timeout"}, 1),
    ]


def test_assemble_measures_its_response(capsys: pytest.CaptureFixture[str]) -> None:
    """An answer by what it says of itself, a problem by its status alone."""
    call = handler("screener", sample_dependencies())
    call(event("assemble"))
    assert ("RulesOnly", {}, 5) in list(metrics(written(capsys)))
    failure = {"kind": "repositories", "failure": {"Error": "SourcesFailed", "Cause": "github: unavailable"}}
    call(event("assemble") | {"outcomes": [failure]})
    found = list(metrics(written(capsys)))
    assert ("Responses", {"status": "503"}, 1) in found
    assert {name for name, _, _ in found} == {"Responses", "Duration"}


@pytest.mark.parametrize(("variable", "namespace"), [("", "goldpan"), ("Goldpan-2", "Goldpan-2")])
def test_metrics_are_in_the_namespace_of_the_stack(
    variable: str, namespace: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a shared one, alarms would count the searches of other stacks."""
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", variable)
    measure_call("score", "an-id", 0.25, {}, cold=False)
    measure_response(Response(statusCode=503, contentType="", retryAfter="", body=""), None)
    assert {each["Namespace"] for line in written(capsys) for each in line["_aws"]["CloudWatchMetrics"]} == {namespace}


def test_a_trace_is_no_dimension(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its id is in every line, so that all lines of one request are found."""
    monkeypatch.setenv("_X_AMZN_TRACE_ID", f"Root={TRACE};Parent=53995c3f42cd8ad8;Sampled=1")
    handler("screener", sample_dependencies())(event("assemble"))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line.get("xray_trace_id") for line in lines} == {TRACE}
    assert not [line for line in lines if "_id" in json.dumps(line.get("_aws"))]


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
