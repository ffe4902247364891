"""Long work on a catalogue: waits for rate limits and outages, and reports progress."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import RateLimited, TimedOut, Unavailable

Result = TypeVar("Result")
CALL_SECONDS = 30
OUTAGE_WAITS = (5.0, 30.0, 120.0)
"""Seconds before each further attempt of a call that failed."""
MIN_REPORTED_WAIT = 20
"""Seconds; shorter waits are not reported."""


class EndedEarly(Exception):  # noqa: N818 - it is no error
    """Raised to end work early, with the reason as its text; what was done is kept."""


@dataclass
class Pace:
    """The deadline of the work, if any, and the callbacks for progress and for messages to the user."""

    clock: Clock
    show: Callable[[str], None]
    say: Callable[[str], None]
    ends: datetime | None = None
    began: datetime = field(init=False)
    done: int = 0
    """How many repositories were worked on."""

    def __post_init__(self) -> None:
        self.began = self.clock.now()

    @contextmanager
    def until_end(self) -> Iterator[None]:
        """Run work that may end early, and report the reason if it does."""
        try:
            yield
        except EndedEarly as end:
            self.say(f"stopped early: {end}")

    def call(self, call: Callable[[Deadline], Result]) -> Result:
        """Call, again after a limit or an outage. Raises `EndedEarly`, `CallFailed` or `CredentialRejected`."""
        waits = iter(OUTAGE_WAITS)
        while self.ends is None or self.clock.now() < self.ends:
            try:
                return call(Deadline.after(CALL_SECONDS, self.clock))
            except RateLimited as limited:
                self._wait(limited.retry_at, str(limited))
            except (TimedOut, Unavailable) as failure:
                wait = next(waits, None)
                if wait is None:
                    raise
                self._wait(self.clock.now() + timedelta(seconds=wait), str(failure))
        raise EndedEarly("the time ran out")

    def _wait(self, until: datetime, reason: str) -> None:
        until = until if self.ends is None else min(until, self.ends)
        seconds = (until - self.clock.now()).total_seconds()
        if seconds >= MIN_REPORTED_WAIT:
            self.say(f"waiting until {until:%H:%M:%S} UTC: {reason}")
        self.clock.wait(seconds)

    def show_done(self, count: int, left: int, text: str) -> None:
        """Count further repositories that were worked on, and show how long those that are left will take."""
        self.done += count
        seconds = (self.clock.now() - self.began).total_seconds() * left / max(1, self.done)
        hours, minutes = divmod(math.ceil(seconds / 60), 60)
        self.show(f"{text}, about {f'{hours} h ' if hours else ''}{minutes} min left")
