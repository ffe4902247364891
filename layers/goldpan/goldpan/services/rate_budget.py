"""Whether a source may be called: the come-back time that it last gave."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Protocol


class RateBudget(Protocol):
    """Remembers until when a source, with one credential, must be left alone."""

    def closed_until(self, key: str) -> datetime | None:
        """Tell the come-back time, None where the source may be called."""

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then."""


class ProcessRateBudget:
    """A rate budget of one process; safe between threads."""

    def __init__(self) -> None:
        self._closed: dict[str, datetime] = {}
        self._turn = threading.Lock()

    def closed_until(self, key: str) -> datetime | None:
        """Tell the come-back time, None where the source may be called."""
        with self._turn:
            return self._closed.get(key)

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then; an earlier time never shortens a later one."""
        with self._turn:
            self._closed[key] = max(until, self._closed.get(key, until))
