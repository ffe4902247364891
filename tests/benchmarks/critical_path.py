"""The shortest time in which a search or a flow can end, given how long its requests or its sleeps took."""

from __future__ import annotations

import argparse
import asyncio
import heapq
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

Step = Literal["translate", "search", "enrich", "score"]
SCORING_CALLS_AT_ONCE = 10
TRANSLATE_SECONDS, CALL_SECONDS, SCORE_SECONDS, TARGET_SECONDS = 5.0, 8.0, 10.0, 11.5
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


class Sleeper:
    """Sleeps for the stages of one run after the other; a late wake-up is not the overhead of a flow."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slept: dict[str, list[float]] = {}

    def sleep(self, stage: str) -> None:
        """Sleep for a stage; not at all if stages take no time, because even a sleep of 0 s is a system call."""
        if self._seconds:
            with self._timed(stage):
                time.sleep(self._seconds)

    async def sleep_async(self, stage: str) -> None:
        """Sleep for a stage in an event loop."""
        if self._seconds:
            with self._timed(stage):
                await asyncio.sleep(self._seconds)

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self._slept.setdefault(stage, []).append(time.perf_counter() - start)

    def critical_path(self) -> float:
        """Return the shortest time in seconds that the sleeps of the last run need, and drop them."""
        slept, self._slept = self._slept, {}
        single = sum(sum(slept.get(stage, [])) for stage in ("translate", "shortlist", "rank"))
        return single + max(slept.get("scout", [0.0])) + schedule(slept.get("score", []))


def measure_flow(prepare: Callable[[Sleeper, bool], Callable[[], float]]) -> dict[str, list[float]]:
    """Run a prepared flow several times; returns the seconds of each run, the cold one first, and its critical path."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sleep", type=float, default=0.0)
    parser.add_argument("--runs", type=int, default=6)
    parser.add_argument("--asynchronous", action="store_true")
    options = parser.parse_args()
    sleeper = Sleeper(options.sleep)
    run = prepare(sleeper, options.asynchronous)
    rows = [(run(), sleeper.critical_path()) for _ in range(options.runs)]
    return {"walls": [wall for wall, _ in rows], "paths": [path for _, path in rows]}
