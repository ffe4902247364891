"""Stores fail, searches go on: what fails is said once, counted, and left alone for as long as a search takes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from goldpan.engine.deadlines import Clock
from goldpan.errors import CallFailed

Result = TypeVar("Result")
Count = Callable[[str], None]
"""Counts one in the metric of that name."""
REST = timedelta(seconds=30)
"""No search lasts longer, so each warns once at most, and loses the time of one failed call at most."""
_LOG = logging.getLogger(__name__)


class StoreFailed(CallFailed):
    """A store could not be reached, or is not what it should be; a search goes on without it."""


class CircuitBreaker:
    """Tries a store, and where that fails takes something else instead; may be shared between threads."""

    def __init__(self, store: str, clock: Clock, on_failure: Count) -> None:
        self._store, self._clock, self._on_failure = store, clock, on_failure
        self._rests_until = datetime.min.replace(tzinfo=UTC)
        self._turn = threading.Lock()

    def tried(self, work: Callable[[], Result], instead: Callable[[], Result]) -> Result:
        """Do the work, or the other thing where the store fails, or failed a moment ago."""
        if self._clock.now() < self._rests_until:
            return instead()
        try:
            return work()
        except StoreFailed as failure:
            self._on_failure(f"{self._store}Failed")
            self._rest(failure)
            return instead()

    def _rest(self, failure: StoreFailed) -> None:
        with self._turn:
            now = self._clock.now()
            if now < self._rests_until:
                return
            self._rests_until = now + REST
        _LOG.warning("%s failed, searches go on without it: %s", self._store, failure)
