"""Qualifiers typed as on GitHub, such as `language:rust stars:>1000 -topic:game`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from goldpan.kinds.repositories.licenses import resolve_license
from goldpan.kinds.repositories.question.limits import day_fields, star_fields
from goldpan.kinds.repositories.question.reading import RepositorySpan, Term
from goldpan.kinds.repositories.question.wording import github_language
from goldpan.question.amounts import range_label, to_number
from goldpan.question.dates import period
from goldpan.text import words

_QUALIFIER = re.compile(
    r"(?<!\S)(?P<minus>-|NOT\s+)?(?P<key>language|lang|license|licence|stars?|pushed|created|topics?|archived|user|org|repo|in|is|forks?"
    r"|size|followers|good-first-issues|help-wanted-issues|mirror|template|visibility|no|sort|path|filename|extension|updated|fork)"
    r":(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"']+)",
    re.IGNORECASE,
)


def find_qualifiers(text: str) -> list[RepositorySpan]:
    """Read every qualifier; one that cannot be held to becomes an unread part, with the reason as its note."""
    return [_read(match) for match in _QUALIFIER.finditer(text)]


def _read(match: re.Match[str]) -> RepositorySpan:
    value = match["value"].strip("\"'")
    try:
        label, fields = _constraint(match["key"].lower(), value, excluded=bool(match["minus"]))
    except ValueError as error:
        note = f"{match[0]} is not used: {error}."
        return RepositorySpan(match.start(), match.end(), "unread", match[0], note=note)
    if match["minus"] and "archived" not in fields:
        fields = {f"excluded_{name}": values for name, values in fields.items()}
        return RepositorySpan(match.start(), match.end(), "exclusion", f"not {label}", fields)
    named = fields.get("topics")  # a topic is searched for too: many repositories have none
    term = Term(words=tuple(words(value)), part="subject") if named else None
    return RepositorySpan(match.start(), match.end(), "constraint", label, fields, term)


def _constraint(key: str, value: str, *, excluded: bool) -> tuple[str, dict[str, object]]:
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
    if key.startswith("star"):
        low, high, above, below = _bounds(value)
        least = None if low is None else to_number(low) + above
        most = None if high is None else max(0, to_number(high) - below)
        return range_label(least, most, "stars"), star_fields(least, most)
    if key in ("created", "pushed"):
        return _days(key, value)
    message = f"a search here cannot be limited by {key}"
    raise ValueError(message)


def _days(fact: str, value: str) -> tuple[str, dict[str, object]]:
    low, high, above, below = _bounds(value)
    first: date | None = None if low is None else period(low)[1] + timedelta(days=1) if above else period(low)[0]
    last: date | None = None if high is None else period(high)[0] - timedelta(days=1) if below else period(high)[1]
    if low and high:
        label = f"in {low}" if low == high else f"{low} to {high}"
    elif low:
        label = f"{'after' if above else 'since'} {low}"
    else:
        label = f"{'before' if below else 'until'} {high}"
    return f"{fact} {label}", day_fields(fact, first, last)


def _bounds(value: str) -> tuple[str | None, str | None, bool, bool]:
    """Split `>N`, `>=N`, `<N`, `N..M`, `N..*` and `N` into bounds, and report which of them leaves out its number."""
    low, dots, high = value.partition("..")
    if low in ("*", "") and high in ("*", ""):
        raise ValueError("it has no bound")
    if dots:
        return (None if low in ("*", "") else low), (None if high in ("*", "") else high), False, False
    bare, strict = value.lstrip("<>="), value[1:2] != "="
    if value.startswith(">"):
        return bare, None, strict, False
    return (None, bare, False, strict) if value.startswith("<") else (bare, bare, False, False)
