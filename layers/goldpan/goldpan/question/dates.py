"""Days, years and spans of time in a question: "since March 2023", "2018-2021", "the last two years", "the nineties".

What happened then (a push, a publication) and what follows for the results is the business of each kind.
"""

from __future__ import annotations

import re
import tomllib
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Literal

How = Literal["since", "after", "before", "until", "in", "between", "around", "within", "lone"]
Fact = Literal["pushed", "created"]
COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip
"""The numbers that people write in words; "few" is taken as three."""
COUNT = rf"(?:\d{{1,3}}(?:\s*-\s*\d{{1,3}})?|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
DAYS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 365, "decade": 3650}
MAX_YEARS, AROUND_YEARS = 60, 2
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?:1[89]|20)\d\d"
_PART = r"(?:(?:the\s+)?(?:early|mid|late|(?:beginning|start|middle|end|(?:first|second)\s+half)\s+of)[\s-]+)"
_DECADES = {"fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990, "noughties": 2000}
DECADE = rf"(?:(?:the\s+)?(?:{_YEAR[:-2]}0'?s|(?:'|(?<=the\s)|(?<=early\s)|(?<=late\s)|(?<=mid\s))[3-9]0'?s|{'|'.join(_DECADES)}))"
_DAY_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"
DAY = (
    rf"(?:{_PART}?(?:{DECADE}|(?:the\s+year\s+)?(?:(?:{_DAY_OF_MONTH}\s+(?:of\s+)?)?{_MONTH},?\s+(?:{_DAY_OF_MONTH},?\s+)?|q[1-4][\s/]+"
    rf"|(?:spring|summer|autumn|fall|winter)\s+(?:of\s+)?)?{_YEAR}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?!\d))?))(?!\w|-[a-z])"
)
_UNIT = r"(?P<unit>day|week|month|quarter|year|decade)s?(?!\w)"


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
    """What is said to have happened then, if anything is."""
    count: tuple[int, str] | None = None
    """The number and the unit of "the last two years"."""
    exact: bool = False
    """Whether "last" stands before what happened: "last updated in 2024"."""
    denied: bool = False
    """Whether "not" or "except" stands before it, which no relation takes up: "not from 2019"."""


def find_dates(text: str, today: date) -> list[Period]:
    """Find the days and spans of time of a text, the longest first where they overlap."""
    found: list[Period] = []
    for one in (_denied(read, text) for read in _all(text, today)):
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.start)


def _all(text: str, today: date) -> Iterator[Period]:
    patterns = _patterns()
    for match in patterns["range"].finditer(text):
        low, high = match["low"], match["high"]
        ends = period(low), period(f"{low[:2]}{high}" if len(high) == len("19") else high)
        first, last = (ends[0][0], ends[1][1]) if ends[0] <= ends[1] else (ends[1][0], ends[0][1])
        yield _made(match, "between", f"{low} to {high}", first, last)
    for match in patterns["point"].finditer(text):
        yield _point(match)
    for name in ("relative", "age"):
        for match in patterns[name].finditer(text):
            if one := (_relative if name == "relative" else _age)(match, today):
                yield one
    for match in patterns["later"].finditer(text):
        yield _made(match, "since", match["day"], period(match["day"])[0], None)
    for match in patterns["lone"].finditer(text):
        yield _made(match, "lone", match["day"], *period(match["day"]))


def _point(match: re.Match[str]) -> Period:
    day = " ".join(match["day"].split())
    first, last = period(day)
    groups = match.groupdict()
    if groups["since"] and not groups["onwards"] and groups["since"].lower() == "from":
        return _made(match, "in", day, first, last)
    if groups["onwards"] or groups["since"]:
        return _made(match, "since", day, first, None)
    if groups["after"]:
        return _made(match, "after", day, last + timedelta(days=1), None)
    if groups["before"]:
        return _made(match, "before", day, None, first - timedelta(days=1))
    if groups["until"]:
        return _made(match, "until", day, None, last)
    if groups["around"]:
        years = timedelta(days=365 * AROUND_YEARS)
        return _made(
            match, "around", day, (first - years).replace(month=1, day=1), (last + years).replace(month=12, day=31)
        )
    return _made(match, "in", day, first, last)


def _denied(one: Period, text: str) -> Period:
    """Turn round what "not" or "exclude anything" stands before; where that has no relation it is only marked."""
    cue = _patterns()["denied"].search(text[: one.start])
    if cue is None:
        return one
    start = one.start if cue["other"] else cue.start()
    if one.how == "before" and one.last:
        return replace(one, start=start, how="since", first=one.last + timedelta(days=1), last=None)
    if one.how in ("since", "after") and one.first:
        return replace(one, start=start, how="before", first=None, last=one.first - timedelta(days=1))
    return replace(one, start=start, denied=True)


