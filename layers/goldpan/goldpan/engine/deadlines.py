"""Clocks and deadlines: times on the wall clock, so that they mean the same in every function and in every store."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, Protocol

from goldpan.errors import Cancelled, OutOfTime

if TYPE_CHECKING:
    from goldpan.contracts import SearchRequest

Stage = Literal["translate", "scout", "shortlist", "score", "rank", "assemble"]
STAGE_SECONDS: dict[Stage, float] = {"translate": 5, "scout": 6, "shortlist": 4, "score": 10, "rank": 1}
"""The maximum duration of each stage; scaled down if the caller allows fewer seconds in total."""
MIN_ATTEMPT_SECONDS = 1.0
"""Seconds that must be left after a wait for a call to make sense."""
SECOND = 1_000_000
"""Microseconds of a second."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    """Reads the time and waits."""

    def now(self) -> datetime:
        """Return the time, in UTC."""

    def wait(self, seconds: float) -> None:
        """Wait; raises `Cancelled` if the search is cancelled during the wait."""


class WallClock:
    """The clock of the machine; `cancel` ends every wait at once."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Wait; raises `Cancelled` if the search is cancelled during the wait."""
        if self._cancelled.wait(seconds):
            raise Cancelled("the search was cancelled")

    def cancel(self) -> None:
        """Cancel the search."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether the search was cancelled."""
        return self._cancelled.is_set()


class SearchClock(WallClock):
    """The clock of one search; once cancelled, it also fails when read, so that the search ends at its next look."""

    def now(self) -> datetime:
        """Return the current time. Raises `Cancelled`."""
        if self.cancelled:
            raise Cancelled("the search was cancelled")
        return super().now()


@dataclass(frozen=True)
class Deadline:
    """A moment by which something must have ended."""

    at: datetime
    clock: Clock

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> Deadline:
        """Return the deadline that many seconds from now."""
        return cls(clock.now() + timedelta(seconds=seconds), clock)

    @property
    def left(self) -> float:
        """Seconds left, 0 after the deadline."""
        return max(0.0, (self.at - self.clock.now()).total_seconds())

    def within(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and that many seconds from now."""
        return Deadline(min(self.at, self.clock.now() + timedelta(seconds=seconds)), self.clock)

    def before(self, seconds: float) -> Deadline:
        """Return the deadline that many seconds before this one."""
        return Deadline(self.at - timedelta(seconds=seconds), self.clock)


def stage_deadline(
    stage: Stage, started_at: datetime, request: SearchRequest, clock: Clock, target_seconds: float | None = None
) -> Deadline:
    """Return the deadline of a call of a stage, counted from the start of the search.

    A call has the seconds of its stage, and ends at `stage_end` at the latest. Raises `OutOfTime` if no time is left to
    translate; a later stage without time reports that itself, and the answer holds what was found.
    """
    end = stage_end(stage, started_at, request, clock, target_seconds)
    if not end.left and stage == "translate":
        raise OutOfTime(f"max_seconds: {request.max_seconds} seconds were not enough to find anything")
    return end.within(STAGE_SECONDS[stage])


def stage_end(
    stage: Stage, started_at: datetime, request: SearchRequest, clock: Clock, target_seconds: float | None = None
) -> Deadline:
    """Return when a stage has ended, so that later ones keep their seconds; scoring by `target_seconds`."""
    names, allowed = list(STAGE_SECONDS), request.max_seconds
    scale = min(1.0, allowed / sum(STAGE_SECONDS.values()))
    end = sum(STAGE_SECONDS[name] for name in names[: names.index(stage) + 1]) * scale
    if stage == "score" and target_seconds is not None:
        end = min(end, target_seconds)
    return Deadline(started_at + timedelta(seconds=end), clock)


def to_micros(time: datetime) -> int:
    """Convert a time to microseconds since 1970 (UTC), as all stores write it."""
    return (time - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """Convert microseconds to a time. Raises `OverflowError` beyond the year 9999."""
    return _EPOCH + timedelta(microseconds=micros)
