"""The shortest time in which a search can end, given how long its requests took."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from goldpan.config import PipelineConfig

Step = Literal["translate", "search", "enrich", "score"]
SCORING_CALLS_AT_ONCE = 10
TRANSLATE_SECONDS, CALL_SECONDS, SCORE_SECONDS = 5.0, 8.0, 10.0
TARGET_SECONDS = PipelineConfig().target_seconds or 27.0
"""When goldpan gives up: on translate, on one scoring call, on score, and on score counted from the start."""


@dataclass(frozen=True)
class TimedRequest:
    """A request at a server: its step, when it came, and how many seconds its response takes."""

    step: Step
    start: float
    seconds: float


def critical_path(requests: Iterable[TimedRequest]) -> float:
    """Sum the steps: the slowest request of each, and the schedule of the scoring calls."""
    seconds: dict[Step, list[float]] = {"translate": [], "search": [], "enrich": [], "score": []}
    for request in sorted(requests, key=lambda request: request.start):
        seconds[request.step].append(request.seconds)
    translate, search, enrich = (max(seconds[step], default=0.0) for step in ("translate", "search", "enrich"))
    before = min(TRANSLATE_SECONDS, translate) + search + enrich
    scoring = schedule(min(CALL_SECONDS, call) for call in seconds["score"])
    return before + min(SCORE_SECONDS, TARGET_SECONDS - before, scoring)


def schedule(calls: Iterable[float], workers: int = SCORING_CALLS_AT_ONCE) -> float:
    """Give each call, in order, to the worker that is free first; returns the seconds until the last one ends."""
    free_at = [0.0] * workers
    for call in calls:
        heapq.heapreplace(free_at, free_at[0] + call)
    return max(free_at)
