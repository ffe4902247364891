"""How far two titles agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from itertools import accumulate, takewhile

from rapidfuzz import fuzz

from goldpan.kinds.papers.deduplication.references import Beside, is_beside, parts_of, without_reference
from goldpan.kinds.papers.deduplication.title_words import (
    CITATION_WORDS,
    NOTICE_WORDS,
    QUALIFIERS,
    SMALL_WORDS,
)
from goldpan.kinds.papers.deduplication.titles import UNSPACED, Title, make_title, without_ligatures
from goldpan.kinds.papers.deduplication.word_variants import are_different, is_variant

CLOSE_SHARE = 0.7
"""The share of the words, of the title that has fewer, that close titles have in common."""
MIN_CONTAINED, MIN_LENGTH = 3, 15
"""Content words and characters of a title for it to be recognised within a longer one, or misspelled."""
MIN_HEADED = 5
"""Content words of a title that may lack the first words of another one: "adaptive" makes a short one another paper."""
MIN_PAGE, MAX_PAGES = 10, 60
"""What is read as a range of pages."""
MIN_WHOLE = 10
"""Letters and digits of a title that is all of another one but for a reference."""
MIN_ALIKE_RATIO = 50.0
"""Percent of equal characters of the words in which two titles differ."""
NOTHING = Beside()
MIN_SPELLING_RATIO, MIN_MISSING_RATIO, MIN_PARTIAL_RATIO = 90.0, 80.0, 93.0
"""Percent of equal characters of two titles, of two of which one only lacks words, and of one within another."""


class Agreement(IntEnum):
    """How far two titles agree."""

    NONE = 0
    CLOSE = 1
    """Most words are shared."""
    CONTAINED = 2
    """One is the other without a subtitle, an end that was cut off, or a part of a citation."""
    SPELLING = 3
    """Nearly the same characters."""
    WORDS = 4
    """The same words but for small words, inflections, spelling, spaces and parts of a reference."""
    EXACT = 5
    """The same letters and digits."""


def agreement(one: Title, other: Title, beside: Beside = NOTHING) -> Agreement:
    """Compare two titles; names, the year and the venue of the records may stand beside one, as in a reference."""
    if not one.compact or not other.compact:
        return Agreement.NONE
    if one.compact == other.compact:
        return Agreement.EXACT
    found = Agreement.WORDS if _lacks_ligatures(one, other) else _compare(one, other, beside)
    if found >= Agreement.SPELLING or _numbers_contradict(one, other):
        return found
    left, right = _bare(one, other, beside)
    if _is_whole_beside(one, other, beside) or (left.content and left.compact == right.compact):
        return Agreement.WORDS
    is_bare = (left, right) != (one, other) and left.content and right.content
    return max(found, _compare(left, right, beside)) if is_bare else found


def is_same_but_for_reference(one: Title, other: Title, beside: Beside) -> bool:
    """Return whether two titles are the same without what a reference leaves beside them."""
    left, right = _bare(one, other, beside)
    return _is_whole_beside(one, other, beside) or bool(left.content and left.compact == right.compact)


def _is_whole_beside(one: Title, other: Title, beside: Beside) -> bool:
    short, long = (one, other) if len(one.compact) <= len(other.compact) else (other, one)
    return len(short.compact) >= MIN_WHOLE and not short.is_generic and is_beside(short, long, beside)


def _numbers_contradict(one: Title, other: Title) -> bool:
    """Return whether both titles have a number that the other lacks; those of one may be those of its reference."""
    left, right = set(one.numbers), set(other.numbers)
    return not (left <= right or right <= left)


def _bare(one: Title, other: Title, beside: Beside) -> tuple[Title, Title]:
    with_year = not (one.numbers and other.numbers)
    return (
        without_reference(one, beside, with_year=with_year),
        without_reference(other, beside, with_year=with_year),
    )


def _lacks_ligatures(one: Title, other: Title) -> bool:
    """Return whether one is the other without its ligatures."""
    if min(len(one.compact), len(other.compact)) < MIN_LENGTH:
        return False
    return without_ligatures(one.compact) == without_ligatures(other.compact)


def _compare(one: Title, other: Title, beside: Beside) -> Agreement:
    if (one.content ^ other.content) & NOTICE_WORDS:
        return Agreement.NONE
    short, long = sorted((one, other), key=lambda title: (len(title.compact), title.compact))
    short, long = _with_joined(short, long), _with_joined(long, short)
    left, right = _leftovers(short, long)
    found = _same_words(short, long, left, right) if one.numbers == other.numbers else None
    found = found or _contained(short, long, beside) or _close(short, long, left, right)
    if found and any(are_different(word, each) for word in left for each in right):
        return Agreement.NONE
    return Agreement.CLOSE if found > Agreement.CLOSE and _lacks_head(short, long, left, beside) else found


def _lacks_head(short: Title, long: Title, left: list[str], beside: Beside) -> bool:
    """Return whether a short title lacks the first words of the longer one, and they are neither names nor apart."""
    if len(short.content) >= MIN_HEADED or any(_variant(word, long.content) is None for word in left):
        return False
    head = list(takewhile(lambda word: word not in short.content and _variant(word, left) is None, long.words))
    told = [word for word in head if word not in SMALL_WORDS | CITATION_WORDS | QUALIFIERS | beside.names]
    ends = accumulate(len(part) for part in parts_of(long))
    is_apart = any(end <= len(head) and SMALL_WORDS.issuperset(head[end:]) for end in ends)
    return not is_apart and any(len(word) > 1 and word.isalpha() for word in told)


def _variant(word: str, others: Iterable[str]) -> str | None:
    return next((each for each in others if each[0] == word[0] and is_variant(word, each)), None)


def _with_joined(title: Title, other: Title) -> Title:
    """Join two words that are one word in the other title: "multi step" and "multistep"."""
    found: list[str] = []
    for word in title.words:
        if found and found[-1] + word in other.content and found[-1] not in other.content:
            found[-1] += word
        else:
            found.append(word)
    return title if len(found) == len(title.words) else make_title(tuple(found), is_cut=title.is_cut)


def _leftovers(short: Title, long: Title) -> tuple[list[str], list[str]]:
    """Return the content words of each that the other does not have, in their order."""
    return _only_in(short, long), _only_in(long, short)


def _only_in(one: Title, other: Title) -> list[str]:
    beside = (word for word in one.words if word not in other.content and word not in SMALL_WORDS)
    return [word for word in beside if word not in other.words]  # the content has no whole words without spaces


def _same_words(short: Title, long: Title, left: list[str], right: list[str]) -> Agreement | None:
    if "".join(left) == "".join(right):
        return Agreement.WORDS
    if short.letters != long.letters and not (_spelled(left) and _spelled(right)):
        return None
    unpaired, free = _unpaired(left, right)
    if not unpaired and all(word in QUALIFIERS for word in free):
        return Agreement.WORDS
    if unpaired and free and not _may_be_misspelt(unpaired, free):
        return None
    least = MIN_SPELLING_RATIO if unpaired and free else MIN_MISSING_RATIO
    is_alike = len(short.compact) >= MIN_LENGTH and fuzz.ratio(short.compact, long.compact) >= least
    return Agreement.SPELLING if is_alike else None


def _may_be_misspelt(ones: list[str], others: list[str]) -> bool:
    """Report whether words in which two titles differ may be misspelled, unlike "few-shot" and "zero-shot".

    Where no spaces are written, each sign is a word or a syllable of its own.
    """
    if any(map(UNSPACED.fullmatch, (*ones, *others))):
        return False
    return len(ones) > 1 or len(others) > 1 or fuzz.ratio(ones[0], others[0]) >= MIN_ALIKE_RATIO


def _spelled(words_: list[str]) -> bool:
    return any(len(word) > 1 for word in words_)


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


def _contained(short: Title, long: Title, beside: Beside) -> Agreement | None:
    """Find the shorter title within the longer one, and judge the words beside it."""
    if len(short.content) < MIN_CONTAINED or len(short.compact) < MIN_LENGTH:
        return None
    least = 100.0 if any(map(UNSPACED.fullmatch, short.words)) else MIN_PARTIAL_RATIO
    if fuzz.partial_ratio(short.compact, long.compact) < least:
        return None
    missing, extra = Counter(short.numbers), Counter(long.numbers)
    if missing - extra:
        return None
    names = beside.names
    around = [word for word in long.words if word not in short.content]
    is_reference = any(word in CITATION_WORDS or word in names for word in around)
    if Counter(short.letters) - Counter(long.letters) or (
        Counter(long.letters) - Counter(short.letters) and not is_reference
    ):
        return None
    if not is_reference and not _are_of_reference(
        [int(number) for number in (extra - missing).elements()], beside.years
    ):
        return None
    told = [
        word for word in around if word not in SMALL_WORDS | QUALIFIERS | names and word.isalpha() and len(word) > 1
    ]
    return Agreement.CONTAINED if any(word not in CITATION_WORDS for word in told) else Agreement.WORDS


def _are_of_reference(numbers: list[int], years: frozenset[int]) -> bool:
    """Return whether numbers can be those of a reference: the year, alone or with others, or a range of pages."""
    if not numbers or any(abs(number - year) <= 1 or number == year % 100 for number in numbers for year in years):
        return True
    first, last = min(numbers), max(numbers)
    return len(numbers) > 1 and MIN_PAGE <= first < last <= first + MAX_PAGES


def _close(short: Title, long: Title, left: list[str], right: list[str]) -> Agreement:
    if short.numbers != long.numbers:
        return Agreement.NONE
    alone, _ = _unpaired(left, right)
    least = min(len(short.content), len(long.content))
    return (
        Agreement.CLOSE if least >= MIN_CONTAINED and len(set(alone)) <= (1 - CLOSE_SHARE) * least else Agreement.NONE
    )
