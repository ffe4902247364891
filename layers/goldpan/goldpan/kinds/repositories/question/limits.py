"""The limits of a question: stars, days, maintenance, words such as "popular", and qualifiers as GitHub has them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial

from goldpan.kinds.repositories.licenses import resolve_license
from goldpan.kinds.repositories.question.lexicon import LEXICON, RepositorySpan, Term, cue, find_cues
from goldpan.kinds.repositories.vocabulary import github_language, platform_of
from goldpan.question.amounts import find_amounts
from goldpan.question.dates import DAYS, Period, find_dates
from goldpan.question.question_text import apart, plain
from goldpan.text import words

STARS = "stars|stargazers|\u2b50\ufe0f?|\u2605|\u2606"
MAX_DAYS = 365 * 60
FIRST_YEAR = "2010"
"""An earlier bare number is a part of the subject."""
POPULAR_MIN, MATURE_MIN = 1000, 5000
RANGES: Mapping[str, tuple[int, int | None]] = {
    "mature": (MATURE_MIN, None), "popular": (POPULAR_MIN, None), "emerging": (10, 1000), "lightweight": (10, 500)
}  # fmt: skip
"""The stars that words of intent ask for, in order of precedence."""
EMERGING_YEARS = 3
STATES: Mapping[str, Mapping[str, object]] = {
    "not archived": {"archived": False}, "pushed within 12 months": {"pushed_within_days": 365}
}  # fmt: skip
NOT_EXCLUDED = "“{}” is not used: no search can exclude it."
YEAR_UNUSED = "The year {} is not used: say “created in”, “updated in” or “since”."
UNMAINTAINED_UNUSED = "“{}” is not used: say “not updated since” and a year for repositories without a later push."
QUALIFIERS = "{} is not used: allowed are language, license and topic, also excluded, stars, created, pushed, archived."

find_stars = partial(find_amounts, things=STARS, name="stars")
"""Find numbers of stars in a text."""


def find_days(text: str, today: date) -> list[RepositorySpan]:
    """Find days of creation and of the last push, maintenance, and whether archived repositories count.

    A wish that is worded like an exclusion is a term: "no dependencies", "host it myself".
    """
    found = [span for one in find_dates(text, today) if (span := _of_period(one, plain(text[one.start : one.end])))]
    for state, match in find_cues("states", text):
        if state in STATES:
            found.append(RepositorySpan(*match.span(), "constraint", state, STATES[state]))
        else:
            found.append(_unread(*match.span(), plain(match[0]), UNMAINTAINED_UNUSED))
    for meant, match in find_cues("wishes", text):
        term = Term(words=tuple(meant.split()), part="platform" if platform_of(meant) else "context")
        found.append(RepositorySpan(*match.span(), "term", meant, term=term))
    return apart(found)


def _unread(start: int, end: int, typed: str, note: str) -> RepositorySpan:
    return RepositorySpan(start, end, "unread", typed, note=note.format(typed))


def _of_period(one: Period, typed: str) -> RepositorySpan | None:
    """Say what a span of time limits: what was created then, or pushed, which "in the last year" means alone."""
    if one.denied:
        return _unread(one.start, one.end, typed, NOT_EXCLUDED)
    if one.count and one.fact != "created":
        count, unit = one.count
        value = f"pushed within {count} {unit}{'s' if count > 1 else ''}"
        fields = {"pushed_within_days": min(count * DAYS[unit], MAX_DAYS)}
        return RepositorySpan(one.start, one.end, "constraint", value, fields)
    if one.how in ("lone", "around", "in") and one.fact is None:
        is_subject = one.how == "lone" and one.day < FIRST_YEAR
        return None if is_subject else _unread(one.start, one.end, one.day, YEAR_UNUSED)
    how, first, last = one.how, one.first, one.last
    if how == "after" and one.day.isdigit() and first and ">" not in typed:  # people mean "after 2020" with that year
        how, first = "since", date(first.year - 1, 1, 1)
    fact = one.fact or "created"
    value = f"{fact} {one.day}" if how == "between" else f"{fact} {how} {one.day}"
    return RepositorySpan(one.start, one.end, "constraint", value, {f"{fact}_after": first, f"{fact}_before": last})


def find_intents(text: str, *, numbers: bool, strict: bool) -> list[RepositorySpan]:
    """Find the words of intent; the first group of `RANGES` that occurs sets the range, the others are preferences.

    The upper end is a preference unless `strict`. Where the question has numbers of stars, those hold alone.
    """
    intents = [
        (name, match) for name in RANGES for match in LEXICON.patterns[name].finditer(text) if _is_intent(text, match)
    ]
    found = []
    for name, match in intents:
        typed = plain(match[0]).lower()
        if numbers or name != intents[0][0]:
            term = Term(words=(typed,), part="preference")
            found.append(RepositorySpan(*match.span(), "term", typed, term=term))
            continue
        low, high = RANGES[name]
        rather = f", rather under {high:,}" if high and not strict else ""
        label = f"{low:,} to {high:,} stars" if high and strict else f"at least {low:,} stars{rather}"
        fields = {"min_stars": low, "max_stars" if strict else "preferred_max_stars": high}
        fields |= {"preferred_max_age_years": EMERGING_YEARS} if name == "emerging" else {}
        found.append(RepositorySpan(*match.span(), "constraint", f"{typed} ({label})", fields))
    return found


def _is_intent(text: str, match: re.Match[str]) -> bool:
    """Report whether the word describes the repository: not within a name, and not what the person builds."""
    after = re.match(r"\s+([\w'-]+)", text[match.end() :])
    is_within = after and after[1].lower() in LEXICON.words["not_after_intent"]
    is_name = is_within or cue("intent", "owned").search(text[: match.start()])
    return match[0].lower() not in LEXICON.words["ambiguous_intents"] or not is_name


def find_qualifiers(text: str) -> list[RepositorySpan]:
    """Read every qualifier; one that cannot be held to becomes an unread part, with what is allowed as its note."""
    return [
        replace(_qualifier(match) or _unread(*match.span(), match[0], QUALIFIERS), typed=match[0])
        for match in cue("qualifiers", "qualifier").finditer(text)
    ]


def _qualifier(match: re.Match[str]) -> RepositorySpan | None:
    key, value, is_excluded = match["key"].lower(), match["value"].strip("\"',"), match["minus"] is not None
    if key == "archived" and value.lower() in ("true", "false"):
        is_archived = (value.lower() == "true") != is_excluded
        label = "archived" if is_archived else "not archived"
        return RepositorySpan(*match.span(), "constraint", label, {"archived": is_archived})
    if key.startswith(("star", "created", "pushed")) and not is_excluded:
        found = next(iter(_range(key, value)), None)
        return replace(found, start=match.start(), end=match.end()) if found and found.fields else None
    field = next((name for name in ("languages", "licenses", "topics") if key.startswith(name[:4])), None)
    if not value or field is None:
        return None
    values: tuple[str, ...] = (value.lower(),)
    if field != "topics":
        values = (resolve_license(value) or (value,)) if field == "licenses" else (github_language(value),)
    label = {"languages": values[0], "licenses": value.upper(), "topics": f"topic {values[0]}"}[field]
    if is_excluded:
        return RepositorySpan(*match.span(), "exclusion", f"not {label}", {f"excluded_{field}": values})
    # a topic is searched for too: many repositories have none
    term = Term(words=tuple(words(value)), part="subject") if field == "topics" else None
    return RepositorySpan(*match.span(), "constraint", label, {field: values}, term)


def _range(key: str, value: str) -> list[RepositorySpan]:
    """Read `>N`, `>=N`, `<N`, `N..M`, `N..*` and `N` of stars or days, in the words of a question."""
    low, dots, high = value.replace("*", "").partition("..")
    is_stars = key.startswith("star")
    if dots and low and high:
        value = f"{low} to {high}"
    elif dots:
        value = f">= {low}" if low else f"<= {high}"
    elif value[:1] not in ("<", ">"):
        value = f"from {value} to {value}" if is_stars else f"in {value}"
    return find_stars(f"{value} stars") if is_stars else find_days(f"{key} {value}", date.min)
