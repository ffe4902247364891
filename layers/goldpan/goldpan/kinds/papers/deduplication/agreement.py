"""How far two titles agree, by their words and the forms of these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Postfix, Prefix

from goldpan.kinds.papers.deduplication.titles import (
    CITATION_WORDS,
    NOTICE_WORDS,
    QUALIFIERS,
    SMALL_WORDS,
    UNSPACED,
    Title,
    read_title,
)

CLOSE_SHARE = 0.7
"""The share of the words, of the title that has fewer, that close titles have in common."""
MIN_CONTAINED, MIN_LENGTH = 3, 15
"""Content words and characters of a title for it to be recognised within a longer one, or misspelled."""
MIN_HEADED = 5
"""Content words of a title that may lack the first words of another one: "adaptive" makes a short one another paper."""
MIN_ALIKE_RATIO = 40.0
"""Percent of equal characters of the words in which two titles differ."""
MIN_SPELLING_RATIO, MIN_MISSING_RATIO, MIN_PARTIAL_RATIO = 90.0, 80.0, 93.0
"""Percent of equal characters of two titles, of two of which one only lacks words, and of one within another."""


class Agreement(IntEnum):
    """How far two titles agree."""

    NONE = 0
    CLOSE = 1
    """Most words are shared."""
    CONTAINED = 2
    """One is the other without a subtitle or an end that was cut off."""
    SPELLING = 3
    """Nearly the same characters."""
    WORDS = 4
    """The same words but for small words, inflections, spelling, spaces and parts of a reference."""
    EXACT = 5
    """The same letters and digits."""


def agreement(one: Title, other: Title, context: frozenset[str]) -> Agreement:
    """Compare two titles; either may hold words of the context, as in a reference: names, years and the venue."""
    if not one.compact or not other.compact:
        return Agreement.NONE
    if one.compact == other.compact:
        return Agreement.EXACT
    found = _compare(one, other, context)
    if found >= Agreement.SPELLING:
        return found
    bare = _without_reference(one, context), _without_reference(other, context)
    if bare == (one, other):
        return found
    return max(found, Agreement.WORDS if bare[0].compact == bare[1].compact else _compare(*bare, context))


def _without_reference(title: Title, context: frozenset[str]) -> Title:
    """Strip names, venues, years and initials from both ends of a title, if a name, a year or a venue is among them."""
    words, shown = title.words, context | CITATION_WORDS

    def may_be_cut(word: str) -> bool:
        return word in shown or word in SMALL_WORDS or (len(word) == 1 and word.isalpha())

    start = next((place for place, word in enumerate(words) if not may_be_cut(word)), len(words))
    end = next((place for place in range(len(words), start, -1) if not may_be_cut(words[place - 1])), start)
    start = 0 if shown.isdisjoint(words[:start]) else start
    end = len(words) if shown.isdisjoint(words[end:]) else end
    if start >= end or end - start == len(words) or NOTICE_WORDS.intersection((*words[:start], *words[end:])):
        return title
    return read_title(" ".join(words[start:end]))


def _compare(one: Title, other: Title, context: frozenset[str]) -> Agreement:
    if (one.content ^ other.content) & NOTICE_WORDS:
        return Agreement.NONE
    short, long = sorted((one, other), key=lambda title: (len(title.compact), title.compact))
    left, right = _only_in(short, long), _only_in(long, short)
    if any(are_different(word, each) for word in left for each in right):
        return Agreement.NONE
    unpaired, free = _unpaired(left, right)
    is_joined = "".join(left) == "".join(right)  # "multi step" and "multistep"
    found = Agreement.WORDS if is_joined and one.marks == other.marks else None
    found = found or _same_words(short, long, unpaired, free) or _contained(short, long, context)
    if found and not _lacks_head(short, long, context):
        return found
    least = min(len(short.content), len(long.content))
    is_close = found or (
        short.marks == long.marks and least >= MIN_CONTAINED and len(set(unpaired)) <= (1 - CLOSE_SHARE) * least
    )
    return Agreement.CLOSE if is_close else Agreement.NONE


def _only_in(one: Title, other: Title) -> list[str]:
    """Return the content words that the other title does not have, in their order."""
    return [word for word in one.words if word not in other.content | SMALL_WORDS and word not in other.words]


def _variant(word: str, others: Iterable[str]) -> str | None:
    return next((each for each in others if each[0] == word[0] and is_variant(word, each)), None)


def _unpaired(left: list[str], right: list[str]) -> tuple[list[str], list[str]]:
    """Return the words that are no variant of a word of the other title."""
    alone, free = [], list(right)
    for word in left:
        partner = _variant(word, free)
        if partner is None:
            alone.append(word)
        else:
            free.remove(partner)
    return alone, free


def _same_words(short: Title, long: Title, unpaired: list[str], free: list[str]) -> Agreement | None:
    """Compare two titles with the same numbers by the words of each that are no variant of one of the other."""
    if short.marks != long.marks:
        return None
    if not unpaired and QUALIFIERS.issuperset(free):
        return Agreement.WORDS
    if unpaired and free and not _may_be_misspelled(unpaired, free):
        return None
    least = MIN_SPELLING_RATIO if unpaired and free else MIN_MISSING_RATIO
    is_alike = len(short.compact) >= MIN_LENGTH and fuzz.ratio(short.compact, long.compact) >= least
    return Agreement.SPELLING if is_alike else None


def _may_be_misspelled(ones: list[str], others: list[str]) -> bool:
    """Return whether words in which two titles differ may be misspelled, unlike "few-shot" and "zero-shot".

    Where no spaces are written, each sign is a word or a syllable of its own.
    """
    if any(map(UNSPACED.fullmatch, (*ones, *others))):
        return False
    return len(ones) > 1 or len(others) > 1 or fuzz.ratio(ones[0], others[0]) >= MIN_ALIKE_RATIO


def _contained(short: Title, long: Title, context: frozenset[str]) -> Agreement | None:
    """Find the shorter title within the longer one, and judge the further words of that."""
    if len(short.content) < MIN_CONTAINED or len(short.compact) < MIN_LENGTH:
        return None
    least = 100.0 if any(map(UNSPACED.fullmatch, short.words)) else MIN_PARTIAL_RATIO
    marks, further = Counter(short.marks), Counter(long.marks)
    if marks - further or fuzz.partial_ratio(short.compact, long.compact) < least:
        return None
    around = {word for word in long.words if word not in short.content}
    shown = CITATION_WORDS | context
    if further - marks and not around & shown:
        return None
    subject = {word for word in around - SMALL_WORDS - QUALIFIERS - shown if len(word) > 1 and word.isalpha()}
    return Agreement.CONTAINED if subject else Agreement.WORDS


def _lacks_head(short: Title, long: Title, context: frozenset[str]) -> bool:
    """Return whether a short title lacks the first words of the longer one, and no colon sets them apart."""
    if len(short.content) >= MIN_HEADED:
        return False
    known = SMALL_WORDS | CITATION_WORDS | QUALIFIERS | context
    is_apart = long.heading > 0 and short.content.isdisjoint(long.words[: long.heading])
    for word in long.words[long.heading if is_apart else 0 :]:
        if word in short.content or _variant(word, short.content):
            return False
        if word not in known and len(word) > 1 and word.isalpha():
            return True
    return False


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
