"""Whether two words of titles are one word in two inflections or spellings."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.deduplication.titles import UNSPACED

MIN_STEM = 4
"""Letters that two inflections share at the least."""
MIN_SPELLING, LONG_WORD = 6, 9
"""Letters of a word that may be misspelled in one place, and in two."""
# fmt: off
_ENDINGS = frozenset((
    "", "al", "ally", "ation", "d", "e", "ed", "er", "ers", "es", "ic", "ical", "ies", "ing", "ion", "ions", "ly", "s",
    "y",
))
_OPPOSITES = (
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("macro", "micro"),
    ("over", "under"),
    ("pre", "pro"),
    ("meta", "para"),
)
_PREFIXES = frozenset((
    "a", "an", "anti", "bi", "de", "dis", "il", "im", "in", "ir", "mono", "multi", "non", "semi", "sub", "super", "tri",
    "un",
))
_NAMES_OF_LETTERS = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
))
# fmt: on
"""Change the meaning of the word that follows."""
_CHEMICAL = (
    frozenset(("ate", "ite", "ide")),
    frozenset(("ane", "ene", "yne", "ine", "one")),
    frozenset(("ol", "al", "yl")),
)
"""Endings that tell substances apart: IUPAC, "Nomenclature of Organic Chemistry", P-31 and P-72."""


LONGEST_ENDING = 3


@lru_cache(maxsize=16384)
def is_variant(one: str, other: str) -> bool:
    """Return whether two words differ in an inflection or a likely misspelling; words with digits never do."""
    if not (one.isalpha() and other.isalpha()) or one[0] != other[0] or are_different(one, other):
        return False
    if UNSPACED.fullmatch(one) or UNSPACED.fullmatch(other):  # each sign is a word or a syllable
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


def are_different(one: str, other: str) -> bool:
    """Return whether words that look alike mean different things: supervised and unsupervised, nitrate and nitrite."""
    if one in _NAMES_OF_LETTERS and other in _NAMES_OF_LETTERS:
        return True
    return (one[0] == other[0] or one[-1] == other[-1]) and _are_different(one, other)  # no such words differ in both


@lru_cache(maxsize=16384)
def _are_different(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long.endswith(short) and len(short) >= MIN_STEM and long[: -len(short)] in _PREFIXES:
        return True
    return _are_opposites(one, other) or _are_opposites(other, one) or _are_substances(short, long)


def _are_opposites(one: str, other: str) -> bool:
    pairs = (pair for pair in _OPPOSITES if one.startswith(pair[0]))
    return any(other == second + one[len(first) :] for first, second in pairs)


def _are_substances(short: str, long: str) -> bool:
    """Return whether two words differ in the ending of a substance alone."""
    if len(long) - len(short) > 1 or _shared_beginning(short, long) < max(MIN_STEM, len(short) - LONGEST_ENDING):
        return False
    endings = ([{ending for ending in group if word.endswith(ending)} for group in _CHEMICAL] for word in (short, long))
    return any(one and other and one != other for one, other in zip(*endings, strict=True))
