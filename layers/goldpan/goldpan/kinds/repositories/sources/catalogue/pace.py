"""Work on a catalogue that takes long: it waits for rate limits and outages, and says how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import RateLimited, TimedOut, Unavailable

Result = TypeVar("Result")
CALL_SECONDS = 30
OUTAGE_WAITS = (5.0, 30.0, 120.0)
"""Seconds before each further attempt of a call that failed."""
SAID_FROM = 20
"""Seconds of a wait from which on it is said."""


@dataclass
class Pace:
    """When the work has to end, if ever, where it shows how far it is, and where it says that it waits."""

    clock: Clock
    show: Callable[[str], None]
    say: Callable[[str], None]
    ends: datetime | None = None
    began: datetime = field(init=False)
    done: int = 0
    """How many repositories were worked on."""

    def __post_init__(self) -> None:
        self.began = self.clock.now()

    @property
    def is_over(self) -> bool:
        """Whether the time has run out."""
        return self.ends is not None and self.clock.now() >= self.ends

    def call(self, call: Callable[[Deadline], Result]) -> Result | None:
        """Call, again after a rate limit and up to three times after an outage; None if the time ran out before.

        Raises `CallFailed` or `CredentialRejected`.
        """
        waits = iter(OUTAGE_WAITS)
        while not self.is_over:
            try:
                return call(Deadline.after(CALL_SECONDS, self.clock))
            except RateLimited as limited:
                self._wait(limited.retry_at, str(limited))
            except (TimedOut, Unavailable) as failure:
                wait = next(waits, None)
                if wait is None:
                    raise
                self._wait(self.clock.now() + timedelta(seconds=wait), str(failure))
        return None

    def _wait(self, until: datetime, reason: str) -> None:
        until = until if self.ends is None else min(until, self.ends)
        seconds = (until - self.clock.now()).total_seconds()
        if seconds >= SAID_FROM:
            self.say(f"waiting until {until:%H:%M:%S} UTC: {reason}")
        self.clock.wait(seconds)

    def time_left(self, left: int) -> str:
        """Return in words how long so many more will take at the pace of what is done."""
        if not self.done:
            return "time left unknown"
        minutes = round((self.clock.now() - self.began).total_seconds() * left / self.done / 60)
        return f"about {minutes // 60} h {minutes % 60} min left" if minutes else "less than a minute left"
