"""The bound on calls in flight: how many calls a source gets at the same time from all processes that share a store.

A call in flight is a reservation of a rate limit that is released when the call ends. That of a call that was cut
counts until its window has passed; so does that of a process that died, unless its source allows one call and it ran on
this machine.
"""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import RateLimited, TimedOut
from goldpan.infra.rate_limits.limiter import RateLimiter, Reservation
from goldpan.infra.rate_limits.limits import Limit

LEASE_SECONDS = 12
"""How long a call counts unless it ends before; a stage has at most ten seconds."""
TOLERANCE = timedelta(seconds=1)
"""The difference between the clocks of two machines that refuses no call."""
SHORTEST_WAIT, LONGEST_WAIT = 0.02, 0.2
"""Seconds between two attempts to count a call that waits for the end of another one."""


class InFlightLimit:
    """Lets at most `most` calls of a source be in flight; of the threads that wait, one at a time asks the store."""

    def __init__(self, limiter: RateLimiter, source: str, most: int) -> None:
        self._calls = limiter.for_calls({source: (Limit(LEASE_SECONDS, most),)})
        self._source, self._most = source, most
        self._waiting = threading.Lock()

    @contextmanager
    def call(self, key: str, deadline: Deadline) -> Iterator[None]:
        """Count what runs inside as a call, once there is room for it; longer if it is cut. Raises `RateLimited`."""
        counted = self._wait(key, deadline)
        try:
            yield
        except TimedOut:
            raise
        except BaseException:
            self._calls.release(key, counted)
            raise
        self._calls.release(key, counted)

    def _wait(self, key: str, deadline: Deadline) -> Reservation:
        latest = deadline.before(MIN_ATTEMPT_SECONDS)
        counted = self._count(key, deadline.clock)
        if not counted.granted and self._waiting.acquire(timeout=latest.left):
            try:
                counted = self._count_until(latest, key)
            finally:
                self._waiting.release()
        if not counted.granted:
            calls = "1 call" if self._most == 1 else f"{self._most} calls"
            message = f"{self._source} allows {calls} at a time, which others are making"
            raise RateLimited(message, counted.at, sent=False)
        return counted

    def _count_until(self, latest: Deadline, key: str) -> Reservation:
        wait = SHORTEST_WAIT
        while not (counted := self._count(key, latest.clock)).granted and latest.left:
            latest.clock.wait(min(latest.left, random.uniform(wait / 2, wait)))  # noqa: S311 - protects nothing
            wait = min(LONGEST_WAIT, 2 * wait)
        return counted

    def _count(self, key: str, clock: Clock) -> Reservation:
        """Count one more call, if there is room for it."""
        return self._calls.acquire(key, latest=clock.now() + TOLERANCE)
