"""Decide about two records whose identifiers do not: by title, authors, year, venue and address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from goldpan.identities import MAX_ID
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement
from goldpan.kinds.papers.deduplication.authors import Name, Shared, compare, read_names
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.deduplication.title_words import GENERIC_WORDS
from goldpan.kinds.papers.deduplication.titles import Title, read_title
from goldpan.kinds.papers.letters import fold
from goldpan.kinds.papers.models import Paper
from goldpan.text import words

MIN_PLAUSIBLE_YEAR = 1500
MAX_YEARS_APART = 1
"""Between a preprint or an early view and the publication, or two sources' dates of one publication."""
MAX_YEARS_PREPRINT = 4
"""Between a preprint and a publication that may be the same paper, which the rules alone do not decide."""
MIN_CONFIRMED, MIN_DATED, MIN_ALONE = 3, 4, 5
"""Words that make a title distinctive: with an author or the venue, with the year alone, and without either."""
MIN_SHARED_WORDS = 0.4
"""The share of the words, of the title with fewer, without which two titles that differ are not compared further."""
_JOURNAL = re.compile(
    r"\b(?:journal|j|transactions|trans|letters|lett|reviews?|magazine|annals|archives?|bulletin|acta|record)\b"
)


class Decision(IntEnum):
    """What the rules say of two records."""

    DIFFERENT = 0
    UNDECIDED = 1
    SAME = 2


@dataclass(frozen=True, slots=True)
class Facts:
    """What is compared of a record."""

    paper: Paper
    title: Title
    names: tuple[Name, ...]
    year: int | None
    address: str | None
    is_preprint: bool
    venue: str
    """Its venue, folded; empty if it is not known."""
    reference_words: frozenset[str]
    """The words of the authors' names and of the venue, and the year."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two records have in common; `years` is how many years they are apart, None where one is not known."""

    titles: Agreement
    authors: Shared
    years: int | None
    is_same_venue: bool
    is_same_address: bool

    @property
    def strength(self) -> tuple[int, ...]:
        """How well it shows that the records are one paper, to compare with that of other pairs."""
        return (self.is_same_address, self.titles, self.authors, self.years == 0, self.is_same_venue)


def read_facts(paper: Paper, address: str | None) -> Facts:
    """Read what is compared of a record."""
    year = paper.year if paper.year is not None and paper.year >= MIN_PLAUSIBLE_YEAR else None
    venue = fold(paper.venue or "")[:MAX_ID]
    venue_words = words(venue)
    names = tuple(name for name in read_names(paper.authors) if name.letters != "".join(venue_words))
    named = (word for name in names for word in (name.family, *name.given))
    reference_words = frozenset((*venue_words, *named, *([str(year)] if year else [])))
    return Facts(paper, read_title(paper.title), names, year, address, is_preprint(paper), venue, reference_words)


def compare_records(one: Facts, other: Facts) -> Comparison:
    """Compare the titles, the authors, the years and the venues of two records."""
    titles = agreement(one.title, other.title, one.reference_words | other.reference_words)
    is_same_address = one.address is not None and one.address == other.address
    is_possible = titles is not Agreement.NONE or is_same_address  # else nothing further is asked of the authors
    return Comparison(
        titles=titles,
        authors=compare(one.names, other.names) if is_possible else Shared.UNKNOWN,
        years=None if one.year is None or other.year is None else abs(one.year - other.year),
        is_same_venue=bool(one.venue) and one.venue == other.venue,
        is_same_address=is_same_address,
    )


def decide(one: Facts, other: Facts) -> tuple[Decision, tuple[int, ...]]:
    """Decide about two records whose identifiers do not contradict each other, and say how strongly they agree."""
    if one.address is None and not _may_agree(one, other):
        return Decision.DIFFERENT, ()
    found = compare_records(one, other)
    if found.is_same_address:  # an identifier, unless both title and authors differ: then it is that of a list
        is_list = found.titles < Agreement.CONTAINED and found.authors is Shared.CONFLICT
        return Decision.DIFFERENT if is_list else Decision.SAME, found.strength
    return _decide(one, other, found), found.strength


