"""The limits of a question: stars, days of creation and of the last push, maintenance, and words such as "popular"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from goldpan.kinds.repositories.question.reading import RepositorySpan, Term
from goldpan.kinds.repositories.question.wording import INTENTS, Intent, wording
from goldpan.question.amounts import find_amounts
from goldpan.question.dates import DAYS, Period, find_dates

STARS = "stars|stargazers|\u2b50\ufe0f?|\u2605|\u2606"
MAINTAINED_DAYS = 365
MAX_DAYS = 365 * 60
FIRST_YEAR = "2010"
"""An earlier bare number is a part of the subject."""
NOT_EXCLUDED = "“{}” is not used: no search can exclude it."
POPULAR_MIN, MATURE_MIN = 1000, 5000
RANGES: dict[Intent, tuple[int, int | None]] = {
    "mature": (MATURE_MIN, None), "popular": (POPULAR_MIN, None), "emerging": (10, 1000), "lightweight": (10, 500)
}  # fmt: skip
YEAR_UNUSED = "The year {} is not used: say “created in”, “updated in” or “since”."
UNMAINTAINED_UNUSED = "“{}” is not used: say “not updated since” and a year for repositories without a later push."
_MAINTAINED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+(?:is|are)\s+|(?:is|are)\s+|it's\s+)?(?:(?:(?:and|but)\s+)?(?:(?:still|actively|well|currently"
    r"|regularly|being)[\s-]+)+(?:maintained|developed|updated|active|alive|supported)|maintained"
    r"|(?:under|in)\s+active\s+development|active(?:ly)?\s+(?:development|maintenance)"
    r"|(?:not|isn't|aren't)\s+(?:abandoned|dead|unmaintained|deprecated|stale)"
    r"|(?:recently|lately)\s+(?:updated|maintained|active)|updated\s+(?:recently|lately)"
    r"|recent\s+(?:commits|activity|updates|releases))(?![\w-])",
    re.IGNORECASE,
)
_UNMAINTAINED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+)?(?:(?:is|are|was|were)\s+)?(?:(?:no\s+longer|not|isn't|aren't|never)\s+(?:being\s+)?"
    r"(?:actively\s+|well\s+|regularly\s+)?(?:maintained|developed|updated|supported)|(?<!not\s)(?<!n't\s)unmaintained)(?![\w-])",
    re.IGNORECASE,
)
_NOT_ARCHIVED = re.compile(
    r"(?<![\w-])(?:(?:that|which)\s+(?:is|are)\s+)?(?:(?:not|isn't|aren't|no|non)[\s-]+archived?|unarchived)(?![\w-])",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"(?<![\w-])(?:(?:for|in|with|on|onto|into|to|from|of|at|off|up|am|are|is|too|very|so|your|my|our|their|every|each|i'm"
    r"|what's|what is|start|create|build|make|write|develop|bootstrap|scaffold|generate|(?:start|creat|build|mak|writ"
    r"|bootstrapp|scaffold|generat)ing)\s+)(?:(?:a|an|the|my|our|your|their|some|too|very|so)\s+)?(?:[\w-]+\s+)?$"
    r"|(?:my|our|your|their)\s+(?:own\s+)?$",
    re.IGNORECASE,
)
"""What precedes a word that describes something else than the repository: "for my new app", "is too small"."""


def find_stars(text: str) -> list[RepositorySpan]:
    """Find numbers of stars, both ends inclusive."""
    return [
        RepositorySpan(one.start, one.end, "constraint", one.label, star_fields(one.low, one.high))
        for one in find_amounts(text, STARS, "stars")
    ]


def star_fields(low: int | None, high: int | None) -> dict[str, object]:
    """Return the constraints of a range of stars, without the open end."""
    return {name: number for name, number in (("min_stars", low), ("max_stars", high)) if number is not None}


def find_days(text: str, today: date) -> list[RepositorySpan]:
    """Find days of creation and of the last push, maintenance, and whether archived repositories count."""
    found = [span for one in find_dates(text, today) if (span := _of_period(one, text))]
    for match in _UNMAINTAINED.finditer(text):
        said = " ".join(match[0].split())
        note = UNMAINTAINED_UNUSED.format(said)
        _add(found, RepositorySpan(match.start(), match.end(), "unread", said, note=note))
    for pattern, value, fields in (
        (_NOT_ARCHIVED, "not archived", {"archived": False}),
        (_MAINTAINED, "pushed within 12 months", {"pushed_within_days": MAINTAINED_DAYS}),
    ):
        for match in pattern.finditer(text):
            _add(found, RepositorySpan(match.start(), match.end(), "constraint", value, fields))
    return found


def _add(found: list[RepositorySpan], one: RepositorySpan) -> None:
    if not one.overlaps(found):
        found.append(one)


def _of_period(one: Period, text: str) -> RepositorySpan | None:
    """Say what a span of time limits: what was created then, or pushed, which "in the last year" means alone."""
    said = " ".join(text[one.start : one.end].split())
    if one.denied:
        return RepositorySpan(one.start, one.end, "unread", said, note=NOT_EXCLUDED.format(said))
    if one.count and one.fact != "created":
        count, unit = one.count
        value = f"pushed within {count} {unit}{'s' if count > 1 else ''}"
        days = min(count * DAYS[unit], MAX_DAYS)
        return RepositorySpan(one.start, one.end, "constraint", value, {"pushed_within_days": days})
    if _is_unused(one, said):
        listed = one.how != "lone" or one.day >= FIRST_YEAR
        return (
            RepositorySpan(one.start, one.end, "unread", one.day, note=YEAR_UNUSED.format(one.day)) if listed else None
        )
    fact, (how, first, last) = one.fact or "created", _bounds(one)
    return RepositorySpan(one.start, one.end, "constraint", f"{fact} {how}{one.day}", day_fields(fact, first, last))


def _is_unused(one: Period, said: str) -> bool:
    """Report whether a year says nothing of when: "best in 2025", unlike "created in 2025" and "from 2025"."""
    vague = one.how in ("in", "lone", "around") and one.fact is None and not one.exact
    return vague and not (one.how == "in" and said.lower().startswith("from"))


def _bounds(one: Period) -> tuple[str, date | None, date | None]:
    """Return the relation, and the first and the last day; "after 2020" includes that year, as people mean it."""
    if one.how == "between":
        return "", one.first, one.last
    if one.how == "after" and one.day.isdigit() and one.first:
        return "since ", date(one.first.year - 1, 1, 1), None
    if one.how == "in" and (one.count or (one.fact is None and not one.exact)):
        return "since ", one.first, None
    return f"{one.how} ", one.first, one.last


def day_fields(fact: str, after: date | None, before: date | None) -> dict[str, object]:
    """Return the constraints of a range of days, without the open end."""
    return {f"{fact}_{end}": day for end, day in (("after", after), ("before", before)) if day is not None}


def find_intents(text: str, *, numbers: bool, strict: bool) -> list[RepositorySpan]:
    """Find the words of intent; the first group of `RANGES` that occurs sets the range, the others are preferences.

    The upper end is a preference unless `strict`. Where the question has numbers of stars, those hold alone.
    """
    matches = list(_intents(text))
    group = next((name for name in INTENTS if any(name == found for found, _ in matches)), None)
    found = []
    for name, match in matches:
        typed = " ".join(match[0].split()).lower()
        if numbers or name != group:
            term = Term(words=(typed,), part="preference")
            found.append(RepositorySpan(match.start(), match.end(), "term", typed, term=term))
            continue
        low, high = RANGES[name]
        rather = f", rather under {high:,}" if high and not strict else ""
        label = f"{low:,} to {high:,} stars" if high and strict else f"at least {low:,} stars{rather}"
        fields = {"min_stars": low} | ({"max_stars" if strict else "preferred_max_stars": high} if high else {})
        found.append(RepositorySpan(match.start(), match.end(), "constraint", f"{typed} ({label})", fields))
    return found


def _intents(text: str) -> Iterator[tuple[Intent, re.Match[str]]]:
    for name in INTENTS:
        for match in wording().intents[name].finditer(text):
            if _is_intent(text, match):
                yield name, match


def _is_intent(text: str, match: re.Match[str]) -> bool:
    """Report whether the word describes the repository: not within a name, and not what the person builds."""
    following = re.match(r"\s+([\w'-]+)", text[match.end() :])
    after = following[1] if following else ""
    if match.start() > 0 and match[0][0].isupper() and not match[0].isupper() and after[:1].isupper():
        return False
    if match[0].lower() not in wording().ambiguous_intents:
        return True
    return after.lower() not in wording().not_after_intent and not _OWNED.search(text[: match.start()])
