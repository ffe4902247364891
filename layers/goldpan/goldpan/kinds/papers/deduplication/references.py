"""Strip what a reference leaves beside a title: names before it; venue, pages and year after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from goldpan.kinds.papers.deduplication.authors import is_same_family
from goldpan.kinds.papers.deduplication.title_words import (
    CITATION_WORDS,
    GENERIC_WORDS,
    NOTICE_WORDS,
    OPENINGS,
    PAGE_WORDS,
    QUALIFIERS,
    SMALL_WORDS,
    VOLUME_WORDS,
)
from goldpan.kinds.papers.deduplication.titles import Title, fold, make_title
from goldpan.text import words

_BOUNDARY = re.compile(r"[.,;:!?]+(?=\s|$)|(?<=\s)[-\u2013\u2014]+(?=\s)|''|``|[()\[\]<>\"\u201c\u201d\u201e|/\\]")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?[a-z]?$")
_ORDINAL = re.compile(r"\d*(?:st|nd|rd|th)([a-z]{3,5})$")
"""An ordinal that is glued to the next word, as in "22 ndint. conf."."""
MAX_NAMED, MAX_INITIALS = 5, 2
"""Words between two signs of punctuation that can be names, and letters of initials."""
MIN_VENUE = 4
MAX_QUALIFIER = 3
YEARS_APART = 1


@dataclass(frozen=True)
class Beside:
    """What two records say, which may stand beside the title in one of them."""

    names: frozenset[str] = frozenset()
    """The words of the authors' names."""
    years: frozenset[int] = frozenset()
    venues: tuple[str, ...] = ()
    """The names of the venues, folded."""

    @cached_property
    def venue_words(self) -> frozenset[str]:
        """The words of the venues."""
        return frozenset(word for venue in self.venues for word in _venue_words(venue))


def without_reference(title: Title, beside: Beside, *, with_year: bool) -> Title:
    """Strip both ends of a title of what shows a reference; the year only where no number of the title can be meant."""
    parts = parts_of(title)
    end = _end(parts, beside)
    whole = [word for part in parts[_start(parts[:end], beside) : end] for word in part]
    years = frozenset(map(str, beside.years)) if with_year else frozenset()
    found = _without_words(whole, beside.names | years)
    if len(found) == len(title.words) or NOTICE_WORDS.intersection(title.words).difference(found):
        return title
    return make_title(tuple(found), is_cut=title.is_cut)


def is_beside(short: Title, long: Title, beside: Beside) -> bool:
    """Return whether the longer title is all of the shorter one, with names before it or a reference after it."""
    if short.compact not in long.compact:
        return False
    count, size = len(long.words), len(short.compact)
    for first in range(count):
        rest = "".join(long.words[first:])
        if len(rest) < size:
            return False
        if not rest.startswith(short.compact):
            continue
        last, length = first, 0
        while length < size:
            length += len(long.words[last])
            last += 1
        before, after = long.words[:first], long.words[last:]
        if NOTICE_WORDS.intersection((*before, *after)):
            return False
        if length == size and (not before or _are_names(before, beside)) and (not after or _shows(after, beside)):
            return True
    return False


@lru_cache(maxsize=8192)
def _venue_words(venue: str) -> tuple[str, ...]:
    return tuple(words(venue))


