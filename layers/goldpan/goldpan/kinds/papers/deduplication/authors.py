"""Compare lists of authors: initials, "Last, First", accents and lists that were cut short."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.deduplication.damaged_names import (
    NO_PERSONS,
    UNREADABLE,
    is_no_name,
    mark_misread,
    mark_mixed,
    may_be,
    without_and,
)
from goldpan.kinds.papers.deduplication.titles import fold, without_ligatures

_INITIALS_LAST = re.compile(r"^([^\W\d_]\S+(?:\s\S{2,})*)\s+([A-Z](?:[.\s-]?[A-Z]){0,2}\.?)$")
"""The form of medical databases: "Skarlinski MD"."""
_LETTERS = rf"(?:[^\W\d_]|{UNREADABLE})+"
_WORD = re.compile(rf"{_LETTERS}(?:[-'\u2019\u2010\u2011]{_LETTERS})*")
_NO_LETTER = re.compile(rf"[^\w{UNREADABLE}]")
_UMLAUT = re.compile(r"(?<=[aou])e")
# fmt: off
_NO_NAMES = frozenset((
    "al", "anonymous", "dr", "et", "ii", "iii", "iv", "jr", "md", "others", "phd", "prof", "sr", "unknown",
))
# fmt: on
FAMILY_KEY = 5
"""Letters of a family name that two records of one author share, so that records can be looked up by it."""
MIN_FUZZY, LONG_NAME = 5, 8
MIN_CROSSED, MAX_INITIALS = 2, 2
"""Authors of a longer list whose initials are in the order of the other list, and letters of initials in one word."""
MIN_GIVEN, MAX_GIVEN_TYPOS = 3, 2
"""Letters of a given name that is no initial, and differences between two spellings of one."""


class Shared(IntEnum):
    """How far two lists of authors agree."""

    CONFLICT = 0
    """Both are known, and no author is the same."""
    UNKNOWN = 1
    """One list is empty, or the two are in different scripts."""
    FAMILY = 2
    """A family name is the same, or all initials are in the order of the other list, but no given name fits."""
    SOME = 3
    MOST = 4
    """At least half of the shorter list, and two authors or the first one of both."""


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name in a form to compare."""

    family: str
    given: tuple[str, ...]
    is_latin: bool
    letters: str
    """All of the name without spaces."""

    @property
    def key(self) -> str:
        """The beginning of the family name, and the first initial."""
        readable = self.family.replace(UNREADABLE, "") or self.family
        return f"{readable[:FAMILY_KEY]} {self.given[0][0] if self.given else ''}"


@lru_cache(maxsize=32768)
def read_name(text: str) -> Name | None:
    """Split a name into family name and given names; None for "et al." and for what is no name."""
    text = html.unescape(text)
    if is_no_name(text):
        return None
    text = mark_misread(text)
    family, comma, given = text.partition(",")
    if not comma and (swapped := _INITIALS_LAST.match(text.strip())):
        family, given, comma = swapped[1], " ".join(swapped[2].replace(".", "")), ","
    last, first = _name_words(family), _name_words(given)
    if not comma:
        last, first = last[-1:], last[:-1]
        if last and len(last[0]) == 1 and first:
            last, first = first[:1], [*first[1:], *last]
    if not last or (len("".join(last)) == 1 and last[0].isascii()):
        return None
    if not NO_PERSONS.isdisjoint((*last, *first)):
        return None
    joined = "".join(last)
    return Name(joined, tuple(first), any(letter.isascii() for letter in joined), "".join(first) + joined)


def read_names(authors: Sequence[str]) -> tuple[Name, ...]:
    """Read the names of a list of authors, in their order."""
    return tuple(name for name in map(read_name, authors) if name is not None)


