"""What was really spent in the fullest window, reckoned from the moments of the calls alone."""

from __future__ import annotations

from collections.abc import Iterable

Call = tuple[float, int]
"""The moment of a call in seconds, and its cost."""


def most_in_a_window(calls: Iterable[Call], seconds: float) -> int:
    """Tell the largest sum of costs in any window of that length, its two ends included."""
    ordered = sorted(calls)
    most = held = first = 0
    for moment, cost in ordered:
        held += cost
        while ordered[first][0] < moment - seconds:
            held -= ordered[first][1]
            first += 1
        most = max(most, held)
    return most
