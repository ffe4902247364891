"""The shortest time in which a search can be answered, given how long its requests or sleeps really took."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Step = Literal["translate", "search", "enrich", "score"]
CONCURRENCY = 10
TRANSLATE_SECONDS, CALL_SECONDS, SCORE_SECONDS, TARGET_SECONDS = 5.0, 8.0, 10.0, 11.5
"""When goldpan stops the translation, one scoring call, the scoring stage, and scoring counted from the start."""


@dataclass(frozen=True)
class TimedRequest:
    """One request at a server: its step, its start and the seconds that the server took."""

    step: Step
    start: float
    seconds: float


def critical_path(requests: Iterable[TimedRequest]) -> float:
    """Sum the slowest request of each stage and the schedule of the scoring calls; returns seconds."""
    seconds: dict[Step, list[float]] = {"translate": [], "search": [], "enrich": [], "score": []}
    for request in sorted(requests, key=lambda request: request.start):
        seconds[request.step].append(request.seconds)
    translate, search, enrich = (max(seconds[step], default=0.0) for step in ("translate", "search", "enrich"))
    before = min(TRANSLATE_SECONDS, translate) + search + enrich
    scoring = schedule(min(CALL_SECONDS, call) for call in seconds["score"])
    return before + min(SCORE_SECONDS, TARGET_SECONDS - before, scoring)


def schedule(calls: Iterable[float], concurrency: int = CONCURRENCY) -> float:
    """Assign each call, in order, to the worker that is free first; returns when the last one ends."""
    free = [0.0] * concurrency
    for call in calls:
        heapq.heapreplace(free, free[0] + call)
    return max(free)
