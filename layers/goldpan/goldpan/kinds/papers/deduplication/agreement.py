"""How far two titles agree: their words are aligned, and what one of them lacks has to be explained.

Explained are inflections, typing errors, spaces, references around a title, and parts that its punctuation sets apart.
A typing error is a word that is close to another one and that is not known: two known words are two words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from functools import lru_cache
from itertools import chain

from rapidfuzz.distance import OSA

from goldpan.kinds.papers.deduplication.titles import SMALL_WORDS, UNSPACED, Title, marks_at, read_marks
from goldpan.kinds.papers.letters import WORDS
from goldpan.known_words import known_words
from goldpan.text import word_terms

CLOSE_SHARE = 0.7
"""The share of the words, of the title that has fewer, that close titles have in common."""
MIN_CUT = 70
"""Letters from which on lists cut a title off."""
_SMALL = Counter(dict.fromkeys(SMALL_WORDS, 1000))
MIN_CONTAINED = 3
"""Content words of a title for it to be recognised within a longer one."""


class Agreement(IntEnum):
    """How far two titles agree."""

    NONE = 0
    CLOSE = 1
    """Most words are shared, or all but one."""
    CONTAINED = 2
    """One is the other without a heading or a subtitle, or with an end that was cut off."""
    WORDS = 3
    """The same words but for small words, inflections, spelling, spaces and parts of a reference."""
    EXACT = 4
    """The same letters and digits."""


@dataclass(frozen=True)
class _Part:
    """Words of a title in whose place the other title has none, or others."""

    title: Title
    start: int
    end: int
    is_head: bool
    """Whether no shared word stands before them."""
    is_tail: bool
    """Whether no shared word follows them."""

    @property
    def words(self) -> tuple[str, ...]:
        """All of them."""
        return self.title.words[self.start : self.end]

    @property
    def content(self) -> list[str]:
        """Those that are neither small words nor numbers, which are compared apart."""
        return [word for word in self.words if word not in SMALL_WORDS and not word.isdigit()]

    @property
    def is_set_off(self) -> bool:
        """Whether punctuation sets them apart from all shared words."""
        breaks = self.title.breaks
        return (self.is_tail and self.start in breaks) or (self.is_head and self.end in breaks)

    def is_reference(self, instead: _Part, context: frozenset[str]) -> bool:
        """Return whether they are names, a venue or a year, which stand around a title."""
        shown = (context | WORDS["citations"]).intersection(self.words) - SMALL_WORDS
        if not shown or not (self.is_head or self.is_tail) or (read_marks(self.words) and read_marks(instead.words)):
            return False
        others = [word for word in self.content if word not in shown and len(word) > 1 and word in known_words()]
        return self.is_set_off or len(others) <= len(shown)

    def explain(self, instead: _Part) -> Agreement:
        """Return how far the titles agree although the other one has other words, or none, instead of these."""
        content, is_apart = self.content, self.is_set_off or self.is_tail or self.start in self.title.breaks
        if not content or (is_apart and WORDS["qualifiers"].issuperset(content)):  # the form in which it was given
            return Agreement.WORDS
        is_cut = len(content) > 1 or instead.title.is_cut or len(instead.title.compact) >= MIN_CUT
        is_part = self.is_set_off or (self.is_tail and is_cut)
        return Agreement.CONTAINED if is_part and not instead.content else Agreement.CLOSE


def agreement(one: Title, other: Title, context: frozenset[str]) -> Agreement:
    """Compare two titles; either may hold words of the context, as in a reference: names, years and the venue."""
    if not one.compact or not other.compact or (one.content ^ other.content) & WORDS["notices"]:
        return Agreement.NONE
    if one.compact == other.compact:
        return Agreement.EXACT
    one, other = sorted((one, other), key=lambda title: title.words)
    pairs, levels = list(_differences(one, other)), [Agreement.WORDS]
    numbers, shared, unexplained = [], [], []
    for title, parts in ((one, pairs), (other, [pair[::-1] for pair in pairs])):
        references = (range(part.start, part.end) for part, instead in parts if part.is_reference(instead, context))
        around = set(chain.from_iterable(references))
        explained = [(len(part.content), part.explain(instead)) for part, instead in parts if part.start not in around]
        levels += [level for _, level in explained]
        numbers.append(read_marks([word for at, word in enumerate(title.words) if at not in around]))
        shared.append(len(title.content) - sum(len(part.content) for part, _ in parts))
        unexplained.append(sum(count for count, level in explained if level is Agreement.CLOSE))
    level, least = min(levels), min(len(one.content), len(other.content))
    is_too_little = min(shared) < (MIN_CONTAINED if level is Agreement.CONTAINED else 1)
    if level is Agreement.CLOSE:
        is_too_little = least < MIN_CONTAINED or max(unexplained) > max(1, (1 - CLOSE_SHARE) * least)
    return Agreement.NONE if numbers[0] != numbers[1] or is_too_little else level


def _differences(one: Title, other: Title) -> Iterator[tuple[_Part, _Part]]:
    """Yield what each of two titles has between the words that they share."""
    ours, theirs = _normal(one.words), _normal(other.words)
    only = [word for word in ours if word not in theirs]
    for place, word in enumerate(theirs):
        if word not in ours and (same := next((each for each in only if is_variant(each, word)), None)):
            theirs[place] = same
            only.remove(same)
    if Counter(ours) - _SMALL == Counter(theirs) - _SMALL:  # in another order
        return
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        is_head, is_tail = (a, c) == (0, 0), (b, d) == (len(ours), len(theirs))
        (left, right), (left_end, right_end) = _without_spaces(ours[a:b], theirs[c:d], is_head=is_head, is_tail=is_tail)
        yield (
            _Part(one, a + left, a + left_end, is_head, is_tail),
            _Part(other, c + right, c + right_end, is_head, is_tail),
        )


def _without_spaces(
    left: list[str], right: list[str], *, is_head: bool, is_tail: bool
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where words begin and end in each list, without those that both have, joined or misspelled."""
    ends = len(left), len(right)
    if not left or not right:
        return (0, 0), ends
    cuts = [(0, cut) for cut in range(len(right))] + [(cut, 0) for cut in range(1, len(left))]
    for a, b in cuts if is_head or is_tail else cuts[:1]:
        if is_head or not is_tail:  # they end in what is the same
            if is_variant("".join(left[a:]), "".join(right[b:])):
                return (0, 0), (a, b)
        elif is_variant("".join(left[: ends[0] - a]), "".join(right[: ends[1] - b])):
            return (ends[0] - a, ends[1] - b), ends
    return (0, 0), ends