@lru_cache(maxsize=8192)
def _split(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(part for piece in _BOUNDARY.split(text) if (part := tuple(words(fold(piece)))))


def parts_of(title: Title) -> Sequence[tuple[str, ...]]:
    """Return the words of a title between its signs of punctuation; all in one part if a sign belongs to a word."""
    if not _BOUNDARY.search(title.plain):
        return (title.words,)
    parts = _split(title.plain)
    return parts if tuple(word for part in parts for word in part) == title.words else (title.words,)


def _end(parts: Sequence[tuple[str, ...]], beside: Beside) -> int:
    """Return the number of parts before a reference."""
    end = next(
        (place for place in range(1, len(parts)) if _opens(parts[place], beside) or parts[place - 1][-1] == "in"),
        len(parts),
    )
    found = place = end
    while place > 1 and (_may_follow(parts[place - 1], beside) or _qualifies(parts[place - 1])):
        place -= 1
        found = place if _shows(parts[place], beside) or _qualifies(parts[place]) else found
    return found


def _start(parts: Sequence[tuple[str, ...]], beside: Beside) -> int:
    """Return the number of parts that are names of authors, with their initials and the year."""
    place = 0
    while place < len(parts) - 1 and len(parts[place]) <= MAX_NAMED and _may_precede(parts[place], beside):
        place += 1
    return place if _are_names([word for part in parts[:place] for word in part], beside) else 0


def _opens(part: Sequence[str], beside: Beside) -> bool:
    """Return whether a part begins the words about the publication: "in: ...", "in Proceedings", "technical report"."""
    if part[0] == "in":
        return len(part) == 1 or part[1] in CITATION_WORDS or part[1] in beside.venue_words
    return any(tuple(part[: len(opening)]) == opening for opening in OPENINGS)


def _qualifies(part: Sequence[str]) -> bool:
    if part[-1] == "award":
        return True
    is_form = len(part) <= MAX_QUALIFIER and all(word in QUALIFIERS or word in GENERIC_WORDS for word in part)
    return is_form and any(word in QUALIFIERS for word in part)


def _may_follow(part: Sequence[str], beside: Beside) -> bool:
    return all(
        len(word) == 1
        or word in CITATION_WORDS
        or word in SMALL_WORDS
        or word in beside.names
        or word in beside.venue_words
        or _NUMBER.match(word)
        or _is_ordinal(word, beside)
        for word in part
    )


def _is_ordinal(word: str, beside: Beside) -> bool:
    match = _ORDINAL.match(word)
    return match is not None and (match[1] in CITATION_WORDS or match[1] in beside.venue_words)


def _shows(part: Sequence[str], beside: Beside) -> bool:
    """Return whether words are those of a reference: all may be, and one or all of them together prove it."""
    if _opens(part, beside):
        return True
    if not _may_follow(part, beside):
        return False
    numbers = [word for word in part if _NUMBER.match(word)]
    whole = "".join(word for word in part if word not in SMALL_WORDS and word not in numbers)
    if len(whole) >= MIN_VENUE and any("".join(_venue_words(venue)).startswith(whole) for venue in beside.venues):
        return True
    if len(numbers) > 1 and all(word in PAGE_WORDS or word in numbers for word in part):
        return part[0] in PAGE_WORDS
    return any(
        (word in CITATION_WORDS and word not in VOLUME_WORDS)
        or word in beside.names
        or (numbers and len(word) >= MIN_VENUE and word in beside.venue_words)
        or _is_ordinal(word, beside)
        or (word.isdecimal() and any(abs(int(word) - year) <= YEARS_APART for year in beside.years))
        for word in part
    )


def _may_precede(part: Sequence[str], beside: Beside) -> bool:
    unknown = [word for word in part if len(word) > MAX_INITIALS and not word.isdecimal() and word not in SMALL_WORDS]
    named = sum(_is_name(word, beside) for word in unknown)
    return len(unknown) <= 2 * named


def _are_names(part: Sequence[str], beside: Beside) -> bool:
    """Return whether at least half of the words that are neither initials nor numbers are names, and one is."""
    known = [word for word in part if len(word) > MAX_INITIALS and word.isalpha() and word not in SMALL_WORDS]
    if not known:
        return any(word.isdecimal() and int(word) in beside.years for word in part)
    return 2 * sum(_is_name(word, beside) for word in known) >= len(known)


def _is_name(word: str, beside: Beside) -> bool:
    return word in beside.names or any(is_same_family(word, name) for name in beside.names)


def _without_words(found: Sequence[str], said: frozenset[str]) -> Sequence[str]:
    """Strip names, initials, years and words of references from both ends, if there is one that shows a reference."""
    start, end = 0, len(found)
    while start < end and _is_at_end(found[start], said):
        start += 1
    while end > start and _is_at_end(found[end - 1], said):
        end -= 1
    start = start if any(word in said or word in CITATION_WORDS for word in found[:start]) else 0
    end = end if any(word in said or word in CITATION_WORDS for word in found[end:]) else len(found)
    return found[start:end]


def _is_at_end(word: str, said: frozenset[str]) -> bool:
    return len(word) == 1 or word in said or word in CITATION_WORDS or word in SMALL_WORDS
