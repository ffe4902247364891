"""Ranges of stars and years, as an interpretation writes them."""

import re
from typing import NamedTuple

LOWER = re.compile(r"at least|more than|over|from|since|after|minimum|or more|or later|[>≥+]")
UPPER = re.compile(r"at most|fewer|less than|under|until|before|up to|maximum|or earlier|or fewer|[<≤]")
NUMBER = re.compile(r"\d[\d,]*")
DIRECTION_AND_NUMBER = re.compile(rf"({LOWER.pattern})|({UPPER.pattern})|({NUMBER.pattern})")


class Bounds(NamedTuple):
    """The numbers that bound a range from below and from above."""

    low: int | None = None
    high: int | None = None


def parse_bounds(text: str) -> Bounds:
    """Parse "more than 500", "1,000 to 2,000", "in 2019" or "at least 10, rather under 500".

    A strict bound is returned as written.
    """
    low: int | None = None
    high: int | None = None
    upper, directed = False, False
    for match in DIRECTION_AND_NUMBER.finditer(text.casefold()):
        if match[1] or match[2]:
            upper, directed = bool(match[2]), True
            continue
        number = int(match[3].replace(",", ""))
        if upper or low is not None:
            high = number
        else:
            low = number
    return Bounds(low, low) if low is not None and high is None and not directed else Bounds(low, high)