def compare(ones: Sequence[Name], others: Sequence[Name]) -> Shared:
    """Compare two lists; only names of the same script count."""
    scripts = {name.is_latin for name in ones} & {name.is_latin for name in others}
    if not scripts:
        return Shared.UNKNOWN
    left, right = ([name for name in names if name.is_latin in scripts] for names in (ones, others))
    free, matched = list(right), 0
    for name in left:
        partner = next((other for other in free if _is_same(name, other)), None)
        if partner is not None:
            free.remove(partner)
            matched += 1
    if not matched:
        return Shared.FAMILY if _are_families_alike(left, right) else Shared.CONFLICT
    is_most = 2 * matched >= min(len(left), len(right))
    return Shared.MOST if is_most and (matched > 1 or _is_same(left[0], right[0])) else Shared.SOME


def _name_words(text: str) -> list[str]:
    found = (mark_mixed(_NO_LETTER.sub("", word)) for word in _WORD.findall(fold(text)))
    return [
        word if word in NO_PERSONS else _UMLAUT.sub("", word) or word
        for word in found
        if word and word not in _NO_NAMES
    ]


def _are_families_alike(left: Sequence[Name], right: Sequence[Name]) -> bool:
    pairs = [(one, other) for one in left for other in right]
    if any(is_same_family(one.family, other.family) or _is_glued(one, other) for one, other in pairs):
        return True
    crossed = sum(any(_are_crossed(one, other) for other in right) for one in left)
    return crossed >= min(len(left), len(right), MIN_CROSSED)


def _is_glued(one: Name, other: Name) -> bool:
    """Return whether a family name has the "and" of the list at its end: "I. Kamelandc" for I. Kamel."""
    left, right = without_and(one.family, one.given), without_and(other.family, other.given)
    return (left, right) != (one.family, other.family) and is_same_family(left, right)


def _are_crossed(one: Name, other: Name) -> bool:
    """Return whether each may be the other with its names in the opposite order: "H. Jiawei" and "J. Han"."""
    return one.family[0] in _initials(other) and other.family[0] in _initials(one)


def _initials(name: Name) -> str:
    """Return the first letters of the given names; a first word of few letters is initials itself."""
    first = name.given[0] if name.given else ""
    return (first if len(first) <= MAX_INITIALS else first[:1]) + "".join(word[0] for word in name.given[1:])


def _is_same(one: Name, other: Name) -> bool:
    if one.letters == other.letters:
        return True
    if is_same_family(one.family, other.family):
        return _is_same_given(one.given, other.given)
    return one.family in other.given and other.family in one.given


@lru_cache(maxsize=16384)
def is_same_family(one: str, other: str) -> bool:
    """Compare two family names; a part of a double name, and a likely misspelling of a long one, is the same."""
    if one == other:
        return True
    if UNREADABLE in one or UNREADABLE in other:
        if may_be(one, other) or may_be(other, one):
            return True
        one, other = one.replace(UNREADABLE, ""), other.replace(UNREADABLE, "")
    shorter = min(len(one), len(other))
    if shorter >= MIN_FUZZY - 1 and without_ligatures(one) == without_ligatures(other):
        return True
    if shorter < MIN_FUZZY:
        return False
    if one.endswith(other) or other.endswith(one):
        return True
    allowed = 1 if shorter < LONG_NAME else 2
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed


def _is_same_given(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Compare given names; an initial stands for every name that begins with it."""
    if not one or not other:
        return True
    first, second = one[0], other[0]
    if first[0] != second[0]:  # a middle name that is used as the first, or is written as an initial
        is_middle = len(first) < MIN_GIVEN and first[0] in {word[0] for word in other}
        return is_middle or first in other or second in one
    if min(len(first), len(second)) < MIN_GIVEN or first.startswith(second) or second.startswith(first):
        return True
    is_alike = OSA.distance(first, second, score_cutoff=MAX_GIVEN_TYPOS) <= MAX_GIVEN_TYPOS
    return is_alike or bool(set(one[1:]) & set(other[1:]))
