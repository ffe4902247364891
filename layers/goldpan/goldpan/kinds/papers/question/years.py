"""Recognize the years of publication: "since 2022", "2020-2024", "the last five years", "from the nineties"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

from goldpan.kinds.papers.question.parts import Found, overlaps
from goldpan.kinds.papers.question.wording import wording
from goldpan.question.counts import COUNT, to_count
from goldpan.question.parts import BREAK

_YEAR = r"(?:1[89]|20)\d\d"
_ON = rf"on(?=\s*(?:$|[,.;:!?){BREAK}]))"
"""As in "from 2015 on", unlike "from 2015 on sepsis"."""
_DAY = r"(?:\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?,?\s+)?"
_MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)"
)
_MONTH = (
    r"(?:(?:(?:the\s+)?(?:early|mid|late|(?:beginning|start|middle|end|(?:first|second)\s+half)\s+of)[\s-]+)?"
    rf"(?:{_DAY}{_MONTH_NAME}\.?,?\s+{_DAY}|q[1-4][\s/]+"
    r"|(?:spring|summer|autumn|fall|winter)\s+(?:of\s+)?)?)"
)
"""A part of the year before it, which counts as the whole year."""
_ISO = r"(?:-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)?"
"""The month and the day after a year."""
_VERB = (
    r"(?P<verb>(?:published|written|released|appeared|dated|works?|papers?|articles?|studies|literature|research)\s+)?"
)
_PAPERS = r"(?:papers?|articles?|surveys?|reviews?|preprints?|publications|studies|theses|thesis)"
_DECADES = {
    "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90, "noughties": 0, "aughts": 0,
}  # fmt: skip
_DECADE = (
    r"(?:(?P<century>1[89]|20)(?P<tens>\d)0'?s|(?:'|(?<=the\s)|(?<=early\s)|(?<=late\s)|(?<=mid\s))(?P<short>[3-9])0'?s"
    rf"|(?P<word>{'|'.join(_DECADES)}))"
)
_RANGE = re.compile(
    rf"(?<![\w.-])(?:years?:\s*)?{_VERB}(?:(?:from|between|in|during|of|years?)\s+)?(?:the\s+years?\s+)?"
    rf"{_MONTH}(?P<first>{_YEAR}){_ISO}\s*(?:-|\u2013|\u2014|\.\.+|/|to|and|until|till|through)\s*{_MONTH}"
    rf"(?P<last>{_YEAR}|(?<=-)\d\d|(?<=\u2013)\d\d){_ISO}(?![\w-])",
    re.IGNORECASE,
)
_FROM = re.compile(
    rf"(?<![\w-]){_VERB}(?:(?P<on>since|starting(?:\s+(?:in|from))?|as\s+of|not?\s+(?:before|earlier\s+than|older\s+than)"
    rf"|>=|\u2265|from(?=\s+{_MONTH}{_YEAR}\s+(?:{_ON}|onwards?|forward|and\s+later|to\s+(?:now|today|present|date))))"
    rf"|(?P<after>after|post|newer\s+than|later\s+than|younger\s+than|past|>))[\s-]*(?:the\s+year\s+)?(?P<part>{_MONTH})"
    rf"(?P<year>{_YEAR})(?P<iso>{_ISO})"
    rf"(?:\s+(?:{_ON}|onwards?|forward|and\s+later|or\s+later|or\s+newer|to\s+(?:now|today|present|date)))?(?![\w-])",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"(?<![\w-])(?:(?:from|in|of)\s+)?(?P<year>{_YEAR})(?:\s*\+|\s*-\s*(?:present|now|today)"
    rf"|\s+(?:{_ON}|onwards?|forward|and\s+later|or\s+(?:later|newer)|to\s+(?:now|present|date)))(?!\w)",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    rf"(?<![\w-]){_VERB}(?:(?P<before>before|prior\s+to|earlier\s+than|older\s+than|pre|not\s+(?:since|after)|<)"
    rf"|(?P<until>until|till|up\s+to|through|by(?:\s+the\s+end\s+of)?|no\s+later\s+than|<=|\u2264))[\s-]*(?:the\s+year\s+)?(?P<part>{_MONTH})"
    rf"(?P<year>{_YEAR})(?P<iso>{_ISO})(?![\w-])",
    re.IGNORECASE,
)
_IN = re.compile(
    rf"(?<![\w-]){_VERB}(?:in|from|of|during|for|year:?)\s+(?:the\s+year\s+)?{_MONTH}(?P<year>{_YEAR})(?![\w-])",
    re.IGNORECASE,
)
_AROUND = re.compile(
    rf"(?<![\w-]){_VERB}(?:(?:in|from|of)\s+)?(?:the\s+years?\s+)?(?:around|circa|ca\.?|approximately|roughly)\s+(?:the\s+year\s+)?"
    rf"(?P<year>{_YEAR})(?![\w-])",
    re.IGNORECASE,
)
_BEFORE_PAPERS = re.compile(
    rf"(?<![\w.,:/-])(?P<year>{_YEAR})(?=\s+(?:[a-z]+\s+)?{_PAPERS}\b)|(?<=\bthe\s)(?P<the>{_YEAR})(?=\s+(?:[\w-]+\s+){{1,3}}{_PAPERS}\b)",
    re.IGNORECASE,
)
_IN_DECADE = re.compile(
    rf"(?<![\w-]){_VERB}(?:(?P<how>since|after|before|until|from|in|of|during)\s+)?(?:the\s+)?(?:(?P<part>early|mid|late)[\s-]+)?"
    rf"{_DECADE}(?!\w)",
    re.IGNORECASE,
)
_AGO = re.compile(
    rf"(?<![\w-]){_VERB}(?:(?:with)?in|during|over|for|of|since|from)?\s*(?:the\s+)?(?P<this>last|past|this|previous)\s+"
    rf"(?:(?:\d{{1,2}}\s*(?:-|\u2013|to|or)\s*)?(?P<count>{COUNT})\s+)?(?P<unit>month|year|decade)s?(?!\w)",
    re.IGNORECASE,
)
_AGED = re.compile(
    rf"(?<![\w-]){_VERB}(?:that\s+are\s+)?(?:(?:not?|never)\s+(?:be\s+)?(?:older|more)\s+than|less\s+than|newer\s+than|younger\s+than"
    rf"|at\s+most|up\s+to)\s+(?:the\s+)?(?:last\s+)?(?P<count>{COUNT})\s+(?P<unit>month|year|decade)s?(?:\s+(?P<old>old|ago))?(?!\w)",
    re.IGNORECASE,
)
"""The age of a paper: "no older than five years", "less than 3 years old"."""
_SPAN = re.compile(rf"{_VERB}(?:since|over|during|within|(?:in|for|of)\s+the)\b", re.IGNORECASE)
"""What makes a span up to now of "last year"."""
_AROUND_YEARS = 2
"""Years on either side of one that is given as "around"."""
_LONE = re.compile(rf"(?<![\w.,:/-])(?P<year>{_YEAR})(?=\s*(?:$|[,.;!?)\u00a6]))")
_AFTER_VENUE = re.compile(rf"(?<={BREAK})\s*(?:(?P<year>{_YEAR})|'(?P<short>\d\d))(?![\w-])")
_EXCLUDED = re.compile(
    r"(?<![\w-])(?:but\s+)?(?:exclud\w*|ignor\w*|skip\w*|without|nothing|not?|omit\w*|except)\s+(?P<other>[\w-]+\s+(?:and|or)\s+)?"
    r"(?:anything|everything|papers?|articles?|those|works?|studies|ones)?\s*$",
    re.IGNORECASE,
)
"""What stands before years that papers must not be of: "exclude anything before 2018"."""
YEARS = ("year_from", "year_to")
_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}


def find_years(text: str, today: date) -> list[Found]:
    """Find constraints on the year of publication; a year that belongs to an event is left to the subject."""
    found: list[Found] = []
    taken: list[Found] = []
    for pattern, read in (
        (_RANGE, _range), (_AROUND, _around), (_FROM, _from), (_LATER, _from), (_UNTIL, _until), (_AGED, _aged),
        (_AGO, _ago), (_IN_DECADE, _in_decade), (_IN, _exact), (_BEFORE_PAPERS, _exact), (_LONE, _exact),
    ):  # fmt: skip
        for match in pattern.finditer(text):
            one = read(match, today)
            if one is None or overlaps(one, taken):
                continue
            taken.append(one)  # a part of what belongs to an event is no year either
            if not _is_of_event(text, match, may_follow=pattern is not _FROM):
                found.append(one)
    return found


def find_venue_years(text: str) -> list[Found]:
    """Find the year after a venue, which was taken out of the text: "at ACL 2023"."""
    found: list[Found] = []
    for match in _AFTER_VENUE.finditer(text):
        year = int(match["year"] or f"20{match['short']}")
        start = match.start("year") if match["year"] else match.start("short") - 1
        found.append(Found(start, match.end(), "constraint", years_label(year, year), dict.fromkeys(YEARS, year)))
    return found


def without_contradiction(found: list[Found]) -> list[Found]:
    """Leave years unread that no paper can have together, such as "before 2000 and after 2020".

    Several ranges are none: they are read as one from the first year to the last, so "2018 and 2021" means both.
    """
    years = [one for one in found if not one.fields.keys().isdisjoint(YEARS)]
    first = max((one.fields["year_from"] for one in years if "year_from" in one.fields), default=0)
    last = min((one.fields["year_to"] for one in years if "year_to" in one.fields), default=first)
    if first <= last or all(len(one.fields) > 1 for one in years):
        return found
    note = f"The years are not used, since no paper has both: {', '.join(dict.fromkeys(one.value for one in years))}."
    return [replace(one, kind="unread", fields={}, note=note) if one in years else one for one in found]


def years_label(first: int | None, last: int | None) -> str:
    """Describe a range of years."""
    if first is not None and last is not None:
        return f"in {first}" if first == last else f"{first} to {last}"
    return f"since {first}" if last is None else f"until {last}"


def _found(match: re.Match[str], first: int | None, last: int | None) -> Found | None:
    if first is not None and last is not None and first > last:
        return None
    fields: dict[str, Any] = {"year_from": first, "year_to": last}
    named = {name: year for name, year in fields.items() if year is not None}
    return Found(match.start(), match.end(), "constraint", years_label(first, last), named)


def _range(match: re.Match[str], _today: date) -> Found | None:
    first, last = match["first"], match["last"]
    return _found(match, int(first), int(last if len(last) > len("24") else first[:2] + last))


def _from(match: re.Match[str], _today: date) -> Found | None:
    after = bool(match.groupdict().get("after")) and not _within(match)
    return _found(match, int(match["year"]) + after, None)


def _within(match: re.Match[str]) -> bool:
    """Report whether a month or another part of the year is named, so that the rest of the year may count."""
    return bool(match["part"] or match["iso"])


def _until(match: re.Match[str], _today: date) -> Found | None:
    excluded = _EXCLUDED.search(match.string[: match.start()]) if match["before"] else None
    if excluded:
        found = _found(match, int(match["year"]), None)
        return found if excluded["other"] or not found else replace(found, start=excluded.start())
    return _found(match, None, int(match["year"]) - (bool(match["before"]) and not _within(match)))


def _exact(match: re.Match[str], today: date) -> Found | None:
    year = int(match["year"] or match["the"])
    return _found(match, year, year) if year <= today.year + 1 else None


def _around(match: re.Match[str], _today: date) -> Found | None:
    year = int(match["year"])
    return _found(match, year - _AROUND_YEARS, year + _AROUND_YEARS)


def _aged(match: re.Match[str], today: date) -> Found | None:
    """Read an age; "less than 5 years" without "old" may be the length of anything."""
    compares = re.search(r"older|newer|younger", match[0], re.IGNORECASE)
    return _since(match, today) if compares or match["old"] else None


def _since(match: re.Match[str], today: date) -> Found | None:
    unit, count = match["unit"].lower(), to_count(match["count"])
    if unit == "month":
        months = today.year * 12 + today.month - 1 - count
        return _found(match, months // 12, None)
    return _found(match, today.year - count * (10 if unit == "decade" else 1), None)


def _ago(match: re.Match[str], today: date) -> Found | None:
    unit, this = match["unit"].lower(), match["this"].lower()
    if this == "this":
        return _found(match, today.year, None) if unit == "year" else None
    if unit == "year" and match["count"] is None and this in ("last", "previous") and not _SPAN.match(match[0]):
        return _found(match, today.year - 1, today.year - 1)
    return _since(match, today)


def _in_decade(match: re.Match[str], _today: date) -> Found | None:
    if match["century"]:
        begin = int(f"{match['century']}{match['tens']}0")
    else:
        tens = int(match["short"]) * 10 if match["short"] else _DECADES[match["word"].lower()]
        begin = (2000 if tens == 0 else 1900) + tens
    how, part = (match["how"] or "").lower(), (match["part"] or "").lower()
    first, last = (begin + offset for offset in _PARTS.get(part, (0, 9)))
    if how in ("since", "after"):
        return _found(match, first + (10 if how == "after" and not part else 0), None)
    if how in ("before", "until"):
        return _found(match, None, first - 1 if how == "before" else last)
    return _found(match, first, last)


def _is_of_event(text: str, match: re.Match[str], *, may_follow: bool) -> bool:
    """Report whether the year names an event: "the 2008 financial crisis", "the election of 2016".

    With `may_follow` one that stands before the year counts too, unless something parts them, such as "published":
    what is written of an event since a year is of that year or later anyhow.
    """
    words = wording()
    after = re.match(r"\s+([\w'-]+)", text[match.end() :])
    if after and after[1].lower() in words.after_event:
        return True
    before = re.search(r"([\w'-]+)\s+$", text[: match.start()])
    if before is None or not may_follow or match.groupdict().get("verb"):
        return False
    return before[1].lower() in words.event
