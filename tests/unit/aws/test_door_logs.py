"""What a door writes: JSON lines with its metrics, and nothing of what was asked, found or answered."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from goldpan.engine.events import Stage
from goldpan.errors import SourcesFailed
from goldpan.kinds import registry as kinds
from goldpan.kinds.registry import Stages

from tests.unit.aws.doors import door, event, sample_ports
from tests.unit.aws.marked import HUSHED, JUDGED, STAGES, asked, marked_ports, model, said


def _lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Read what was written; every line is one JSON object, and nothing goes to the other stream."""
    written = capsys.readouterr()
    assert written.err == ""
    lines = [json.loads(line) for line in written.out.splitlines()]
    assert all(isinstance(line, dict) for line in lines)
    return lines


@pytest.mark.parametrize("stage", STAGES)
def test_a_call_writes_json_lines_that_tell_nothing_of_the_search(
    stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the question nor a README, nor a reason, is in what a call writes, and each line names its stage."""
    door(STAGES[stage], marked_ports(model(said(JUDGED))))(asked(stage))
    lines = _lines(capsys)
    assert lines
    assert {line["stage"] for line in lines if "message" in line or "Duration" in line} == {stage}
    assert HUSHED not in json.dumps(lines)


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "assemble"])
@pytest.mark.parametrize("ending", [SourcesFailed(f"{HUSHED}text"), ZeroDivisionError(f"{HUSHED}text")])
def test_a_call_that_fails_is_measured_and_still_tells_nothing(
    stage: Stage, ending: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The metrics of a call that raised are written all the same; its error is Lambda's to tell."""

    def run(*_: object) -> object:
        raise ending

    changed: dict[str, Any] = {stage: run}
    monkeypatch.setitem(kinds.KINDS, "repositories", replace(Stages(), **changed))
    with pytest.raises(type(ending)):
        door(STAGES[stage], sample_ports())(asked(stage))
    lines = _lines(capsys)
    assert [line["stage"] for line in lines if "_aws" in line] == [stage]
    assert HUSHED not in json.dumps(lines)


@pytest.mark.parametrize(
    "broken",
    [
        {"stage": "unheard of"},
        {"task": {"repository": {"full_name": f"{HUSHED}/b", "readme": 5}}},
        {"task": "none"},
        {"note": f"{HUSHED}note"},
    ],
    ids=["stage", "repository", "task", "further field"],
)
@pytest.mark.parametrize("function", ["scout", "screener"])
def test_a_message_that_breaks_its_form_is_not_repeated(function: str, broken: dict[str, Any]) -> None:
    """Lambda writes the text of an error into the log: it names the field, and repeats nothing of what was given."""
    given = {**asked("score" if function == "screener" else "scout"), **broken}
    with pytest.raises((ValueError, KeyError)) as refused:
        door(function, sample_ports())(given)
    assert HUSHED not in str(refused.value)
    assert "Rust" not in str(refused.value)


def _metrics(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [line for line in _lines(capsys) if "_aws" in line]


@pytest.mark.parametrize("service", [None, "another"])
@pytest.mark.parametrize("stage", STAGES)
def test_the_duration_has_its_stage_as_a_dimension(
    stage: Stage, service: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An alarm on `Duration` by `service` and `stage` finds its metric, whatever the environment calls the service."""
    if service:
        monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", service)
    door(STAGES[stage], sample_ports())(event(stage))
    (line,) = [line for line in _metrics(capsys) if "Duration" in line]
    (told,) = line["_aws"]["CloudWatchMetrics"]
    assert told["Namespace"] == "goldpan"
    assert [sorted(names) for names in told["Dimensions"]] == [["service", "stage"]]
    assert (line["stage"], line["service"]) == (stage, "goldpan")
    assert {"Name": "Duration", "Unit": "Milliseconds"} in told["Metrics"]
    assert 0 <= line["Duration"][0] < 30_000


def test_a_cold_start_is_counted_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The first call of a process is a cold start, also where it fails; the later ones are none."""
    call = door("screener", sample_ports())
    with pytest.raises(ValueError, match=r"."):
        call({"stage": "score"})
    for _ in range(3):
        call(event("rank"))
    assert [line.get("ColdStart") for line in _metrics(capsys)] == [[1.0], None, None, None]


def test_the_summary_of_an_answer_is_a_line_of_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """What a search took and cost is told once, at the end, as JSON and at a level that is written."""
    door("screener", sample_ports())(event("assemble"))
    told = [line for line in _lines(capsys) if "Pipeline completed" in str(line.get("message", ""))]
    assert [line["level"] for line in told] == ["INFO"]
    assert "LLM calls" in told[0]["message"]
