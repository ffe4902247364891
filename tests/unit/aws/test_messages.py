"""The messages between the state machine and its doors."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from goldpan.aws.assemble_messages import Line
from goldpan.aws.scout_messages import ScoutAsked
from goldpan.aws.screener_messages import ScoreAsked
from goldpan.contracts import KindResult, parse_request
from goldpan.engine.schedule import stage_deadline

from tests.support.factories import NOW, StillClock
from tests.unit.aws.doors import door, event, sample_ports


def test_a_failure_tells_its_own_words_without_its_stack_trace() -> None:
    """A cause as Lambda writes it, with quotes and a trace, gives the message alone; a plain cause stays as it is."""
    said = 'query: a "quoted" text\nand a second line'
    cause = json.dumps({"errorMessage": said, "errorType": "InvalidRequest", "stackTrace": ["/var/task/app.py"]})
    for given, expected in ((cause, said), ("a stage broke", "a stage broke"), ("", "")):
        told = Line(kind="repositories", failure={"Error": "InvalidRequest", "Cause": given}).told()
        assert not isinstance(told, KindResult)
        assert (told.error, told.message) == ("InvalidRequest", expected)


def test_a_cause_that_was_cut_tells_no_stack_trace() -> None:
    """Step Functions cuts a long cause in the middle of its JSON; what is left of it is not the asker's to read."""
    cause = json.dumps({"errorMessage": "down", "errorType": "SourcesFailed", "stackTrace": ["/var/task/app.py"] * 9})
    told = Line(kind="repositories", failure={"Error": "SourcesFailed", "Cause": cause[:-5]}).told()
    assert not isinstance(told, KindResult)
    assert "/var/task" not in told.message


@pytest.mark.parametrize("waited", [0, 0.04, 3.5, 12])
def test_what_waiting_has_left_is_shared_by_the_stages(waited: float) -> None:
    """A search that waited for another has what is left of its seconds, each stage its share of them."""
    given = {**event("scout"), "begun_at": NOW, "asked_at": NOW - timedelta(seconds=waited)}
    told = ScoutAsked.model_validate(given).deadline(StillClock())
    left = parse_request({"query": "React", "max_seconds": 25 - int(waited)})
    assert told == stage_deadline("scout", NOW, left, told.clock)


def test_a_message_without_a_time_was_asked_for_when_it_began() -> None:
    """Who tries a door by hand names no times, and the stage has all of its seconds."""
    clock = StillClock()
    asked = ScoreAsked.model_validate({**event("score"), "begun_at": NOW})
    assert asked.deadline(clock) == stage_deadline("score", NOW, asked.request, clock)


def test_what_has_its_default_does_not_travel() -> None:
    """A message leaves out nulls, empty lists and defaults, because bytes between states are dear."""
    shortlisted = door("screener", sample_ports())(event("shortlist"))
    assert None not in {type(value) for value in shortlisted.values()}
    for task in shortlisted["shortlist"]["tasks"]:
        assert not [name for name, value in task["repository"].items() if value in (None, [], {}, ())]
    assert parse_request(event("shortlist")["request"])
