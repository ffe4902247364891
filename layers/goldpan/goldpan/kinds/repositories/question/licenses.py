"""The licences that a question asks for or refuses."""

from __future__ import annotations

import re

from goldpan.kinds.repositories.licenses import licenses
from goldpan.kinds.repositories.question.reading import RepositorySpan, cue
from goldpan.kinds.repositories.vocabulary import is_known, platform_of

_CAPITALS = ("MIT", "ISC", "EPL")
"""Ambiguous names that are licences in capitals."""
_BEGIN = re.compile(r"(?<![\w-])\w")


def find_licenses(text: str) -> list[RepositorySpan]:
    """Find the licences that a question asks for."""
    found: list[RepositorySpan] = []
    place = 0
    while begin := _BEGIN.search(text, place):
        place = begin.end()
        if named := licenses_at(text, begin.start()):
            place, label, ids = named
            found.append(RepositorySpan(begin.start(), place, "constraint", label, {"licenses": ids}))
    return found


def licenses_at(text: str, start: int) -> tuple[int, str, tuple[str, ...]] | None:
    """Return the end, the label and the identifiers of the licences named at a place: "under MIT or Apache-2.0"."""
    before = link = cue("licenses", "before").match(text, start)
    keys, end = list[str](), start
    while link and (named := _name_at(text, link.end())):
        key, end = named
        keys.append(key)
        link = cue("licenses", "link").match(text, end)
    after = cue("licenses", "after").match(text, end)
    if not (before and keys and after):
        return None
    sure = before["under"] or before["kind"] or after["kind"] or keys[0] not in licenses().ambiguous
    if not sure and not _is_license(text[before.end() : end], text[end:]):
        return None
    ids = tuple(dict.fromkeys(spdx for key in keys for spdx in licenses().ids[key]))
    return after.end(), " or ".join(map(licenses().label, dict.fromkeys(keys))), ids


def _name_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the longest name of a licence at a place, as the tables have it, and its end."""
    several = cue("licenses", "words").match(text, start)
    ends = [start + word.end() for word in re.finditer(r"\w+", several[0])] if several else []
    for end in reversed(ends):
        if cue("licenses", "ends").match(text, end) and (key := licenses().key(text[start:end])):
            return key, end
    return None


def _is_license(named: str, after: str) -> bool:
    """Report whether an ambiguous name is a licence: in capitals, unlike German "mit", and no owner: "MIT Scheme"."""
    if not named.startswith(_CAPITALS):
        return named.startswith("mit") and named != "mit"
    following = re.match(r"\s+([A-Z][\w.+#]*)", after)  # "MIT Go router" and "MIT JSON" have licences
    is_technical = following and following[1].isupper() and is_known(following[1].lower())
    return following is None or platform_of(following[1]) is not None or bool(is_technical)
