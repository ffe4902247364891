"""Read qualifiers typed as on GitHub, such as `language:rust stars:>1000 -topic:game`."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any, Literal

from goldpan.kinds.repositories.question.reading.constraints import github_language
from goldpan.kinds.repositories.question.reading.dates import Fact, day_fields, period
from goldpan.kinds.repositories.question.reading.licenses import resolve_license
from goldpan.kinds.repositories.question.reading.parts import Found, Term
from goldpan.kinds.repositories.question.reading.stars import star_fields, stars_label, to_number
from goldpan.text import words

_READ = "language|lang|license|licence|stars?|pushed|created|topics?|archived"
_UNREAD = (
    "user|org|repo|in|is|forks?|size|followers|good-first-issues|help-wanted-issues|mirror|template|visibility|no|sort"
    "|path|filename|extension|updated|fork"
)
_QUALIFIER = re.compile(
    rf"(?<!\S)(?P<minus>-|NOT\s+)?(?P<key>{_READ}|{_UNREAD}):(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"']+)", re.IGNORECASE
)
Bounds = tuple[str | None, str | None]


def find_qualifiers(text: str) -> list[Found]:
    """Read every qualifier; one that cannot be held to becomes an unread part, with the reason as its note."""
    return [_read(match) for match in _QUALIFIER.finditer(text)]


def _read(match: re.Match[str]) -> Found:
    key, value = match["key"].lower(), match["value"].strip("\"'")
    excluded = bool(match["minus"])
    try:
        kind, label, fields = _constraint(key, value, excluded=excluded)
    except ValueError as error:
        return Found(match.start(), match.end(), "unread", match[0], note=f"{match[0]} is not used: {error}.")
    named = fields.get("topics", ())  # a topic is searched for too: many repositories have none
    term = Term(words=tuple(word for name in named for word in words(name)), part="subject") if named else None
    return Found(match.start(), match.end(), kind, label, fields, term)


Read = tuple[Literal["constraint", "exclusion"], str, dict[str, Any]]


def _constraint(key: str, value: str, *, excluded: bool) -> Read:
    """Return the kind, the label and the constraints of a qualifier; raises ValueError with the reason if none."""
    if not value:
        raise ValueError("it has no value")
    if key == "archived":
        return _archived(value, excluded=excluded)
    listed = _listed_values(key, value)
    if listed is not None:
        name, values, label = listed
        return ("exclusion", f"not {label}", {f"excluded_{name}": values}) if excluded else (
            "constraint", label, {name: values}
        )  # fmt: skip
    if excluded:
        raise ValueError("this qualifier cannot be excluded")
    if key.startswith("star"):
        low, high = _stars(value)
        return "constraint", stars_label(low, high), star_fields(low, high)
    if key in ("created", "pushed"):
        return _days("created" if key == "created" else "pushed", value)
    raise ValueError(f"a search here cannot be limited by {key}")


def _listed_values(key: str, value: str) -> tuple[str, tuple[str, ...], str] | None:
    """Return the constraint, its values and its label, if the qualifier names one of several values."""
    if key.startswith("lang"):
        return "languages", (github_language(value),), github_language(value)
    if key.startswith("licen"):
        return "licenses", resolve_license(value) or (value,), value.upper()
    return ("topics", (value.lower(),), f"topic {value.lower()}") if key.startswith("topic") else None


def _archived(value: str, *, excluded: bool) -> Read:
    if value.lower() not in ("true", "false"):
        raise ValueError("archived is true or false")
    archived = (value.lower() == "true") != excluded
    return "constraint", "archived" if archived else "not archived", {"archived": archived}


def _stars(value: str) -> tuple[int | None, int | None]:
    low, high = _bounds(value)
    above, below = value.startswith(">") and value[1:2] != "=", value.startswith("<") and value[1:2] != "="
    return (
        None if low is None else to_number(low) + above,
        None if high is None else max(0, to_number(high) - below),
    )


def _days(fact: Fact, value: str) -> Read:
    low, high = _bounds(value)
    first = _first_day(low, after=value.startswith(">") and value[1:2] != "=")
    last = _last_day(high, before=value.startswith("<") and value[1:2] != "=")
    return "constraint", f"{fact} {_day_label(low, high, value)}", day_fields(fact, first, last)


def _first_day(low: str | None, *, after: bool) -> date | None:
    return None if low is None else period(low)[1] + timedelta(days=1) if after else period(low)[0]


def _last_day(high: str | None, *, before: bool) -> date | None:
    return None if high is None else period(high)[0] - timedelta(days=1) if before else period(high)[1]


def _day_label(low: str | None, high: str | None, value: str) -> str:
    if low and high:
        return f"in {low}" if low == high else f"{low} to {high}"
    return (
        f"{'after' if value[1:2] != '=' and value[0] == '>' else 'since'} {low}"
        if low
        else f"{'before' if value[1:2] != '=' and value[0] == '<' else 'until'} {high}"
    )


def _bounds(value: str) -> Bounds:
    """Split `>N`, `>=N`, `<N`, `<=N`, `N..M`, `N..*`, `*..M` and `N` into a lower and an upper bound."""
    low, dots, high = value.partition("..")
    if low in ("*", "") and high in ("*", ""):
        raise ValueError("it has no bound")
    if dots:
        return (None if low in ("*", "") else low, None if high in ("*", "") else high)
    bare = value.lstrip("<>=")
    if value.startswith(">"):
        return bare, None
    return (None, bare) if value.startswith("<") else (bare, bare)
