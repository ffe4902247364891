"""When each stage must have ended: its share of the time, the same on one machine and at the doors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from goldpan.aws.messages import Asked
from goldpan.aws.scout_messages import ScoutAsked
from goldpan.aws.screener_messages import RankAsked, ScoreAsked, ShortlistAsked
from goldpan.aws.translator_messages import TranslateAsked
from goldpan.contracts import SearchRequest
from goldpan.engine import pipeline
from goldpan.engine.deadlines import Deadline
from goldpan.engine.deadlines import Stage
from goldpan.engine.schedule import SECONDS
from goldpan.engine.deadlines import stage_deadline
from goldpan.errors import OutOfTime
from goldpan.kinds.registry import Stages
from goldpan.engine.dependencies import Dependencies
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW, ListedSource, StillClock, repository, request
from tests.unit.aws.doors import event

STAGES: tuple[Stage, ...] = ("translate", "scout", "shortlist", "score", "rank")
MESSAGES: dict[Stage, type[Asked]] = {
    "translate": TranslateAsked,
    "scout": ScoutAsked,
    "shortlist": ShortlistAsked,
    "score": ScoreAsked,
    "rank": RankAsked,
}
ALLOWED = st.integers(5, 27)
TARGETS = st.none() | st.floats(2, 27)
LATE = st.floats(0, 60)


def _asked(seconds: int, target: float | None) -> SearchRequest:
    return request(max_seconds=seconds, config={"target_seconds": target})


def _deadline(stage: Stage, asked: SearchRequest, late: float) -> Deadline | None:
    """Give the deadline of a stage that begins so many seconds late; None where it is told to be out of time."""
    try:
        return stage_deadline(stage, NOW, asked, StillClock(NOW + timedelta(seconds=late)))
    except OutOfTime:
        return None


@given(st.sampled_from(STAGES), ALLOWED, TARGETS, LATE)
def test_a_stage_never_has_more_than_its_seconds(stage: Stage, seconds: int, target: float | None, late: float) -> None:
    """No stage may take longer than its limit, nor end after the time that the asker allows."""
    until = _deadline(stage, _asked(seconds, target), late)
    if until is not None:
        assert until.left <= SECONDS[stage] + 1e-6
        assert until.at <= NOW + timedelta(seconds=seconds)


@given(st.sampled_from(STAGES), ALLOWED, TARGETS, LATE)
def test_a_stage_leaves_the_seconds_of_those_after_it(
    stage: Stage, seconds: int, target: float | None, late: float
) -> None:
    """However late a stage begins, what comes after it keeps its own share of the time."""
    until = _deadline(stage, _asked(seconds, target), late)
    after = sum(SECONDS[name] for name in STAGES[STAGES.index(stage) + 1 :])
    share = min(1.0, seconds / sum(SECONDS.values()))
    whole = min(seconds, sum(SECONDS.values()))
    if until is not None:
        assert (until.at - NOW).total_seconds() <= whole - after * share + 1e-6


@given(ALLOWED, st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_deadlines_never_go_back_along_the_flow(seconds: int, used: Sequence[float]) -> None:
    """A stage that takes all of its time, or a part of it, never leaves the next one a deadline that has passed."""
    clock, asked = StillClock(), _asked(seconds, None)
    for stage, part in zip(STAGES, used, strict=True):
        until = stage_deadline(stage, NOW, asked, clock)
        assert until.left > 0
        assert until.at > clock.now()
        clock.wait(part * until.left)


@given(ALLOWED, LATE)
def test_only_what_can_find_nothing_any_more_is_out_of_time(seconds: int, late: float) -> None:
    """The first stage gives up when its time has passed; after it every part says for itself that it was late."""
    asked = _asked(seconds, None)
    passed = late > SECONDS["translate"] * min(1.0, seconds / sum(SECONDS.values())) + 1e-6
    assert [stage for stage in STAGES if _deadline(stage, asked, late) is None] == (["translate"] if passed else [])


def test_out_of_time_names_what_the_asker_may_mend() -> None:
    """The message names the field and what was given."""
    with pytest.raises(OutOfTime, match=r"^max_seconds: 7 seconds were not enough to find anything$"):
        stage_deadline("translate", NOW, _asked(7, None), StillClock(NOW + timedelta(seconds=8)))


@given(ALLOWED, st.floats(2, 27), LATE)
def test_scoring_stops_at_its_target_and_nothing_else_does(seconds: int, target: float, late: float) -> None:
    """`target_seconds` ends the scoring early; every other stage has the same deadline with and without it."""
    with_target, without = _asked(seconds, target), _asked(seconds, None)
    for stage in STAGES:
        one, other = _deadline(stage, with_target, late), _deadline(stage, without, late)
        if one is None or other is None:
            assert one is other
        elif stage == "score":
            assert one.at == min(other.at, NOW + timedelta(seconds=target))
        else:
            assert one.at == other.at


@given(st.sampled_from(STAGES), ALLOWED, st.floats(0, 4))
def test_a_door_and_one_machine_keep_the_same_time(stage: Stage, seconds: int, late: float) -> None:
    """The message of a stage gives the deadline that the flow on one machine gives, from the same begin."""
    given_event: dict[str, Any] = event(stage)
    given_event["request"]["max_seconds"] = seconds
    asked = MESSAGES[stage].model_validate({**given_event, "begun_at": NOW.isoformat()})
    here, there = (StillClock(NOW + timedelta(seconds=late)) for _ in range(2))
    try:
        expected = stage_deadline(stage, NOW, asked.request, here).at
    except OutOfTime:
        with pytest.raises(OutOfTime):
            asked.deadline(there)
    else:
        assert asked.deadline(there).at == expected


def test_the_flow_on_one_machine_keeps_the_schedule() -> None:
    """Every stage of a search on one machine is given the deadline of the schedule, and no other."""
    clock, seen = StillClock(), dict[str, datetime]()
    usual = Stages()

    def noted(stage: str) -> Any:
        def run(*given: Any) -> Any:
            seen[stage] = next(value for value in given if isinstance(value, Deadline)).at
            return getattr(usual, stage)(*given)

        return run

    nodes = replace(usual, **{stage: noted(stage) for stage in STAGES if stage != "rank"})
    dependencies = Dependencies(clock=clock, sources={"github": ListedSource([repository()])})
    pipeline.search(request(), dependencies, sources=("github",), nodes=nodes)
    assert seen == {stage: stage_deadline(stage, NOW, request(), clock).at for stage in STAGES if stage != "rank"}


def test_the_seconds_are_those_of_the_flow() -> None:
    """The limits stand in the order of the flow and leave the gateway's patience of 29 seconds untouched."""
    assert tuple(SECONDS) == STAGES
    assert sum(SECONDS.values()) <= 27
