"""Days, years and spans of time in a question: "since March 2023", "2018-2021", "the last two years", "the nineties".

What happened then (a push, a publication) and what follows for the results is the business of each kind.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from goldpan.question.grammar import cues, pattern

How = Literal["since", "after", "before", "until", "in", "between", "around", "within", "lone"]
Fact = Literal["pushed", "created"]
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip
"""The numbers that people write in words; "few" is taken as three."""
DAYS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 365, "decade": 3650}
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
AROUND_YEARS = 2
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990, "noughties": 2000}
_PART = re.compile(r"(?:the\s+)?(?:(early|beginning|start|first)|(mid)|(late\b|end\b|second))")
"""The early, the middle and the late part of a year or a decade."""
_MAY_DATE = re.compile(r"\d|day|week|month|quarter|year|decade|ties|noughties", re.IGNORECASE)
"""A day has a digit or names a unit; the patterns are compiled for such a text only."""


@dataclass(frozen=True)
class Period:
    """A span of time at a place of the question; both days are inclusive, None is open."""

    start: int
    end: int
    how: How
    day: str
    """The day as typed, such as "March 2023" or "2 years"."""
    first: date | None = None
    last: date | None = None
    fact: Fact | None = None
    """The event that the span dates, such as a release; None if the question names no event."""
    count: tuple[int, str] | None = None
    """The number and the unit of "the last two years"."""
    denied: bool = False
    """Whether "not" or "except" stands before it, which no relation takes up: "not from 2019"."""


def find_dates(text: str, today: date) -> list[Period]:
    """Find the days and spans of time of a text, the longest first where they overlap."""
    found: list[Period] = []
    if not _MAY_DATE.search(text):
        return found
    for name, read in _READERS.items():
        for match in pattern("dates", name).finditer(text):
            one = read(match, today)
            one = one and _denied(one, text)
            if one and all(one.end <= other.start or other.end <= one.start for other in found):
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def _range(match: re.Match[str], _today: date) -> Period | None:
    low, high = match["low"], match["high"]
    if len(high) == len("19"):
        if high <= low[-2:]:  # "2024-05" is a month
            return None
        high = low[:2] + high
    ends = sorted((period(low), period(high)))
    return _made(match, "between", f"{low} to {match['high']}", ends[0][0], ends[1][1])


def _point(match: re.Match[str], _today: date) -> Period:
    """Read "before 2019", "2019 onwards" and a day alone."""
    day, said = " ".join(match["day"].split()), match.groupdict()
    first, last = period(day)
    one, some = timedelta(days=1), timedelta(days=365 * AROUND_YEARS)
    ends: dict[How, tuple[date | None, date | None]] = {
        "since": (first, None),
        "after": (last + one, None),
        "before": (None, first - one),
        "until": (None, last),
        "around": ((first - some).replace(month=1, day=1), (last + some).replace(month=12, day=31)),
        "in": (first, last),
        "lone": (first, last),
    }
    how: How = next((name for name in ends if said.get(name)), "in" if said.get("fact_pushed") else "lone")
    if said.get("onwards") or said.get("backwards"):
        how = "since" if said["onwards"] else "until"
    elif how == "since" and said["since"].lower() == "from":
        how = "in"
    return _made(match, how, day, *ends[how])


def _denied(one: Period, text: str) -> Period:
    """Turn round what "not" or "exclude anything" stands before; where that has no relation it is only marked.

    So is what "excluded" follows.
    """
    cue = pattern("dates", "denied").search(text[: one.start])
    if cue is None:
        at = len(text) - len(text[one.end :].lstrip(" "))
        after = cues("refuses_previous").match(text, at) if at > one.end else None
        return replace(one, end=after.end(), denied=True) if after and one.how in ("in", "lone", "between") else one
    start = one.start if cue["other"] else cue.start()
    if one.how == "before" and one.last:
        return replace(one, start=start, how="since", first=one.last + timedelta(days=1), last=None)
    if one.how in ("since", "after", "within") and one.first:
        day = one.day if one.count is None else str(one.first)
        last = one.first - timedelta(days=1)
        return replace(one, start=start, how="before", day=day, first=None, last=last, count=None)
    return replace(one, start=start, denied=True)


def _relative(match: re.Match[str], today: date) -> Period:
    """Read "the last two years", "this month"."""
    unit, this = match["unit"].lower(), match["this"].lower()
    if this == "this" and unit in ("month", "year"):
        first = today.replace(day=1, month=1 if unit == "year" else today.month)
        return _made(match, "since", str(first.year) if unit == "year" else str(first), first, None)
    within, year = _within(match, today), today.year - 1
    if unit == "year" and match["count"] is None and this in ("last", "previous") and not match["span"]:
        return replace(within, how="in", day=str(year), first=date(year, 1, 1), last=date(year, 12, 31))
    return within


def _age(match: re.Match[str], today: date) -> Period | None:
    """Read "less than 2 years old", "no older than five years", "at least 5 years old"."""
    within = _within(match, today)
    is_sure = re.search(r"old|new|young", match["compared"], re.IGNORECASE)
    if not (is_sure or match["old"] or within.fact):
        return None
    if match["over"]:
        day = within.first
        return replace(within, how="before", day=str(day), first=None, last=day, fact="created", count=None)
    return replace(within, fact="pushed" if within.fact == "pushed" or match["old"] == "ago" else "created")


def _within(match: re.Match[str], today: date) -> Period:
    """Read a number of units before today: none is 1, as in "the last year", and of "5-10" the larger counts."""
    unit, said = match["unit"].lower(), match["count"] or "one"
    digits = re.findall(r"\d+", said)
    count = max(1, int(digits[-1])) if digits else COUNTS[" ".join(said.lower().split())]
    made = _made(match, "within", f"{count} {unit}{'s' if count > 1 else ''}", ago(today, count, unit), None)
    return replace(made, count=(count, unit))


def _made(match: re.Match[str], how: How, day: str, first: date | None, last: date | None) -> Period:
    groups = match.groupdict()
    fact: Fact | None = "pushed" if groups.get("fact_pushed") else "created" if groups.get("fact_created") else None
    return Period(match.start(), match.end(), how, " ".join(day.split()), first, last, fact)


def ago(today: date, count: int, unit: str) -> date:
    """Return the day that is a number of units before, at the earliest in the year 1."""
    if unit not in MONTHS:
        return today - timedelta(days=count * DAYS[unit])
    year, month = divmod(max(12, today.year * 12 + today.month - 1 - count * MONTHS[unit]), 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def period(text: str) -> tuple[date, date]:
    """Return the first and the last day of "2024", "May 2024", "2024-05-01", "Q3 2022", "early 1990s"."""
    lower = " ".join(text.lower().split())
    found = _PART.match(lower)
    part = (found.lastindex or 0) if found else 0
    if decade := re.search(rf"{'|'.join(_DECADES)}|(?:\d\d)?\d0(?='?s)", lower):
        name = decade[0]
        begin = _DECADES.get(name) or (int(name) if len(name) > len("90") else 1900 + int(name))
        low, high = ((0, 9), (0, 4), (3, 7), (5, 9))[part]
        return date(begin + low, 1, 1), date(begin + high, 12, 31)
    return _within_year(lower, ((1, 12), (1, 6), (4, 9), (7, 12))[part])


def _within_year(lower: str, months: tuple[int, int]) -> tuple[date, date]:
    """Return the first and the last day of these months of a year, or of the month or the quarter that a text names."""
    year, day = int([match[0] for match in pattern("dates", "year").finditer(lower)][-1]), None
    low, high = months
    if iso := re.search(r"\d{4}-(\d\d)(?:-(\d\d))?", lower):
        low, high, day = int(iso[1]), int(iso[1]), iso[2]
    elif month := pattern("dates", "month_of").search(lower):
        low = high = _MONTHS.index(month["month"][:3]) + 1
        day = month["before"] or month["after"]
    elif quarter := re.search(r"q([1-4])", lower):
        low, high = int(quarter[1]) * 3 - 2, int(quarter[1]) * 3
    days = monthrange(year, high)[1]
    return date(year, low, min(days, max(1, int(day or 1)))), date(year, high, min(days, max(1, int(day or days))))


def period_label(first: int | None, last: int | None) -> str:
    """Describe a span of years; None is open."""
    if first and last:
        return f"in {first}" if first == last else f"{first} to {last}"
    return f"since {first}" if first else f"until {last}"


_READERS: dict[str, Callable[[re.Match[str], date], Period | None]] = {
    "range": _range, "point": _point, "relative": _relative, "age": _age, "later": _point, "lone": _point
}  # fmt: skip
"""How the patterns of days are read, those that count where they overlap first."""
