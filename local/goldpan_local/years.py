"""Reads the years of `--year`: one year or an inclusive range, open at one end or closed."""

from __future__ import annotations

import re

from goldpan.errors import InvalidRequest

_YEARS = re.compile(r"(?P<only>\d{1,9})|(?P<first>\d{1,9})?\s*\.\.+\s*(?P<last>\d{1,9})?")


def read_years(text: str, name: str) -> dict[str, int]:
    """Return `year_from` and `year_to`, those that are given. Raises `InvalidRequest` by the name of the option."""
    match = _YEARS.fullmatch(text.strip())
    bounds = {} if match is None else {
        field: int(year)
        for field, group in (("year_from", "first"), ("year_to", "last"))
        if (year := match["only"] or match[group])
    }  # fmt: skip
    if not bounds:
        message = f"{name}: must be a year or a range such as 2020, 2020..2024, 2020.. or ..2024 (given {text[:60]!r})"
        raise InvalidRequest(message)
    if bounds.get("year_from", 0) > bounds.get("year_to", float("inf")):
        message = f"{name}: the range ends before it begins (given {text[:60]!r})"
        raise InvalidRequest(message)
    return bounds
