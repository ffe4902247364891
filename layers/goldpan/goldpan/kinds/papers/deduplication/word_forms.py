"""Whether two words of titles are forms of one word, or look alike and mean different things."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA, Postfix, Prefix

from goldpan.kinds.papers.deduplication.titles import UNSPACED

MIN_STEM = 4
"""Letters that two inflections share at the least."""
MIN_SPELLING, LONG_WORD = 6, 9
"""Letters of a word that may be misspelled in one place, and in two."""
_ENDING = re.compile(r"(?:al|ally|ation|d|e|ed|er|ers|es|ic|ical|ies|ing|ions?|ly|s|y)?")
_OPPOSITE_PREFIXES = (
    frozenset(("hyper", "hypo")),
    frozenset(("inter", "intra")),
    frozenset(("macro", "micro")),
    frozenset(("over", "under")),
    frozenset(("pre", "pro")),
    frozenset(("meta", "para")),
)
_PREFIX = re.compile(r"a|an|anti|bi|de|dis|i[lmnr]|mono|multi|non|semi|sub|super|tri|un")
"""Change the meaning of the word that follows."""
_SUBSTANCE = re.compile(r"(\w{3,}?)(?:(ate|ite|ide)|(ane|ene|yne|ine|one)|(ol|al|yl))")
"""Endings that tell substances apart: IUPAC, "Nomenclature of Organic Chemistry", P-31 and P-72."""
_GREEK = re.compile("alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|phi|chi|psi")


@lru_cache(maxsize=16384)
def is_variant(one: str, other: str) -> bool:
    """Return whether two words differ in an inflection or a likely misspelling; words with digits never do."""
    if not (one.isalpha() and other.isalpha()) or one[0] != other[0] or are_different(one, other):
        return False
    if UNSPACED.fullmatch(one) or UNSPACED.fullmatch(other):  # each sign is a word or a syllable
        return False
    shared = Prefix.similarity(one, other)
    if shared >= MIN_STEM and _ENDING.fullmatch(one, shared) and _ENDING.fullmatch(other, shared):
        return True
    shorter = min(len(one), len(other))
    allowed = 0 if shorter < MIN_SPELLING else 1 if shorter < LONG_WORD else 2
    return bool(allowed) and OSA.distance(one, other, score_cutoff=allowed) <= allowed


@lru_cache(maxsize=16384)
def are_different(one: str, other: str) -> bool:
    """Return whether words that look alike mean different things: supervised and unsupervised, nitrate and nitrite."""
    if _GREEK.fullmatch(one) and _GREEK.fullmatch(other):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) >= MIN_STEM and long.endswith(short) and _PREFIX.fullmatch(long.removesuffix(short)):
        return True
    shared = Postfix.similarity(one, other)
    if any({one[: len(one) - at], other[: len(other) - at]} in _OPPOSITE_PREFIXES for at in range(shared + 1)):
        return True
    left, right = _SUBSTANCE.fullmatch(one), _SUBSTANCE.fullmatch(other)
    return bool(left and right and left[1] == right[1] and left.lastindex == right.lastindex and one != other)
