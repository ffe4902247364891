"""Single-flight locks whose failures cost no search."""

from __future__ import annotations

from datetime import timedelta

from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.locks.port import SingleFlightLocks


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
