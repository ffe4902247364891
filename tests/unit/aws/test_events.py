"""The events between the state machine and the handlers."""

import json
from datetime import timedelta

import pytest
from goldpan.aws.events import AssembleEvent, BeginResult, KindOutcome, ScoutEvent, dump, parse_event
from goldpan.engine.events import execution_time, latest
from goldpan.engine.failures import DEFECT
from goldpan.engine.stage_values import KindFailure

from tests.support.fakes import START, FakeClock
from tests.support.handlers import event, handler, sample_dependencies

REPORT = {"errorType": "InvalidRequest", "stackTrace": ["/var/task/app.py"] * 9}


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        (json.dumps(REPORT | {"errorMessage": 'a "quoted"\ntext'}), 'a "quoted"\ntext'),
        (json.dumps(REPORT)[:-5], ""),
        ("a stage was cut at its time limit", "a stage was cut at its time limit"),
        ("", ""),
    ],
    ids=["report", "truncated report", "text", "none"],
)
def test_a_failure_has_the_message_of_the_function(cause: str, message: str) -> None:
    """The stack trace of Lambda's report is left out, also if Step Functions truncated the report."""
    outcome = KindOutcome(kind="toys", failure={"Error": "InvalidRequest", "Cause": cause}).unwrap()
    assert outcome == KindFailure(kind="toys", error="InvalidRequest", message=message)
    lost = KindOutcome(kind="toys", failure={"Error": "Runtime.ExitError", "Cause": cause}).unwrap()
    assert lost == KindFailure(kind="toys", error="Defect", message=DEFECT), "the text of a defect stays in the log"


@pytest.mark.parametrize(("waited", "seconds"), [(None, 11 * 25 / 26), (0, 11 * 25 / 26), (3.5, 11 * 22 / 26), (30, 0)])
def test_time_spent_waiting_is_deducted(waited: float | None, seconds: float) -> None:
    """The stages share what waiting for another search has left of the 25 seconds; translate and scout have 11/26."""
    times = {"started_at": START} | ({} if waited is None else {"requested_at": START - timedelta(seconds=waited)})
    deadline = ScoutEvent.model_validate(event("scout") | times).deadline(FakeClock())
    assert (deadline.at - START).total_seconds() == pytest.approx(min(seconds, 6))


def test_defaults_are_omitted() -> None:
    """The payload is limited: neither nulls nor empty values travel."""
    shortlisted = handler("screener", sample_dependencies())(event("shortlist"))
    assert shortlisted["shortlist"]["tasks"]
    for task in shortlisted["shortlist"]["tasks"]:
        assert not [name for name, value in task["repository"].items() if value in (None, [], {})]
    assert dump(BeginResult(decision="wait", kinds=("toys",))) == {"decision": "wait", "kinds": ["toys"]}


@pytest.mark.parametrize("field", ["stage", "task", "note", "started_at"])
def test_an_event_of_another_form(field: str) -> None:
    """It is refused; Lambda logs the error, so it repeats no value."""
    with pytest.raises(ValueError, match=r".") as error:
        parse_event(event("score") | {field: "private text"})
    assert "private" not in str(error.value)


def test_the_times_of_the_functions() -> None:
    """Each function has its part of the total; of kinds side by side the slowest counts; ranking passes them on."""
    after = [START + timedelta(seconds=seconds) for seconds in range(10)]
    outcomes = [
        {"kind": "a", "translated_at": after[1], "scouted_at": after[5]},
        {"kind": "b", "translated_at": after[2], "scouted_at": after[4]},
        {"kind": "c"},
    ]
    assembled = {"stage": "assemble", "request": None, "started_at": START, "outcomes": outcomes}
    ended = latest(pair for each in AssembleEvent.model_validate(assembled).outcomes for pair in each.ended())
    times = execution_time(START, ended, after[9])
    assert (times.query_translator, times.scout, times.screener, times.total) == (2000, 3000, 4000, 9000)
    times = execution_time(START, {"translate": after[2]}, after[9])
    assert (times.query_translator, times.scout, times.screener) == (2000, 0, 7000)
    behind = execution_time(START, {"translate": after[2], "scout": after[1]}, after[9])
    assert (behind.query_translator, behind.scout) == (2000, 0), "the clock of another machine may be behind"
    ranked = {"translated_at": "2026-08-22T12:00:02Z", "scouted_at": "2026-08-22T12:00:05Z"}
    assert ranked.items() <= handler("screener", sample_dependencies())(event("rank") | ranked).items()
