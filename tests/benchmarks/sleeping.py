"""Sleeps for the stages of a flow, and measures how long each sleep really took."""

from __future__ import annotations

import asyncio
import time

from tests.benchmarks.critical_path import schedule


class Sleeper:
    """Sleeps for the stages of one run after the other; zero seconds cost no system call."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._slept: dict[str, list[float]] = {}

    def sleep(self, stage: str) -> None:
        """Sleep for a stage."""
        if self._seconds:
            start = time.perf_counter()
            time.sleep(self._seconds)
            self._slept.setdefault(stage, []).append(time.perf_counter() - start)

    async def sleep_async(self, stage: str) -> None:
        """Sleep for a stage in an event loop."""
        if self._seconds:
            start = time.perf_counter()
            await asyncio.sleep(self._seconds)
            self._slept.setdefault(stage, []).append(time.perf_counter() - start)

    def critical_path(self) -> float:
        """Return the seconds that the sleeps of the last run need at least, and reset them."""
        slept, self._slept = self._slept, {}
        single = sum(sum(slept.get(stage, [])) for stage in ("translate", "shortlist", "rank"))
        return single + max(slept.get("scout", [0.0])) + schedule(slept.get("score", []))
