"""The shortest time in which one search can be answered, given how long its requests really took outside."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Step = Literal["translate", "search", "enrich", "score"]
AT_ONCE = 10
TRANSLATE_SECONDS, CALL_SECONDS, SCORE_SECONDS, TARGET_SECONDS = 5.0, 8.0, 10.0, 11.5
"""Where goldpan gives up: on the translation, on one scoring call, on scoring as a whole, and since the begin."""


@dataclass(frozen=True)
class Occurred:
    """One request at a server: what it was for, when it began, and how long the server took."""

    step: Step
    begin: float
    seconds: float


def critical_path(requests: Iterable[Occurred]) -> float:
    """Sum the stages: the slowest request of each, and the schedule of the scoring calls."""
    seconds: dict[Step, list[float]] = {"translate": [], "search": [], "enrich": [], "score": []}
    for request in sorted(requests, key=lambda request: request.begin):
        seconds[request.step].append(request.seconds)
    before = (
        min(TRANSLATE_SECONDS, max(seconds["translate"], default=0.0))
        + max(seconds["search"], default=0.0)
        + max(seconds["enrich"], default=0.0)
    )
    scoring = scheduled(min(CALL_SECONDS, call) for call in seconds["score"])
    return before + min(SCORE_SECONDS, TARGET_SECONDS - before, scoring)


def scheduled(calls: Iterable[float], at_once: int = AT_ONCE) -> float:
    """Give each call, in order, to the worker that is free first; tell when the last one ends."""
    free = [0.0] * at_once
    for call in calls:
        heapq.heapreplace(free, free[0] + call)
    return max(free)