def _decide(one: Facts, other: Facts, found: Comparison) -> Decision:
    """Decide by titles and years, where no identifier and no address tells."""
    if found.titles is Agreement.NONE:
        return Decision.DIFFERENT
    is_likely = found.titles >= Agreement.WORDS and found.authors is Shared.MOST
    if one.title.is_generic or other.title.is_generic:
        is_likely = is_likely and found.years == 0 and bool(one.venue) and one.venue == other.venue
        return Decision.UNDECIDED if is_likely else Decision.DIFFERENT
    if found.years is not None and found.years > MAX_YEARS_APART:
        is_likely = is_likely and found.years <= MAX_YEARS_PREPRINT and one.is_preprint != other.is_preprint
        return Decision.UNDECIDED if is_likely else Decision.DIFFERENT
    decision = _decide_by_title(one, other, found)
    is_doubtful = decision is Decision.SAME and found.years and _are_two_publications(one, other, found)
    return Decision.UNDECIDED if is_doubtful else decision


def explain(one: Facts, other: Facts) -> str:
    """Return why two records are one paper, in words."""
    if one.address and one.address == other.address:
        return f"same address {one.address}"
    same = ["same title" if one.title.compact == other.title.compact else "nearly the same title"]
    if compare(one.names, other.names) is not Shared.UNKNOWN:
        same.append("authors")
    first, last = sorted((one.year or 0, other.year or 0))
    years = f", year {first}" if first == last else f", years {first} and {last}"
    return " and ".join(same) + (years if first else "")


def _may_agree(one: Facts, other: Facts) -> bool:
    """Refuse most pairs at little cost: by their years, and by how many words they share."""
    if one.year and other.year and abs(one.year - other.year) > MAX_YEARS_PREPRINT:
        return False
    left, right = one.title, other.title
    if left.compact == right.compact:
        return True
    ones, others = set(left.numbers), set(right.numbers)
    if not (ones <= others or others <= ones):
        return False
    return len(left.stems & right.stems) >= MIN_SHARED_WORDS * min(len(left.stems), len(right.stems))


def _decide_by_title(one: Facts, other: Facts, found: Comparison) -> Decision:
    """Decide by titles that agree to a degree, of records whose years may be those of one paper."""
    titles, authors = found.titles, found.authors
    count = distinctive_word_count(one.title, other.title, titles)
    if authors is Shared.CONFLICT:
        return Decision.UNDECIDED if titles is Agreement.EXACT and count >= MIN_ALONE else Decision.DIFFERENT
    if titles is Agreement.CLOSE:
        return Decision.UNDECIDED if authors is Shared.MOST and count >= MIN_CONFIRMED else Decision.DIFFERENT
    if authors is Shared.MOST:
        is_safe = not found.years or titles >= Agreement.SPELLING
        return Decision.SAME if is_safe else Decision.UNDECIDED
    if authors is not Shared.UNKNOWN:
        return Decision.SAME if not found.years and count >= MIN_CONFIRMED else Decision.UNDECIDED
    least = MIN_ALONE if found.years is None else MIN_CONFIRMED if found.is_same_venue else MIN_DATED
    if not found.years and titles >= Agreement.SPELLING and count >= least:
        return Decision.SAME
    return Decision.UNDECIDED if titles >= Agreement.WORDS else Decision.DIFFERENT


def distinctive_word_count(one: Title, other: Title, titles: Agreement) -> int:
    """Return how many words two titles agree in, without those of many titles and one less if they are misspelled.

    A title whose words are glued together has as many as the other one.
    """
    counts = [len(title.content - GENERIC_WORDS) for title in (one, other)]
    return max(counts) if titles is Agreement.EXACT else min(counts) - (titles < Agreement.WORDS)


def _are_two_publications(one: Facts, other: Facts, found: Comparison) -> bool:
    """Return whether records of different years may be a conference paper and its journal version, or two columns."""
    if one.is_preprint or other.is_preprint or not (one.venue and other.venue):
        return False
    is_short = min(len(one.title.content), len(other.title.content)) < MIN_DATED
    is_other_form = bool(_JOURNAL.search(one.venue)) != bool(_JOURNAL.search(other.venue))
    return is_short or (is_other_form and not found.is_same_venue)
