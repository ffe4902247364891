"""Qualifiers typed as on GitHub, such as `language:rust stars:>1000 -topic:game`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from goldpan.kinds.repositories.licenses import resolve_license
from goldpan.kinds.repositories.question.reading import RepositorySpan, Term
from goldpan.kinds.repositories.vocabulary import github_language
from goldpan.question.amounts import range_label, to_number
from goldpan.question.dates import period, period_label
from goldpan.text import words

_QUALIFIER = re.compile(
    r"(?<!\S)(?P<minus>-|NOT\s+)?(?P<key>language|lang|license|licence|stars?|pushed|created|topics?|archived|user|org|repo|in|is|forks?"
    r"|size|followers|good-first-issues|help-wanted-issues|mirror|template|visibility|no|sort|path|filename|extension|updated|fork)"
    r":(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"']+)",
    re.IGNORECASE,
)
_OPEN = ("*", "")


def find_qualifiers(text: str) -> list[RepositorySpan]:
    """Read every qualifier; one that cannot be held to becomes an unread part, with the reason as its note."""
    return [replace(_read(match), typed=match[0]) for match in _QUALIFIER.finditer(text)]


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
    if key.startswith("star"):
        return _stars(value)
    if key in ("created", "pushed"):
        return _days(key, value)
    message = f"a search here cannot be limited by {key}"
    raise ValueError(message)


def _stars(value: str) -> tuple[str, Mapping[str, object]]:
    low, high, strict = _bounds(value)
    least = None if low is None else to_number(low) + strict
    most = None if high is None else max(0, to_number(high) - strict)
    return range_label(least, most, "stars"), {"min_stars": least, "max_stars": most}


def _days(fact: str, value: str) -> tuple[str, Mapping[str, object]]:
    low, high, strict = _bounds(value)
    beyond = timedelta(days=strict)
    first = period(low)[strict] + beyond if low else None
    last = period(high)[not strict] - beyond if high else None
    label = period_label(low, high, strict=strict)
    return f"{fact} {label}", {f"{fact}_after": first, f"{fact}_before": last}


def _bounds(value: str) -> tuple[str | None, str | None, bool]:
    """Split `>N`, `>=N`, `<N`, `N..M`, `N..*` and `N` into bounds, and report whether the one bound is left out."""
    low, dots, high = value.partition("..")
    if low in _OPEN and high in _OPEN:
        raise ValueError("it has no bound")
    if dots:
        return (None if low in _OPEN else low), (None if high in _OPEN else high), False
    bare, strict = value.lstrip("<>="), value[0] in "<>" and value[1:2] != "="
    return (None if value[0] == "<" else bare), (None if value[0] == ">" else bare), strict
