"""The port of the single-flight locks: of several identical searches at once, one runs and the others wait for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count


class SingleFlightLocks(Protocol):
    """Locks on the keys of answers that are being searched for. The methods raise `StoreFailed`.

    The owner names the search, such as an execution of the state machine. It may acquire its own lock again, and
    releases only its own.
    """

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key for `ttl`; False if another owner holds a lock that has not expired."""

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it."""


class BestEffortLocks:
    """Locks that never fail a search: while their store fails, every search runs."""

    def __init__(self, locks: SingleFlightLocks, clock: Clock, count: Count) -> None:
        self._locks = locks
        self._circuit = CircuitBreaker("single-flight lock store", "FlightsFailed", clock, count)

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; True while the store fails."""
        return self._circuit.call(lambda: self._locks.acquire(key, ttl, owner), lambda: True)

    def release(self, key: str, owner: str) -> None:
        """Release the lock, or leave it to expire while the store fails."""
        self._circuit.call(lambda: self._locks.release(key, owner), lambda: None)
