"""What is counted while a function runs: its metrics are written when the call ends."""

from __future__ import annotations

import threading
from collections import Counter


class Counts:
    """Counts by name; safe between threads."""

    def __init__(self) -> None:
        self._counted: Counter[str] = Counter()
        self._turn = threading.Lock()

    def add(self, name: str) -> None:
        """Count one."""
        with self._turn:
            self._counted[name] += 1

    def taken(self) -> dict[str, int]:
        """Give what was counted, and begin anew."""
        with self._turn:
            counted, self._counted = self._counted, Counter()
        return dict(counted)


COUNTS = Counts()
"""Of this function: its container runs one call at a time."""
