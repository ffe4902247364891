"""The ranges that qualifiers such as `stars:` and `pushed:` accept."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Bound = float | str
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


def in_number_range(actual: int, text: str) -> bool:
    """Tell whether a number lies in a range such as `>=10`, `10..50`, `10..*` or `10`."""
    try:
        return _in_range(text, lambda bound: (float(actual), float(bound)))
    except ValueError:
        return False


def in_date_range(actual: str | None, text: str) -> bool:
    """Tell whether a moment lies in a range of dates; a date without a time means the whole day."""
    if actual is None:
        return False
    # ISO dates in UTC sort as text, so that cutting the moment to the bound's length compares days with days.
    return _in_range(text.upper(), lambda bound: (actual[: len(bound)], bound))


def _in_range(text: str, pair: Callable[[str], tuple[Bound, Bound]]) -> bool:
    low, dots, high = text.partition("..")
    if dots:
        above = low == "*" or _in_range(f">={low}", pair)
        return above and (high == "*" or _in_range(f"<={high}", pair))
    for sign, compare in COMPARISONS.items():
        if text.startswith(sign):
            return compare(*pair(text.removeprefix(sign)))
    actual, bound = pair(text)
    return actual == bound
