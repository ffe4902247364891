"""Single flight: of many that ask the same at once, one finds the answer and the others read it."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Protocol

from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count


class SingleFlightLocks(Protocol):
    """Marks what is being answered; raises `StoreFailed`.

    An owner names who answers, such as an execution: it may begin again what it began, and it ends only its own.
    Without an owner any caller ends the mark.
    """

    def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
        """Mark the key; False where somebody else is answering it, whose mark expires when its life is over."""

    def end(self, key: str, owner: str = "") -> None:
        """Take the mark away."""


class ProcessLocks:
    """The flights of one process; safe between threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._marks: dict[str, tuple[str, datetime]] = {}
        self._turn = threading.Lock()

    def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
        """Mark the key; False where somebody else is answering it."""
        now = self._clock.now()
        with self._turn:
            self._marks = {of: mark for of, mark in self._marks.items() if mark[1] > now}
            mine = self._marks.get(key, (owner, now))[0] == owner and bool(owner)
            if key in self._marks and not mine:
                return False
            self._marks[key] = (owner, now + life)
        return True

    def end(self, key: str, owner: str = "") -> None:
        """Take the mark away."""
        with self._turn:
            if owner in {"", self._marks.get(key, ("", None))[0]}:
                self._marks.pop(key, None)


class BestEffortLocks:
    """Flights that never fail a search: where they cannot be reached, each finds its own answer."""

    def __init__(self, flights: SingleFlightLocks, clock: Clock, on_failure: Count) -> None:
        self._flights, self._tolerance = flights, CircuitBreaker("Flights", clock, on_failure)

    def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
        """Mark the key; True where nobody can be asked."""
        return self._tolerance.tried(lambda: self._flights.begin(key, life, owner), lambda: True)

    def end(self, key: str, owner: str = "") -> None:
        """Take the mark away, or leave it to expire."""
        self._tolerance.tried(lambda: self._flights.end(key, owner), lambda: None)
