"""When a language model may be called again, after its provider asked for a pause or failed several times in a row."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Deadline
from goldpan.errors import RateLimited
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.settings import LLMEndpoint

FRESH = timedelta(seconds=1)
"""How old what is known of other processes may be; a search makes up to ten calls at once."""
STOP = timedelta(seconds=20)
"""How long no call is made after a refusal of all calls: until the search has ended."""
MAX_FAILURES, FAILURE_PAUSE = 3, timedelta(seconds=5)
"""Calls in a row without an answer after which none is made for a while; the first failure after that repeats it."""
REST, DOUBLINGS = timedelta(seconds=1), 3
"""How long no call is made after the first refusal of too many calls in a row; how often that is doubled at most."""
TURN_SECONDS = 0.05
"""How often a call that waits for another one looks whether that has ended."""


@dataclass(frozen=True)
class _Pause:
    """No call before that time; whether a call may wait for it."""

    until: datetime
    reason: str
    waits: bool


class Pauses:
    """The pause of one model at one address with one key; safe between threads."""

    def __init__(self, endpoint: LLMEndpoint, shared: RateLimiter) -> None:
        address = f"{endpoint.base_url} {endpoint.model}"
        self._key = rate_limit_key("llm", address, endpoint.key.get_secret_value())
        self._shared = shared
        self._pause: _Pause | None = None
        self._read_at: datetime | None = None
        self._failures = 0
        self._turn = threading.Lock()

    @contextmanager
    def turn(self, deadline: Deadline) -> Iterator[None]:
        """Let one call be made at a time after a failure, so that not ten learn the same, until the model answers."""
        held = False
        while self._failures and deadline.left and not (held := self._turn.acquire(blocking=False)):
            deadline.clock.wait(TURN_SECONDS)
        try:
            yield
        finally:
            if held:
                self._turn.release()

    def note_answer(self) -> None:
        """End the row of failures."""
        self._failures = 0

    def note_failure(self, reason: str, now: datetime) -> None:
        """Count a call without an answer; after several in a row, this process makes none for a while."""
        self._failures += 1
        until = now + FAILURE_PAUSE
        if self._failures >= MAX_FAILURES and (self._pause is None or until > self._pause.until):
            self._pause = _Pause(until, reason, waits=False)

    def rest(self, reason: str, now: datetime) -> None:
        """Make no call for a while, longer each time in a row: there were too many, and the provider names no time."""
        if self._pause is None or self._pause.until <= now:
            rest = REST * 2 ** min(self._failures, DOUBLINGS)
            self._pause = _Pause(now + rest, reason, waits=True)
            self._failures += 1

    def hold(self, until: datetime, reason: str, *, waits: bool) -> None:
        """Make no call before that time, in any process: the provider asked for it."""
        if self._pause is None or until > self._pause.until:
            self._pause = _Pause(until, reason, waits)
            self._shared.block_until(self._key, until)

    def wait(self, deadline: Deadline) -> None:
        """Wait for the end of a pause. Raises `RateLimited` if the deadline or its reason does not allow that."""
        clock = deadline.clock
        pause = self._current(clock.now())
        if pause is None:
            return
        seconds = (pause.until - clock.now()).total_seconds()
        if not pause.waits or seconds + MIN_ATTEMPT_SECONDS >= deadline.left:
            raise RateLimited(pause.reason, pause.until)
        clock.wait(seconds)

    def _current(self, now: datetime) -> _Pause | None:
        """Return the pause that lasts: of this process, else of another one."""
        if self._pause is not None and self._pause.until > now:
            return self._pause
        if self._read_at is not None and self._read_at <= now < self._read_at + FRESH:
            return None
        self._read_at = now
        until = self._shared.blocked_until(self._key)
        if until is None or until <= now:
            return None
        reason = f"the language model asked not to be called before {until:%H:%M:%S} UTC"
        self._pause = _Pause(until, reason, waits=True)
        return self._pause
