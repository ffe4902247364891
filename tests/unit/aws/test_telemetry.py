"""Logs, metrics and traces of the handlers: what they hold, and what they never hold."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from goldpan.aws.telemetry import count_event, measure_response, take_counts
from goldpan.engine.problem_details import Response
from goldpan.errors import Defect
from snapshot_restore_py import get_after_restore

from tests.support.factories import ListedSource, QueuedModel, answer, repository
from tests.support.handlers import HANDLERS, event, handler, load_function, sample_dependencies
from tests.support.private_marks import JUDGED, MARK, REASON, broken, completion, invoke, marked, refusal
from tests.support.private_marks import marked_dependencies as dependencies


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
            name = metric["Name"]
            values = {dimension: line[dimension] for dimension in dimensions}
            assert values.pop("service") == "goldpan"
            [value] = line[name]
            yield name, values, value


def test_counts_belong_to_one_call(capsys: pytest.CaptureFixture[str]) -> None:
    """Written when it ends, also if it fails; only the first is a cold start; a snapshot carries none to its copies."""
    take_counts()
    call = handler("scout", sample_dependencies())
    count_event("CacheHit")
    count_event("CacheHit")
    with pytest.raises(Defect):
        call({"stage": "scout"})
    _, *counts = metrics(written(capsys))
    assert counts == [("ColdStart", {"stage": "scout"}, 1), ("CacheHit", {"stage": "scout"}, 2)]
    call(event("scout"))
    assert {name for name, _, _ in metrics(written(capsys))} == {"Duration"}
    before = len(get_after_restore())
    load_function("screener")
    count_event("CacheFailed")
    for hook, arguments, named in list(get_after_restore())[before:]:
        hook(*arguments, **named)
    handler("screener", sample_dependencies())(event("rank"))
    assert "CacheFailed" not in {name for name, _, _ in metrics(written(capsys))}


def test_clients_log_no_address_and_no_prompt(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever level the function itself logs at: an address of a search holds the question."""
    caplog.set_level(logging.DEBUG)
    clients = [logging.getLogger(name) for name in ("httpx2", "openai", "botocore")]
    for client in clients:
        client.setLevel(logging.NOTSET)  # an earlier test may have raised it
    handler("scout", sample_dependencies())(event("scout"))
    assert not any(client.isEnabledFor(logging.INFO) for client in clients)


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


@pytest.mark.parametrize("stage", HANDLERS)
def test_every_line_is_json_and_names_its_stage(
    stage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And its trace, by an id that is no dimension; none has the question, a README, a reason or a secret."""
    monkeypatch.setenv("_X_AMZN_TRACE_ID", "Root=1-65f0c1a2-0123456789abcdef01234567;Parent=53995c3f42cd8ad8;Sampled=1")
    assert "errorType" not in invoke(stage, dependencies(), marked(stage))
    written = capsys.readouterr()
    lines = [json.loads(line) for line in written.out.splitlines()]
    assert {line.get("xray_trace_id") for line in lines} == {"1-65f0c1a2-0123456789abcdef01234567"}
    assert "_id" not in json.dumps([line["_aws"] for line in lines if "_aws" in line])
    assert {line["stage"] for line in lines if "message" in line or "Duration" in line} == {stage}
    assert MARK not in written.out + written.err
    if stage == "assemble":
        [summary] = [line for line in lines if "Search completed" in str(line.get("message"))]
        assert summary["level"] == "INFO"
        assert {"ms", "stage_ms", "cost_usd", "sources"} <= summary["fields"].keys()


RESPONSES = {
    "no JSON": completion(f"no JSON, but {MARK}words"),
    "other fields": completion({f"{MARK}field": REASON, "relevance": MARK, "keywords": MARK}),
    "half a character": completion(JUDGED | {"reasoning": "It fits \ud83d."}),
    "refused with half a character": refusal(400, "no \ud83d"),
    "limited": refusal(429),
    "down": refusal(502),
    "gone": broken,
    "rejected": refusal(401, f"Incorrect credentials: {MARK}key."),
}


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("stage", ["translate", "score", "scout", "shortlist"])
def test_nothing_leaks_whatever_a_server_returns(stage: str, name: str, everything: Callable[[], str]) -> None:
    """Only a rejected credential fails the call; failures of the model are counted, and a warning names the cache."""
    model = stage in {"translate", "score"}
    answer = RESPONSES[name] if model or name != "rejected" else refusal(401, "Bad credentials")  # GitHub's own text
    result = invoke(stage, dependencies(answer) if model else dependencies(github=answer), marked(stage))
    assert result.get("errorType") == ("CredentialRejected" if name == "rejected" else None)
    written = everything()
    assert ("LlmFailed" in written) == (model and name not in {"other fields", "half a character"})
    assert stage != "translate" or "goldpan-cache could not be used" in written
    assert MARK not in written


@pytest.mark.parametrize("stage", HANDLERS)
def test_nothing_leaks_of_a_refused_request(stage: str, everything: Callable[[], str]) -> None:
    """Lambda logs the text of the error, which names fields and repeats no value; an unknown stage is no dimension."""
    assert invoke(stage, sample_dependencies(), {"stage": f"{MARK}stage"})["errorType"] == "Defect"
    wrong = {"query": f"{MARK}\u0007", "question": f"{MARK}question"}
    fields = {"request": wrong, **({"outcomes": []} if stage == "assemble" else {})}
    result = invoke(stage, sample_dependencies(), marked(stage) | fields)
    assert result.get("errorType", "InvalidRequest") == "InvalidRequest"
    assert result.get("statusCode", 400) == 400
    written = everything()
    assert ("RequestsRefused" in written) == ("errorType" in result), "Lambda counts it as an error, the alarm does not"
    assert '"stage":"unknown"' in written
    assert MARK not in written


@pytest.mark.parametrize(("status", "is_refused"), [("rate_limited", True), ("unavailable", False)])
def test_limits_of_the_sources_are_no_failure_of_a_function(
    status: str, *, is_refused: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """The client gets 429 and comes back; an outage of all sources raises the alarm."""
    value = event("shortlist")
    for batch in value["batches"]:
        batch["status"] |= {"status": status, "retry_at": "2026-12-01T00:00:00Z"}
    assert "errorType" in invoke("shortlist", sample_dependencies(), value)
    assert ("RequestsRefused" in capsys.readouterr().out) == is_refused


@pytest.mark.parametrize("error", ["SourcesFailed", "KeyError"])
def test_nothing_leaks_of_a_terminal_error(error: str, everything: Callable[[], str]) -> None:
    """Its message goes to the client alone; a problem is measured by its status."""
    cause = json.dumps({"errorMessage": f"{MARK}message", "errorType": error, "stackTrace": [f"{MARK}trace"]})
    outcome = {"kind": "repositories", "failure": {"Error": error, "Cause": cause}}
    status = invoke("assemble", sample_dependencies(), marked("assemble") | {"outcomes": [outcome]})["statusCode"]
    written = everything()
    assert f'"status":"{status}"' in written.replace(" ", "")
    assert MARK not in written
