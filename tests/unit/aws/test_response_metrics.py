"""The metrics of a search: its status, and what its answer took, cost and was made of."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from goldpan.aws.metrics import ANSWERED, measure_response
from goldpan.contracts import Answer, Usage
from goldpan.engine.problem_details import Response, problem
from goldpan.errors import (
    CredentialRejected,
    Defect,
    GoldpanError,
    InvalidRequest,
    OutOfTime,
    SourcesFailed,
    SourcesLimited,
)

from tests.support.factories import NOW, ListedSource, QueuedModel, answer, repository
from tests.unit.aws.doors import door, event, sample_ports
from tests.unit.aws.emf import metric_lines, metrics_of, metrics_written


def _ok(found: Answer) -> Response:
    return Response(statusCode=200, contentType="application/json", retryAfter="", body=found.to_json())


def test_an_answer_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """Its time, its cost, its calls and tokens, and how many results were judged by rules, as the answer tells them."""
    found = answer(ListedSource([repository("a/one"), repository("a/two")]), QueuedModel(), max_llm_calls=2)
    usage = Usage(llm_calls=2, input_tokens=2000, output_tokens=200, cost_usd=0.0125)
    times = found.execution_time_ms.model_copy(update={"total": 1234})
    found = found.model_copy(update={"usage": usage, "execution_time_ms": times})
    measure_response(_ok(found), found)
    told = metrics_written(capsys)
    assert told["Responses"] == [({"status": "200"}, 1)]
    values = (1234, 0.0125, 2, 2000, 200, 1)
    assert {name: told[name] for name in ANSWERED} == {
        name: [({}, value)] for name, value in zip(ANSWERED, values, strict=True)
    }


def test_the_status_of_every_source_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are counted by source and status, one line for each pair and not for each row."""
    found = answer(ListedSource([repository()]))
    (row, *_) = found.sources
    rows = [row.model_copy(update={"status": status}) for status in ("ok", "ok", "timeout", "ok")]
    rows.append(row.model_copy(update={"source": "catalogue"}))
    measure_response(_ok(found), found.model_copy(update={"sources": tuple(rows)}))
    lines = metric_lines(capsys)
    assert len(lines) == 2 + 3
    told = [(where, value) for name, where, value in metrics_of(lines) if name == "SourceStatus"]
    assert [(where["source"], where["status"], value) for where, value in told] == [
        ("github", "ok", 3), ("github", "timeout", 1), ("catalogue", "ok", 1),
    ]  # fmt: skip


def test_assemble_measures_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """The door of assemble tells of its answer what stands in it, in two lines and one for each status of a source."""
    given = event("assemble")
    body = json.loads(door("screener", sample_ports())(given)["body"])
    lines = metric_lines(capsys)
    told = {name: value for name, _, value in metrics_of(lines)}
    assert told["Responses"] == 1
    assert told["SearchTime"] == body["execution_time_ms"]["total"]
    assert [told["LlmCalls"], told["CostUsd"]] == [body["usage"][name] for name in ("llm_calls", "cost_usd")]
    assert told["RulesOnly"] == sum(result["basis"] == "rules" for result in body["repositories"]["results"])
    statuses = {(row["source"], row["status"]) for row in body["sources"]}
    assert len(lines) == 1 + 2 + len(statuses)


def test_assemble_measures_a_search_that_ended(capsys: pytest.CaptureFixture[str]) -> None:
    """A search without an answer is counted by its status, and has neither time nor cost nor sources."""
    failed = {"kind": "repositories", "failure": {"Error": "SourcesFailed", "Cause": "github: unavailable"}}
    door("screener", sample_ports())({**event("assemble"), "lines": [failed]})
    told = metrics_written(capsys)
    assert told["Responses"] == [({"status": "503"}, 1)]
    assert {*told} == {"Responses", "Duration", "ColdStart"}


ENDINGS: list[tuple[GoldpanError, str]] = [
    (InvalidRequest("hush"), "400"),
    (SourcesLimited("hush", NOW), "429"),
    (CredentialRejected("hush"), "500"),
    (Defect("hush"), "500"),
    (SourcesFailed("hush"), "503"),
    (OutOfTime("hush"), "504"),
]


@pytest.mark.parametrize(("ending", "status"), ENDINGS)
def test_a_problem_is_measured_by_its_status(
    ending: GoldpanError, status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A search without an answer writes one line, with the status of what ended it."""
    measure_response(problem(ending, datetime.now(UTC)), None)
    assert metrics_written(capsys) == {"Responses": [({"status": status}, 1)]}
