"""The bound on calls in flight: how many calls a source gets at the same time from all processes that share a store."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from typing import Protocol

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import RateLimited, TimedOut
from goldpan.infra.circuit_breaker import CircuitBreaker

MARGIN_SECONDS = 2
"""How long a call counts beyond its deadline, unless it ends: for clocks that differ, and for what was cut there."""
MAX_LEASE_SECONDS = 60
"""No call lasts longer: what is counted beyond that was written by a wrong clock, and is ignored."""
SHORTEST_WAIT, LONGEST_WAIT = 0.02, 0.2
"""Seconds between two questions to the store whether another call has ended."""
End = Callable[[], None]
"""Ends the call that was counted."""


class CallsInFlight(Protocol):
    """Counts calls in flight. The method, and the function that it returns, raise `StoreFailed`.

    A call of a process that dies counts until its time has passed.
    """

    def begin(self, key: str, most: int, until: int) -> End | None:
        """Count one more call until it ends, or until that second since 1970; None if `most` are in flight."""


class BestEffortCallsInFlight:
    """Counts in this process and in a shared store; in this process alone while the store fails."""

    def __init__(self, shared: CallsInFlight, own: CallsInFlight, circuit: CircuitBreaker) -> None:
        self._shared, self._own, self._circuit = shared, own, circuit

    def begin(self, key: str, most: int, until: int) -> End | None:
        """Count one more call, unless this process or all of them together have `most` in flight."""
        end_own = self._own.begin(key, most, until)
        if end_own is None:
            return None
        end_shared = self._circuit.call(lambda: self._shared.begin(key, most, until), lambda: _end_nothing)
        if end_shared is None:
            end_own()
            return None

        def end() -> None:
            end_own()
            self._circuit.call(end_shared, _end_nothing)

        return end


def _end_nothing() -> None:
    """End a call that was not counted."""


class InFlightLimit:
    """Lets at most so many calls be in flight at once; safe between threads.

    Of the threads that wait, one at a time asks the store: a hundred that ask would block it for all others.
    """

    def __init__(self, calls: CallsInFlight, most: int, clock: Clock) -> None:
        self._calls, self._most, self._clock = calls, most, clock
        self._waiting = threading.Lock()

    @contextmanager
    def call(self, key: str, deadline: Deadline) -> Iterator[None]:
        """Wait until one more call may be made, and count what runs inside as one. Raises `RateLimited`.

        A call that is cut at its deadline counts a little longer: the source may still be working on it.
        """
        end = self._wait(key, deadline)
        try:
            yield
        except TimedOut:
            raise
        except BaseException:
            end()
            raise
        end()

    def _wait(self, key: str, deadline: Deadline) -> End:
        latest = deadline.before(MIN_ATTEMPT_SECONDS)
        end = None if self._waiting.locked() else self._begin(key, deadline)
        if end is None and self._waiting.acquire(timeout=latest.left):
            try:
                end = self._ask_until(latest, key, deadline)
            finally:
                self._waiting.release()
        if end is None:
            calls = "1 call" if self._most == 1 else f"{self._most} calls"
            message = f"{key.partition(':')[0]} allows {calls} at a time, which others are making"
            raise RateLimited(message, self._clock.now() + timedelta(seconds=1))
        return end

    def _ask_until(self, latest: Deadline, key: str, deadline: Deadline) -> End | None:
        wait = SHORTEST_WAIT
        while (end := self._begin(key, deadline)) is None and latest.left:
            self._clock.wait(min(latest.left, random.uniform(wait / 2, wait)))  # noqa: S311 - protects nothing
            wait = min(LONGEST_WAIT, 2 * wait)
        return end

    def _begin(self, key: str, deadline: Deadline) -> End | None:
        longest = min(deadline.left + MARGIN_SECONDS, MAX_LEASE_SECONDS)
        return self._calls.begin(key, self._most, ceil(self._clock.now().timestamp() + longest))
