"""Recognize when a repository was created or last pushed: "since 2023", "in the last two years", "still maintained"."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Any, Literal

from goldpan.kinds.repositories.question.reading.parts import Found
from goldpan.question.counts import COUNT, to_count

Fact = Literal["created", "pushed"]
MAINTAINED_DAYS = 365
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*\.?"
_DAY = rf"(?:{_MONTH}\s+)?(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?!\d)"
_PUSHED = (
    r"updat\w*|push\w*|commit\w*|maintain\w*|active|activity|chang\w*|touched|modified|worked on|developed|releases?"
    r"|alive|contribut\w*"
)
_CREATED = (
    r"creat\w*|start\w*|launch\w*|found\w*|born|published|written|made|came out|released|introduced|appeared|built"
)
_VERB = (
    r"(?:(?:that|which)\s+(?:is|are|was|were|has been|have been|got)\s+)?"
    r"(?:(?:still|last|lastly|latest|recently|been|first)\s+)*"
    rf"(?:(?P<pushed>{_PUSHED})|(?P<created>{_CREATED}))\s+"
)
_SINCE = (
    r"since|after|from|newer\s+than|later\s+than|no\s+older\s+than|not\s+older\s+than|younger\s+than|starting(?:\s+in)?"
)
_UNTIL = r"before|until|till|older\s+than|prior\s+to|earlier\s+than|not\s+since"
_NOT = r"(?:not|no|hasn'?t|haven'?t|has\s+not|have\s+not)\s+(?:(?:been|seen|had|got|any|a)\s+)*"
_BETWEEN = re.compile(
    rf"(?<![\w-])(?:{_VERB})?(?:between|from)\s+(?P<low>{_DAY})\s*(?:and|to|until|till|-|\u2013)\s*(?P<high>{_DAY})",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"(?<![\w-])(?P<not>{_NOT})?(?:{_VERB})?(?:(?P<since>{_SINCE})|(?P<until>{_UNTIL})|(?P<during>in|during|on))\s+(?P<day>{_DAY})"
    rf"(?:\s+(?P<later>or\s+later|onwards?|and\s+later|or\s+newer))?",
    re.IGNORECASE,
)
_AGO = re.compile(
    rf"(?<![\w-])(?:{_VERB})?(?:(?:with)?in|during|over|for|of|since|from)?\s*(?:the\s+)?"
    rf"(?P<this>last|past|this|previous)\s+(?:(?P<count>{COUNT})\s+)?(?P<unit>day|week|month|quarter|year)s?(?!\w)",
    re.IGNORECASE,
)
_YOUNGER = re.compile(
    rf"(?<![\w-])(?:less\s+than|no\s+older\s+than|not\s+older\s+than|under|younger\s+than)\s+(?P<count>{COUNT})\s+"
    r"(?P<unit>day|week|month|year)s?(?:\s+old)?(?!\w)",
    re.IGNORECASE,
)
_OLDER = re.compile(
    rf"(?<![\w-])(?:older\s+than|(?P<age>at\s+least|more\s+than|over))\s+(?P<count>{COUNT})\s+"
    r"(?P<unit>day|week|month|year)s?(?(age)\s+old)(?!\w)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    rf"(?<![\w-]){_VERB}(?:within|less\s+than|under)\s+(?P<count>{COUNT})\s+(?P<unit>day|week|month|year)s?(?:\s+ago)?(?!\w)",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 365}
_MAINTAINED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+(?:is|are)\s+|(?:is|are)\s+|it's\s+)?"
    r"(?:(?:(?:and|but)\s+)?(?:(?:still|actively|well|currently|regularly|being)[\s-]+)+"
    r"(?:maintained|developed|updated|active|alive|supported)"
    r"|maintained|under\s+active\s+development|in\s+active\s+development|active(?:ly)?\s+(?:development|maintenance)"
    r"|(?:not|isn't|aren't)\s+(?:abandoned|dead|unmaintained|deprecated|stale)"
    r"|(?:recently|lately)\s+(?:updated|maintained|active)|updated\s+(?:recently|lately)"
    r"|recent\s+(?:commits|activity|updates|releases))(?![\w-])",
    re.IGNORECASE,
)
_UNMAINTAINED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+)?(?:(?:is|are|was|were)\s+)?(?:(?:no\s+longer|not|isn't|aren't|never)\s+(?:being\s+)?"
    r"(?:actively\s+|well\s+|regularly\s+)?(?:maintained|developed|updated|supported)"
    r"|(?<!not\s)(?<!n't\s)unmaintained)(?![\w-])",
    re.IGNORECASE,
)
_NOT_ARCHIVED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+(?:is|are)\s+)?(?:(?:not|isn't|aren't|no|non)[\s-]+archived?|unarchived)(?![\w-])",
    re.IGNORECASE,
)
_LONE_YEAR = re.compile(r"(?<![\w.-])(?:(?:in|of|for)\s+)?(?P<year>20[12]\d)(?![\w.-])")


def find_dates(text: str, today: date) -> list[Found]:
    """Find constraints on the days of creation and of the last push, on maintenance, and on being archived."""
    found = [_between(match) for match in _BETWEEN.finditer(text)]
    found += [when for match in _WHEN.finditer(text) if _free(when := _when(match), found)]
    found += [one for match in _AGO.finditer(text) if (one := _ago(match, today)) and _free(one, found)]
    found += [one for match in _WITHIN.finditer(text) if _free(one := _within(match, today), found)]
    found += [one for match in _YOUNGER.finditer(text) if _free(one := _younger(match, today), found)]
    found += [one for match in _OLDER.finditer(text) if _free(one := _older(match, today), found)]
    found += [one for match in _UNMAINTAINED.finditer(text) if _free(one := _unmaintained(match), found)]
    for pattern, value, fields in (
        (_NOT_ARCHIVED, "not archived", {"archived": False}),
        (_MAINTAINED, "pushed within 12 months", {"pushed_within_days": MAINTAINED_DAYS}),
    ):
        marked = (Found(m.start(), m.end(), "constraint", value, fields) for m in pattern.finditer(text))
        found += [one for one in marked if _free(one, found)]
    note = "The year {} is not used: say “created in”, “updated in” or “since”."
    years = (
        Found(m.start(), m.end(), "unread", m["year"], note=note.format(m["year"])) for m in _LONE_YEAR.finditer(text)
    )
    return found + [one for one in years if _free(one, found)]


def period(text: str) -> tuple[date, date]:
    """Return the first and the last day of "2024", "2024-05", "2024-05-01" or "May 2024"; raises ValueError."""
    match = re.fullmatch(r"(?:([a-z]+)\.?\s+)?(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text.strip(), re.IGNORECASE)
    if match is None:
        message = f"not a day: {text}"
        raise ValueError(message)
    name, year, month, day = match.groups()
    first = _MONTHS.index(name[:3].lower()) + 1 if name else int(month or 1)
    last = first if name or month else 12
    days = monthrange(int(year), last)[1]
    return date(int(year), first, min(days, int(day or 1))), date(int(year), last, min(days, int(day or days)))


def day_fields(fact: Fact, after: date | None, before: date | None) -> dict[str, Any]:
    """Return the constraints of a range of days, without the open end."""
    return {f"{fact}_{end}": day for end, day in (("after", after), ("before", before)) if day is not None}


def _between(match: re.Match[str]) -> Found:
    fact: Fact = "pushed" if match["pushed"] else "created"
    low, high = sorted((match["low"], match["high"]), key=period)
    return _constraint(match, f"{fact} {low} to {high}", day_fields(fact, period(low)[0], period(high)[1]))


def _unmaintained(match: re.Match[str]) -> Found:
    said = " ".join(match[0].split())
    note = f"“{said}” is not used: say “not updated since” and a year for repositories without a later push."
    return Found(match.start(), match.end(), "unread", said, note=note)


def _when(match: re.Match[str]) -> Found:
    fact: Fact = "pushed" if match["pushed"] else "created"
    first, last = period(match["day"])
    named = re.sub(r"\s+", " ", match["day"])
    if match["until"] or (match["not"] and match["since"]):
        return _constraint(match, f"{fact} before {named}", day_fields(fact, None, first - timedelta(days=1)))
    exact = re.search(r"\blast\b", match[0], re.IGNORECASE)
    if match["during"] and not match["later"] and (fact == "created" or exact):
        if not match["created"] and not match["pushed"]:
            note = f"The year {named} is not used: say “created in”, “updated in” or “since”."
            return Found(match.start(), match.end(), "unread", named, note=note)
        return _constraint(match, f"{fact} in {named}", day_fields(fact, first, last))
    after = re.match(r"after|later|newer", match["since"] or "", re.IGNORECASE) and len(named) > len("2024")
    return _constraint(
        match,
        f"{fact} {'after' if after else 'since'} {named}",
        day_fields(fact, first + timedelta(days=1) if after else first, None),
    )


def _ago(match: re.Match[str], today: date) -> Found | None:
    fact: Fact = "created" if match["created"] else "pushed"
    unit, this = match["unit"].lower(), match["this"].lower()
    if this == "this" and unit != "year":
        return _since(match, fact, unit, today)
    if this == "this" or (unit == "year" and match["count"] is None and match["created"]):
        year = today.year - (this != "this")
        return _constraint(match, f"{fact} since {year}", day_fields(fact, date(year, 1, 1), None))
    count = to_count(match["count"])
    return _relative(match, fact, count, unit, today)


def _since(match: re.Match[str], fact: Fact, unit: str, today: date) -> Found:
    """Read "this month", "this week" or "this quarter"."""
    month = today.month - (today.month - 1) % 3 if unit == "quarter" else today.month
    monday = today - timedelta(days=today.weekday())
    first = {"day": today, "week": monday}.get(unit, date(today.year, month, 1))
    return _constraint(match, f"{fact} since {first}", day_fields(fact, first, None))


def _older(match: re.Match[str], today: date) -> Found:
    count, unit = to_count(match["count"]), match["unit"].lower()
    before = today - timedelta(days=min(count * _DAYS[unit], 365 * 60))
    return _constraint(match, f"created before {before}", day_fields("created", None, before))


def _within(match: re.Match[str], today: date) -> Found:
    fact: Fact = "created" if match["created"] else "pushed"
    return _relative(match, fact, to_count(match["count"]), match["unit"].lower(), today)


def _younger(match: re.Match[str], today: date) -> Found:
    return _relative(match, "created", to_count(match["count"]), match["unit"].lower(), today)


def _relative(match: re.Match[str], fact: Fact, count: int, unit: str, today: date) -> Found:
    days = min(count * _DAYS[unit], 365 * 60)
    label = f"{fact} within {count} {unit}{'s' if count > 1 else ''}"
    if fact == "pushed":
        return _constraint(match, label, {"pushed_within_days": days})
    return _constraint(match, label, day_fields("created", today - timedelta(days=days), None))


def _constraint(match: re.Match[str], value: str, fields: dict[str, Any]) -> Found:
    return Found(match.start(), match.end(), "constraint", value, fields)


def _free(one: Found, others: list[Found]) -> bool:
    return all(one.end <= other.start or other.end <= one.start for other in others)
