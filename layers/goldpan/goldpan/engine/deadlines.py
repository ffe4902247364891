"""The time that is left: a moment on the wall clock, so that it means the same in every function."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from goldpan.errors import Cancelled

TIME_FOR_A_TRY = 1.0
"""Seconds that must be left after a wait for a call to make sense."""


class Clock(Protocol):
    """Tells the time and waits."""

    def now(self) -> datetime:
        """Tell the time, in UTC."""

    def wait(self, seconds: float) -> None:
        """Wait; raises `Cancelled` where the search is given up meanwhile."""


class WallClock:
    """The clock of the machine; `cancel` ends every wait at once."""

    def __init__(self) -> None:
        self._given_up = threading.Event()

    def now(self) -> datetime:
        """Tell the time, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Wait; raises `Cancelled` where the search is given up meanwhile."""
        if self._given_up.wait(max(0.0, seconds)):
            raise Cancelled("the search was given up")

    def cancel(self) -> None:
        """Give the search up."""
        self._given_up.set()

    @property
    def cancelled(self) -> bool:
        """Whether the search was given up."""
        return self._given_up.is_set()


@dataclass(frozen=True)
class Deadline:
    """A moment by which something must have ended."""

    at: datetime
    clock: Clock

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> Deadline:
        """Make the deadline that many seconds from now."""
        return cls(clock.now() + timedelta(seconds=seconds), clock)

    @property
    def left(self) -> float:
        """Seconds left, 0 when it has passed."""
        return max(0.0, (self.at - self.clock.now()).total_seconds())

    def within(self, seconds: float) -> Deadline:
        """Make the earlier of this deadline and that many seconds from now."""
        return Deadline(min(self.at, self.clock.now() + timedelta(seconds=seconds)), self.clock)

    def before(self, seconds: float) -> Deadline:
        """Make a deadline that leaves that many seconds of this one."""
        return Deadline(self.at - timedelta(seconds=seconds), self.clock)
