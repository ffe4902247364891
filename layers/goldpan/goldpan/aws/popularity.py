"""What is asked most, counted a day, so that it can be answered before it is asked again."""

from __future__ import annotations

from typing import Protocol

from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import CircuitBreaker, Count


class Popularity(Protocol):
    """Counts questions; raises `StoreFailed`."""

    def count(self, key: str, request: str) -> None:
        """Count one asking of the request, a JSON text, whose answer is remembered under the key."""


class BestEffortPopularity:
    """Counting that never fails a search: where it cannot be done, an asking goes uncounted."""

    def __init__(self, popularity: Popularity, clock: Clock, on_failure: Count) -> None:
        self._popularity, self._tolerance = popularity, CircuitBreaker("Popularity", clock, on_failure)

    def count(self, key: str, request: str) -> None:
        """Count one asking, where that can be done."""
        self._tolerance.tried(lambda: self._popularity.count(key, request), lambda: None)
