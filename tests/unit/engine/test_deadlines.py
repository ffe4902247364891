"""Deadlines of the stages: each has its own seconds, and leaves those of the stages after it."""

from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Stage, stage_deadline
from goldpan.errors import OutOfTime

from tests.support.factories import NOW, StillClock, request


def seconds_left(stage: Stage, late: float = 0, max_seconds: int = 27, target: float | None = None) -> float:
    """Return the seconds of a stage that starts so late."""
    asked = request(max_seconds=max_seconds)
    return stage_deadline(stage, NOW, asked, StillClock(NOW + timedelta(seconds=late)), target).left


def test_a_stage_has_its_seconds_within_the_time_left() -> None:
    """Never more than its own, nor of those of the stages after it; `target_seconds` limits scoring alone."""
    rows: list[tuple[Stage, float, int, float | None, float]] = [
        ("translate", 0, 27, None, 5), ("translate", 3, 27, None, 2),
        ("scout", 1, 27, None, 6), ("scout", 9, 27, None, 2), ("scout", 60, 27, None, 0),
        ("shortlist", 2, 27, None, 4), ("shortlist", 16, 27, None, 0),
        ("score", 3, 27, None, 10), ("score", 20, 27, None, 5), ("score", 3, 27, 11.5, 8.5),
        ("rank", 8, 27, None, 1), ("rank", 25.5, 27, None, 0.5), ("rank", 12, 27, 11.5, 1),
        # 13 of 26 seconds halve the end of each stage
        ("translate", 0, 13, None, 2.5), ("scout", 2.5, 13, None, 3), ("rank", 12.5, 13, None, 0.5),
    ]  # fmt: skip
    for stage, late, max_seconds, target, expected in rows:
        assert seconds_left(stage, late, max_seconds, target) == pytest.approx(expected), (stage, late)


def test_no_time_to_translate_is_an_error() -> None:
    """Only a search that cannot find anything any more ends; the message names the field."""
    with pytest.raises(OutOfTime, match=r"^max_seconds: 7 seconds were not enough to find anything$"):
        seconds_left("translate", late=8, max_seconds=7)
