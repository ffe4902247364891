"""Reads ranges of numbers, such as those of years: one number, or an inclusive range, open at one end or closed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldpan.errors import InvalidRequest

YEARS = ("year_from", "year_to")
"""The fields of a range of years."""
_RANGE = re.compile(r"(?P<only>\d{1,9})|(?P<first>\d{1,9})?\s*\.\.+\s*(?P<last>\d{1,9})?")


def read_range(text: str, name: str, fields: Sequence[str] = YEARS) -> list[tuple[str, int]]:
    """Return the fields of both ends with their numbers, those that are given.

    Raises `InvalidRequest` by the name of the option.
    """
    match = _RANGE.fullmatch(text.strip())
    ends = [] if match is None else [match["only"] or match[end] for end in ("first", "last")]
    found = [(field, int(end)) for field, end in zip(fields, ends, strict=False) if end]
    if not found:
        what = "a year or a range" if tuple(fields) == YEARS else "a number or a range"
        message = f"{name}: must be {what} such as 2020, 2020..2024, 2020.. or ..2024 (given {text[:60]!r})"
        raise InvalidRequest(message)
    if len(found) > 1 and found[0][1] > found[1][1]:
        message = f"{name}: the range ends before it begins (given {text[:60]!r})"
        raise InvalidRequest(message)
    return found
