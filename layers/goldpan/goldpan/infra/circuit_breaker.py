"""A circuit breaker: a store that fails never fails a search, and costs it little time."""

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from goldpan.engine.deadlines import Clock
from goldpan.errors import StoreFailed

Result = TypeVar("Result")
Count = Callable[[str], None]
"""Adds one to the metric of that name."""
OPEN_TIME = timedelta(seconds=30)
"""Longer than any search: each logs one warning at most, and loses the time of one failed call at most."""
_LOG = logging.getLogger(__name__)


def uncounted(metric: str) -> None:
    """Count nothing."""
    del metric


class CircuitBreaker:
    """Calls a store; for `OPEN_TIME` after a failure, which is counted and logged, a fallback. Safe between threads."""

    def __init__(self, store: str, metric: str, clock: Clock, count: Count) -> None:
        self._store, self._metric, self._clock, self._count = store, metric, clock, count
        self._open_until = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def call(self, work: Callable[[], Result], fallback: Callable[[], Result]) -> Result:
        """Return what the work returns, or what the fallback returns if the store fails or the circuit is open."""
        if self._clock.now() < self._open_until:
            return fallback()
        try:
            return work()
        except StoreFailed as failure:
            self._count(self._metric)
            with self._lock:
                now = self._clock.now()
                opens = now >= self._open_until
                if opens:
                    self._open_until = now + OPEN_TIME
            if opens:
                _LOG.warning("The %s failed; searches continue without it: %s", self._store, failure)
            return fallback()
