"""The cost in the fullest window, computed from the times of the calls alone."""

from collections.abc import Sequence

Call = tuple[float, int]
"""The time of a call in seconds, and its cost."""


def fullest_window(calls: Sequence[Call], seconds: float) -> int:
    """Return the largest sum of costs in any window of that length, both ends included."""
    windows = ([cost for time, cost in calls if start <= time <= start + seconds] for start, _ in calls)
    return max(map(sum, windows), default=0)
