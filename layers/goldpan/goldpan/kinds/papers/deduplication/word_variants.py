"""Whether two words of titles are one word in two inflections or spellings."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

MIN_STEM = 4
"""Letters that two inflections share at the least."""
MIN_SPELLING, LONG_WORD = 6, 9
"""Letters of a word that may be misspelled in one place, and in two."""
_ENDINGS = frozenset((
    "", "s", "es", "ed", "d", "e", "ing", "ies", "y", "al", "ally", "ly", "ic", "ical", "er", "ers", "ion", "ions", "ation",
))  # fmt: skip
_OPPOSITES = (("hyper", "hypo"), ("inter", "intra"), ("macro", "micro"), ("over", "under"), ("pre", "pro"), ("meta", "para"))
_PREFIXES = frozenset(("a", "an", "anti", "bi", "de", "dis", "il", "im", "in", "ir", "mono", "multi", "non", "semi", "sub", "super", "tri", "un"))
"""Change the meaning of the word that follows."""
_CHEMICAL = (frozenset(("ate", "ite", "ide")), frozenset(("ane", "ene", "yne", "ine", "one")), frozenset(("ol", "al", "yl")))
"""Endings that tell substances apart: IUPAC, "Nomenclature of Organic Chemistry", P-31 and P-72."""


@lru_cache(maxsize=65536)
def is_variant(one: str, other: str) -> bool:
    """Return whether two words differ in an inflection or a likely misspelling; words with digits never do."""
    if not (one.isalpha() and other.isalpha()) or one[0] != other[0] or are_different(one, other):
        return False
    shared = _shared_beginning(one, other)
    if shared >= MIN_STEM and one[shared:] in _ENDINGS and other[shared:] in _ENDINGS:
        return True
    shorter = min(len(one), len(other))
    allowed = 0 if shorter < MIN_SPELLING else 1 if shorter < LONG_WORD else 2
    return bool(allowed) and OSA.distance(one, other, score_cutoff=allowed) <= allowed


def _shared_beginning(one: str, other: str) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length


@lru_cache(maxsize=65536)
def are_different(one: str, other: str) -> bool:
    """Return whether two words that look alike mean different things: supervised and unsupervised, nitrate and nitrite."""
    short, long = sorted((one, other), key=len)
    if long.endswith(short) and len(short) >= MIN_STEM and long[: -len(short)] in _PREFIXES:
        return True
    if any(one.startswith(pair[side]) and other == pair[1 - side] + one[len(pair[side]) :] for pair in _OPPOSITES for side in (0, 1)):
        return True
    shared = _shared_beginning(one, other)
    return shared >= MIN_STEM and any(_endings(one, group) != _endings(other, group) and _endings(one, group) and _endings(other, group) and abs(len(one)-len(other))<2 and shared>=min(len(one),len(other))-3 for group in _CHEMICAL)


def _endings(word: str, group: frozenset[str]) -> frozenset[str]:
    return frozenset(ending for ending in group if word.endswith(ending))
