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
    r"(?<![\w-])(?:(?:for|in|with|on|onto|into|to|from|of|at|off|up|start|starting|create|creating|build|building|make|making"
    r"|write|writing|develop|bootstrap|bootstrapping|scaffold|scaffolding|generate|generating|i'm|what's|what is|am|are|is"
    r"|too|very|so|your|my|our|their|every|each)\s+)(?:(?:a|an|the|my|our|your|their|some|too|very|so)\s+)?(?:[\w-]+\s+)?$"
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
    for pattern, note in ((_UNMAINTAINED, UNMAINTAINED_UNUSED),):
        for match in pattern.finditer(text):
            said = " ".join(match[0].split())
            _add(found, RepositorySpan(match.start(), match.end(), "unread", said, note=note.format(said)))
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
    fact = one.fact or ("pushed" if one.how == "within" else "created")
    if one.denied:
        return RepositorySpan(
            one.start, one.end, "unread", said, note=f"“{said}” is not used: no search can exclude it."
        )
    if one.how == "within" and one.count and fact == "pushed":
        days = min(one.count[0] * DAYS[one.count[1]], MAX_DAYS)
        return RepositorySpan(
            one.start, one.end, "constraint", f"pushed within {one.day}", {"pushed_within_days": days}
        )
    if one.count and one.how == "in":  # "last year"
        kind, value = f"{fact}_after", f"{fact} since {one.day}" if one.fact else ""
        first = one.first
        if not one.fact:
            return RepositorySpan(one.start, one.end, "constraint", "pushed within 1 year", {"pushed_within_days": 365})
        return RepositorySpan(one.start, one.end, "constraint", value, {kind: first})
    if one.how in ("in", "lone", "around") and one.fact is None and not one.exact:
        year = one.day.lower()
        unread = year.isdigit() and (one.how == "lone" or not said.lower().startswith("from"))
        if unread or one.how != "in":
            if one.how == "lone" and not (len(year) == 4 and year > "2009"):  # noqa: PLR2004 - a year
                return None
            return RepositorySpan(one.start, one.end, "unread", one.day, note=YEAR_UNUSED.format(one.day))
    return RepositorySpan(one.start, one.end, "constraint", f"{fact} {_label(one)}", day_fields(fact, *_days(one)))


def _days(one: Period) -> tuple[date | None, date | None]:
    """Return the first and the last day; "after 2020" includes that year, as people mean it."""
    if one.how == "after" and one.day.isdigit() and one.first:
        return date(one.first.year - 1, 1, 1), None
    if one.how == "in" and one.fact != "pushed" and not one.exact and one.first and one.last and one.fact is None:
        return one.first, None
    return one.first, one.last


def _label(one: Period) -> str:
    if one.how == "between":
        return one.day
    if one.how == "after" and one.day.isdigit():
        return f"since {one.day}"
    if one.how == "in" and one.fact is None:
        return f"since {one.day}"
    return f"{one.how} {one.day}"


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
