"""The cost in the fullest window, computed from the times of the calls alone."""

from __future__ import annotations

from collections.abc import Iterable

Call = tuple[float, int]
"""The time of a call in seconds, and its cost."""


def fullest_window(calls: Iterable[Call], seconds: float) -> int:
    """Return the largest sum of costs in any window of that length, both ends included."""
    ordered = sorted(calls)
    fullest = total = first = 0
    for time, cost in ordered:
        total += cost
        while ordered[first][0] < time - seconds:
            total -= ordered[first][1]
            first += 1
        fullest = max(fullest, total)
    return fullest
