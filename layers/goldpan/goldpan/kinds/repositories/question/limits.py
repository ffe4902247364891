"""The limits of a question: stars, days, maintenance, words such as "popular", and qualifiers as GitHub has them."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

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


def find_stars(text: str) -> list[RepositorySpan]:
    """Find numbers of stars, both ends inclusive."""
    return [
        RepositorySpan(one.start, one.end, "constraint", one.label, {"min_stars": one.low, "max_stars": one.high})
        for one in find_amounts(text, STARS, "stars")
    ]


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
    if how == "after" and one.day.isdigit() and first:  # "after 2020" includes that year, as people mean it
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
    """Read every qualifier; one that cannot be held to becomes an unread part, with the reason as its note."""
    return [replace(_read(match), typed=match[0]) for match in cue("qualifiers", "qualifier").finditer(text)]


def _read(match: re.Match[str]) -> RepositorySpan:
    value = match["value"].strip("\"',")
    try:
        label, fields = _constraint(match["key"].lower(), value, excluded=bool(match["minus"]))
    except ValueError as error:
        return RepositorySpan(*match.span(), "unread", match[0], note=f"{match[0]} is not used: {error}.")
    if match["minus"] and "archived" not in fields:
        fields = {f"excluded_{name}": values for name, values in fields.items()}
        return RepositorySpan(*match.span(), "exclusion", f"not {label}", fields)
    # a topic is searched for too: many repositories have none
    term = Term(words=tuple(words(value)), part="subject") if "topics" in fields else None
    return RepositorySpan(*match.span(), "constraint", label, fields, term)


def _constraint(key: str, value: str, *, excluded: bool) -> tuple[str, Mapping[str, object]]:
    """Return the label and the constraints of a qualifier. Raises `ValueError` with the reason if there are none."""
    if not value:
        raise ValueError("it has no value")
    if key == "archived":
        if value.lower() not in ("true", "false"):
            raise ValueError("archived is true or false")
        archived = (value.lower() == "true") != excluded
        return "archived" if archived else "not archived", {"archived": archived}
    if key.startswith("lang"):
        return github_language(value), {"languages": (github_language(value),)}
    if key.startswith("licen"):
        return value.upper(), {"licenses": resolve_license(value) or (value,)}
    if key.startswith("topic"):
        return f"topic {value.lower()}", {"topics": (value.lower(),)}
    if excluded:
        raise ValueError("this qualifier cannot be excluded")
    if key.startswith(("star", "created", "pushed")):
        return _bounds(key, value)
    raise ValueError(f"a search here cannot be limited by {key}")


def _bounds(key: str, value: str) -> tuple[str, Mapping[str, object]]:
    """Read the numbers of stars, or the days of creation and of a push, by the grammar of questions."""
    if key.startswith("star"):
        found = [(one.value, one.fields) for one in find_stars(f"{_in_words(value, 'from {0} to {0}')} stars")]
    else:
        days = find_dates(f"{key} {_in_words(value, 'in {0}')}", date.min)
        labels = (one.day if one.how == "between" else f"{one.how} {one.day}" for one in days)
        fields = ({f"{key}_after": one.first, f"{key}_before": one.last} for one in days)
        found = [(f"{key} {label}", each) for label, each in zip(labels, fields, strict=True)]
    if not found:
        raise ValueError(f"not a {'number' if key.startswith('star') else 'day'}: {value}")
    return found[0]


def _in_words(value: str, exact: str) -> str:
    """Write `>N`, `>=N`, `<N`, `N..M`, `N..*` and `N` as questions have it."""
    low, dots, high = value.replace("*", "").partition("..")
    if not (low or high):
        raise ValueError("it has no bound")
    if dots:
        return f"<= {high}" if not low else f">= {low}" if not high else f"{low} to {high}"
    return value if value[0] in "<>" else exact.format(value)
