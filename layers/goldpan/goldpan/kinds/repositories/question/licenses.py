"""The licences that a question asks for or refuses."""

from __future__ import annotations

import re
from typing import NamedTuple

from goldpan.kinds.repositories.licenses import licenses
from goldpan.kinds.repositories.question.reading import RepositorySpan
from goldpan.kinds.repositories.vocabulary import is_known, platform_of

_CAPITALS = ("MIT", "ISC", "EPL")
"""Ambiguous names that are licences in capitals."""
_KIND = r"(?:(?:dual|multi)[\s-]+)?(?:licen[cs]e[ds]?|licensing)"
_BEGIN = re.compile(r"(?<![\w-])\w")
_BEFORE = re.compile(
    r"(?:(?P<under>under\s+)|(?:with|has|having|using)\s+)?(?:(?:an?|the)\s+)?"
    rf"(?P<kind>{_KIND}\s*(?:under|:|is|as)?\s+(?:(?:an?|the)\s+)?)?",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+(?:[\s.-]{1,2}\w+){0,4}")
_NAME_ENDS = re.compile(r"(?!\.\d|\w|-(?!or-|only|licen))", re.IGNORECASE)
_LINK = re.compile(
    rf"\s*(?:,\s*(?:or|and|nor)\s|,|/|\b(?:or|and|nor)\b)\s*(?:(?:no|not)\s+)?(?:{_KIND}\s+)?", re.IGNORECASE
)
_AFTER = re.compile(
    r"(?:\+|(?:\s+|-)(?:or[\s-]+later|or[\s-]+newer|only)(?!\w))?"
    rf"(?P<kind>[\s-]+{_KIND}(?:,?\s+(?:version\s+|v\.?\s?)?\d(?:\.\d)?(?![\w.]))?(?!\w))?(?!-free)",
    re.IGNORECASE,
)


class LicensesNamed(NamedTuple):
    """Where the licences end that a text names at a place, their SPDX identifiers, and how they are shown."""

    end: int
    ids: tuple[str, ...]
    label: str


def find_licenses(text: str) -> list[RepositorySpan]:
    """Find the licences that a question asks for."""
    found: list[RepositorySpan] = []
    place = 0
    while begin := _BEGIN.search(text, place):
        place = begin.end()
        if named := licenses_at(text, begin.start()):
            place = named.end
            found.append(RepositorySpan(begin.start(), place, "constraint", named.label, {"licenses": named.ids}))
    return found


def licenses_at(text: str, start: int) -> LicensesNamed | None:
    """Return the licences that a text names at a place, alone or as a list: "under MIT or Apache-2.0"."""
    before = _BEFORE.match(text, start)
    link, keys, end = before, list[str](), start
    while link and (named := _name_at(text, link.end())):
        key, end = named
        keys.append(key)
        link = _LINK.match(text, end)
    after = _AFTER.match(text, end)
    if not (before and keys and after):
        return None
    sure = before["under"] or before["kind"] or after["kind"]
    if not sure and keys[0] in licenses().ambiguous and not _is_license(text[before.end() : end], text[end:]):
        return None
    keys = list(dict.fromkeys(keys))
    ids = tuple(dict.fromkeys(spdx for key in keys for spdx in licenses().ids[key]))
    return LicensesNamed(after.end(), ids, " or ".join(map(licenses().label, keys)))


def _name_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the longest name of a licence at a place, as the tables have it, and its end."""
    several = _WORDS.match(text, start)
    ends = [start + word.end() for word in re.finditer(r"\w+", several[0])] if several else []
    named = ((licenses().key(text[start:end]), end) for end in reversed(ends) if _NAME_ENDS.match(text, end))
    return next(((key, end) for key, end in named if key), None)


def _is_license(named: str, after: str) -> bool:
    """Report whether an ambiguous name is a licence: in capitals, or in a list; "mit" alone is German."""
    if named.startswith(_CAPITALS):
        return not _is_owner(after)
    return named.startswith("mit") and named != "mit"


def _is_owner(after: str) -> bool:
    """Report whether capitals are a part of a name, as in "MIT Scheme", unlike in "MIT Go router" and "MIT JSON"."""
    following = re.match(r"\s+([A-Z][\w.+#]*)", after)
    if following is None or platform_of(following[1]) is not None:
        return False
    return not (following[1].isupper() and is_known(following[1].lower()))
