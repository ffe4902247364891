"""How far two titles agree: what one of them lacks has to be explained.

Explained are inflections, typing errors, references around a title, and parts that its punctuation sets apart.
A typing error is a word that is close to another one and that is not known: two known words are two words.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from functools import lru_cache
from itertools import chain

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.deduplication.titles import Title, find_numbers
from goldpan.kinds.papers.letters import WORDS
from goldpan.known_words import known_words
from goldpan.text import word_terms

CLOSE_SHARE = 0.3
"""The share of the words, of the title that has fewer, that close titles may have alone."""
MIN_CUT = 70
"""Letters from which on lists cut the last word of a title off."""
_YEAR = re.compile(r"(?:19|20)\d\d")
MIN_SPELLING = 5
"""Letters of a word that may be misspelled in one place."""


class Agreement(IntEnum):
    """How far two titles agree."""

    NONE = 0
    CLOSE = 1
    """Most words are shared, or all but one."""
    CONTAINED = 2
    """One is the other without a heading or a subtitle, or with an end that was cut off."""
    WORDS = 3
    """The same words but for small words, inflections, spelling and parts of a reference."""
    EXACT = 4
    """The same letters and digits."""


@dataclass(frozen=True)
class _Rest:
    """The words of a title that the other one lacks and that are no reference."""

    words: Sequence[str]
    is_apart: bool
    """Whether punctuation or the end of the title sets them apart."""


def agreement(one: Title, other: Title, context: frozenset[str]) -> Agreement:
    """Compare two titles; either may hold words of the context, as in a reference: names, years and the venue."""
    if not one.compact or not other.compact or one.compact == other.compact:
        return Agreement.EXACT if one.compact and other.compact else Agreement.NONE
    one, other = sorted((one, other), key=lambda title: title.words)
    ours, theirs = _unshared(one, other)
    alone = [one.words[at] for at in ours], [other.words[at] for at in theirs]
    is_of_other_years = all(any(map(_YEAR.fullmatch, words)) for words in alone)
    if len(ours) == len(one.words) or is_of_other_years or not WORDS["notices"].isdisjoint(chain(*alone)):
        return Agreement.NONE
    left, right = _unexplained(one, ours, context), _unexplained(other, theirs, context)
    if not left.words and not right.words:
        return Agreement.WORDS
    if find_numbers((*left.words, *right.words)):
        return Agreement.NONE
    if (left.is_apart and not right.words) or (right.is_apart and not left.words):
        return Agreement.CONTAINED
    few = max(1, CLOSE_SHARE * min(len(one.words), len(other.words)))
    return Agreement.CLOSE if max(len(left.words), len(right.words)) <= few else Agreement.NONE


def _unshared(one: Title, other: Title) -> tuple[list[int], list[int]]:
    """Return the positions of the words of each title that the other one lacks, or has in another order."""
    ours, theirs = list(one.words), list(other.words)
    lacking = [word for word in ours if word not in theirs]
    for place, word in enumerate(theirs):
        if word not in ours and (same := next((each for each in lacking if is_variant(each, word)), None)):
            theirs[place] = same
            lacking.remove(same)
    if sorted(ours) == sorted(theirs):
        return [], []
    changes = [each for each in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes() if each[0] != "equal"]
    left = [at for _, start, end, _, _ in changes for at in range(start, end)]
    return left, [at for _, _, _, start, end in changes for at in range(start, end)]


def _unexplained(title: Title, alone: Sequence[int], context: frozenset[str]) -> _Rest:
    """Leave out the words before and after the shared ones that are a reference: names, a venue and a year."""
    shared = {*range(len(title.words))} - {*alone}
    first, last = min(shared), max(shared)
    rest = [at for at in alone if first < at < last]
    is_apart, around = not rest, context | WORDS["citations"]
    head, tail = [at for at in alone if at < first], [at for at in alone if at > last]
    for part, is_set_off in ((head, first in title.breaks), (tail, last + 1 in title.breaks)):
        if part and around.isdisjoint(title.words[at] for at in part):
            rest += part
            is_cut = part is tail and (len(part) > 1 or len(title.compact) >= MIN_CUT)
            is_apart = is_apart and (is_set_off or is_cut)
    return _Rest([title.words[at] for at in rest if not _is_qualifier(title, at)], is_apart)


def _is_qualifier(title: Title, place: int) -> bool:
    """Report whether a word says in what form a paper was given: set apart from the title, alone or after others."""
    if title.words[place] not in WORDS["qualifiers"]:
        return False
    is_heading = place + 1 in title.breaks and place + 1 < len(title.words)
    return is_heading or place in title.breaks or (place > 0 and _is_qualifier(title, place - 1))


@lru_cache(maxsize=16384)
def is_variant(one: str, other: str) -> bool:
    """Return whether two words differ in an inflection or a likely misspelling; words with digits never do."""
    if one == other or not (one.isalpha() and other.isalpha()):
        return one == other
    if word_terms(one) == word_terms(other):
        return True
    if one[0] != other[0] or min(len(one), len(other)) < MIN_SPELLING or {one, other} <= known_words().keys():
        return False
    return OSA.distance(one, other, score_cutoff=1) <= 1
