"""Sleeps, and keeps how long each sleep really took: a late wake-up is the machine's, not the flow's."""

from __future__ import annotations

import asyncio
import time

from tests.benchmarks.critical_path import scheduled
from tests.benchmarks.payload import SCORED_AT_ONCE


class Sleeper:
    """Sleeps for the stages of one run after the other."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slept: dict[str, list[float]] = {}

    def sleep(self, stage: str) -> None:
        """Sleep for a stage; no sleep at all where the stage takes no time, for even that costs a system call."""
        if self._seconds:
            begin = time.perf_counter()
            time.sleep(self._seconds)
            self._slept.setdefault(stage, []).append(time.perf_counter() - begin)

    async def sleep_async(self, stage: str) -> None:
        """Sleep for a stage in an event loop."""
        if self._seconds:
            begin = time.perf_counter()
            await asyncio.sleep(self._seconds)
            self._slept.setdefault(stage, []).append(time.perf_counter() - begin)

    def critical_path(self) -> float:
        """Give the seconds that the sleeps of the last run take at best, and forget them."""
        slept, self._slept = self._slept, {}
        single = sum(sum(slept.get(stage, [])) for stage in ("translate", "shortlist", "rank"))
        return single + max(slept.get("scout", [0.0])) + scheduled(slept.get("score", []), SCORED_AT_ONCE)