def _relative(match: re.Match[str], today: date) -> Period | None:
    """Read "the last two years", "this month"."""
    unit, this = match["unit"].lower(), match["this"].lower()
    count = to_count(match["count"])
    if this == "this":
        first = _begin_of(unit, today)
        return _made(match, "since", str(first.year) if unit == "year" else str(first), first, None)
    named = f"{count} {unit}{'s' if count > 1 else ''}"
    if unit == "year" and match["count"] is None and this in ("last", "previous") and not match["span"]:
        return replace(
            _made(match, "in", str(today.year - 1), date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
            count=(1, "year"),
        )
    return replace(_made(match, "within", named, ago(today, count, unit), None), count=(count, unit))


def _age(match: re.Match[str], today: date) -> Period | None:
    """Read "less than 2 years old", "no older than five years", "at least 5 years old"."""
    unit, count = match["unit"].lower(), to_count(match["count"])
    named = f"{count} {unit}{'s' if count > 1 else ''}"
    day = ago(today, count, unit)
    said = match["compared"].lower()
    sure = (
        "old" in said
        or "new" in said
        or "young" in said
        or match["old"]
        or match["fact_pushed"]
        or match["fact_created"]
    )
    if not sure:
        return None
    if match["over"]:
        return replace(_made(match, "before", str(day), None, day), fact="created")
    fact: Fact = "pushed" if match["fact_pushed"] or match["old"] == "ago" else "created"
    return replace(_made(match, "within", named, day, None), count=(count, unit), fact=fact)


def _made(match: re.Match[str], how: How, day: str, first: date | None, last: date | None) -> Period:
    groups = match.groupdict()
    fact: Fact | None = "pushed" if groups.get("fact_pushed") else "created" if groups.get("fact_created") else None
    exact = re.search(r"\blast\s+\w", match[0], re.IGNORECASE) is not None
    return Period(match.start(), match.end(), how, " ".join(day.split()), first, last, fact, exact=exact)


def ago(today: date, count: int, unit: str) -> date:
    """Return the day so many units before."""
    if unit in ("year", "decade"):
        year = max(1, today.year - min(count, 10 * MAX_YEARS) * (10 if unit == "decade" else 1))
        return today.replace(year=year, day=min(today.day, monthrange(year, today.month)[1]))
    if unit in ("month", "quarter"):
        months = today.year * 12 + today.month - 1 - count * (3 if unit == "quarter" else 1)
        year, month = months // 12, months % 12 + 1
        return date(year, month, min(today.day, monthrange(year, month)[1]))
    return today - timedelta(days=count * DAYS[unit])


def _begin_of(unit: str, today: date) -> date:
    if unit in ("day", "week"):
        return today - timedelta(days=today.weekday() if unit == "week" else 0)
    if unit == "decade":
        return date(today.year - today.year % 10, 1, 1)
    month = {"year": 1, "quarter": today.month - (today.month - 1) % 3}.get(unit, today.month)
    return date(today.year, month, 1)


def to_count(text: str | None) -> int:
    """Return the number, at least 1; none is 1, as in "the last year"; of "5-10" the larger."""
    if text is None:
        return 1
    digits = re.findall(r"\d+", text)
    return max(1, int(digits[-1])) if digits else COUNTS[" ".join(text.lower().split())]


def period(text: str) -> tuple[date, date]:
    """Return the first and the last day of "2024", "May 2024", "2024-05-01", "Q3 2022", "early 1990s".

    Raises `ValueError` if the text is none of them.
    """
    lower = " ".join(text.lower().split())
    if not re.fullmatch(DAY, lower, re.IGNORECASE):
        message = f"not a day: {text}"
        raise ValueError(message)
    if decade := re.search(rf"{'|'.join(_DECADES)}|(?:\d\d)?\d0(?='?s)", lower):
        name = decade[0]
        begin = _DECADES.get(name) or (int(name) if len(name) > len("90") else 1900 + int(name))
        low, high = _part(lower, ((0, 9), (0, 4), (3, 7), (5, 9)))
        return date(begin + low, 1, 1), date(begin + high, 12, 31)
    year = int(re.findall(_YEAR, lower)[-1])
    if iso := re.search(rf"{_YEAR}-(\d\d)(?:-(\d\d))?", lower):
        return _within_month(year, int(iso[1]), iso[2])
    if month := re.search(rf"(?:(\d{{1,2}})\D*)?\b({_MONTH})(?:[\s,]+(\d{{1,2}})(?:st|nd|rd|th)?\b)?", lower):
        return _within_month(year, _MONTHS.index(month[2][:3]) + 1, month[1] or month[3])
    if quarter := re.search(r"q([1-4])", lower):
        begin_month = int(quarter[1]) * 3 - 2
        return date(year, begin_month, 1), date(year, begin_month + 2, monthrange(year, begin_month + 2)[1])
    low, high = _part(lower, ((1, 12), (1, 6), (4, 9), (7, 12)))
    return date(year, low, 1), date(year, high, monthrange(year, high)[1])


def _within_month(year: int, month: int, day: str | None) -> tuple[date, date]:
    days = monthrange(year, month)[1]
    return date(year, month, min(days, max(1, int(day or 1)))), date(year, month, min(days, max(1, int(day or days))))


def _part(text: str, ranges: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """Return the range of the whole, the early, the middle or the late part."""
    for words, bounds in zip(
        (r"early|beginning|start|first", r"mid|middle", r"late\b|end\b|second"), ranges[1:], strict=True
    ):
        if re.match(rf"(?:the\s+)?(?:{words})", text):
            return bounds
    return ranges[0]


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    cues = tomllib.loads(Path(__file__).with_name("cues.toml").read_text("utf-8"))["dates"]
    named = {name: pattern.replace(" ", r"\s+").replace(r"\s+|", "|") for name, pattern in cues.items()}
    verb = (
        r"(?:(?:that|which)\s+(?:is|are|was|were|has been|have been|got)\s+)?(?:(?:still|last|lastly|latest|recently|been|first)\s+)*"
        rf"(?:(?P<fact_pushed>{named['pushed']})|(?P<fact_created>{named['created']}))\s+"
    )
    relation = "|".join(
        rf"(?P<{name}>{named[name]})" for name in ("since", "after", "before", "until", "during", "around")
    )
    compiled = {
        "denied": r"(?<![\w-])(?:but\s+)?(?:not|no|nor|nothing|never|hasn'?t|haven'?t|isn'?t|aren'?t|wasn'?t|except(?:\s+for)?|exclud\w+|without|ignor\w+|omit\w*|skip\w*)\s+"
        r"(?P<other>[\w-]+\s+(?:and|or)\s+)?(?:(?:been|seen|had|got|any|anything|everything|a|papers?|articles?|those|works?|studies|ones|the|year|published|that are|from)\s+)*$",
        "range": rf"(?<![\w.-])(?:{verb})?(?:(?:between|from|in|during|of|years?:?)\s+)?(?:the\s+years?\s+)?(?P<low>{DAY})\s*"
        rf"(?:-|–|—|\.\.+|/|\bto\b|\band\b|\buntil\b|\btill\b|\bthrough\b)\s*(?P<high>{DAY}|(?<=\d\d\d\d[-–])\d\d(?![\w-]))",
        "point": rf"(?<![\w-])(?:{verb})?(?:(?:in|from)\s+)?(?:{relation})[\s-]*(?P<day>{DAY})(?:\s*(?P<onwards>{named['onwards']}|on(?=\s*(?:$|[,.;:!?)])))(?!\w))?",
        "relative": rf"(?<![\w-])(?:{verb})?(?:(?P<span>(?:with)?in|during|over|since|within)\s+|(?:for|of|from)\s+)?(?:the\s+)?"
        rf"(?P<this>last|past|this|previous|recent)\s+(?:(?P<count>{COUNT})\s+)?{_UNIT}",
        "age": rf"(?<![\w-])(?:{verb})?(?P<compared>(?P<over>older\s+than|at\s+least|more\s+than|over)|less\s+than|no(?:t)?\s+older\s+than|under"
        rf"|younger\s+than|newer\s+than|within|at\s+most)\s+(?P<count>{COUNT})\s+{_UNIT}(?:\s+(?P<old>old|ago)(?!\w))?",
        "later": rf"(?<![\w.,:/-])(?P<day>{_YEAR})\s*(?:{named['onwards']}|on(?=\s*(?:$|[,.;:!?)])))(?!\w)",
        "lone": rf"(?<![\w.,:/-])(?P<day>{_PART}?(?:{DECADE}|{_YEAR}))(?![\w.-]*\w)",
    }
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in compiled.items()}