def _normal(words: Sequence[str]) -> list[str]:
    """Return the words of a title, with numbers in digits that are written in letters or in roman numerals."""
    return [
        next(iter(marks_at(words, place)), word) if word.isalpha() or word.isdigit() else word
        for place, word in enumerate(words)
    ]


MIN_SPELLING, LONG_WORD = 5, 14
"""Letters of a word that may be misspelled in one place, and in two."""
_DOUBLED = re.compile(r"(.)\1")


@lru_cache(maxsize=16384)
def is_variant(one: str, other: str) -> bool:
    """Return whether two words differ in an inflection or a likely misspelling; words with digits never do."""
    if not (one.isalpha() and other.isalpha()):
        return one == other
    if UNSPACED.search(one) or UNSPACED.search(other):  # each sign is a word or a syllable
        return False
    if word_terms(one) == word_terms(other) or _DOUBLED.sub(r"\1", one) == _DOUBLED.sub(r"\1", other):
        return True
    if one[0] != other[0]:  # "typical" and "atypical"
        return False
    shorter = min(len(one), len(other))
    if shorter < MIN_SPELLING or {one, other} <= known_words().keys():
        return False
    allowed = 1 if shorter < LONG_WORD else 2
    return OSA.distance(one, other, score_cutoff=allowed) <= allowed
