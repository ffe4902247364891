"""Decide about two records whose identifiers do not: by title, authors, year, venue and address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from goldpan.identities import MAX_ID
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement
from goldpan.kinds.papers.deduplication.authors import Name, Shared, compare, read_names
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.deduplication.titles import Title, fold, read_title
from goldpan.kinds.papers.deduplication.venues import are_alike
from goldpan.kinds.papers.models import Paper

MIN_PLAUSIBLE_YEAR = 1500
MAX_YEARS_APART = 1
"""Between a preprint or an early view and the publication, or two sources' dates of one publication."""
MAX_YEARS_PREPRINT = 4
"""Between a preprint and a publication that may be the same paper, which the rules alone do not decide."""
MIN_WITHOUT_AUTHORS, MIN_WITHOUT_BOTH = 4, 6
"""Content words of a title that stands for itself: with the year alone, and without authors and year."""
MIN_CLOSE = 4
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


@dataclass(slots=True)
class Facts:
    """What is compared of a record."""

    paper: Paper
    title: Title
    names: tuple[Name, ...]
    year: int | None
    address: str | None
    is_preprint: bool

    @property
    def family_names(self) -> frozenset[str]:
        """The words of the authors' names."""
        return frozenset(word for name in self.names for word in (name.family, *name.given))


def read_facts(paper: Paper, address: str | None) -> Facts:
    """Read what is compared of a record."""
    year = paper.year if paper.year is not None and paper.year >= MIN_PLAUSIBLE_YEAR else None
    return Facts(paper, read_title(paper.title), read_names(paper.authors), year, address, is_preprint(paper))


def decide(one: Facts, other: Facts) -> Decision:
    """Decide about two records whose identifiers do not contradict each other."""
    if one.address is None and not _may_agree(one, other):
        return Decision.DIFFERENT
    known_years = frozenset(year for year in (one.year, other.year) if year)
    titles = agreement(one.title, other.title, one.family_names | other.family_names, known_years)
    if titles is Agreement.NONE and not (one.address and one.address == other.address):
        return Decision.DIFFERENT
    authors = _compare_authors(one, other)
    if one.address and one.address == other.address:
        return _decide_by_address(titles, authors)
    if one.title.is_generic or other.title.is_generic:
        return _decide_generic(one, other, titles, authors)
    years = None if one.year is None or other.year is None else abs(one.year - other.year)
    if years is not None and years > MAX_YEARS_APART:
        return _decide_far(one, other, titles, authors, years)
    decision = _decide_by_title(one, other, titles, authors, years)
    return Decision.UNDECIDED if decision is Decision.SAME and years and _are_two_publications(one, other) else decision


def are_compatible(one: Facts, other: Facts) -> bool:
    """Return whether nothing in title and authors speaks against one paper; the years are left out."""
    if not one.title.compact or not other.title.compact:
        return True
    titles = agreement(one.title, other.title, one.family_names | other.family_names)
    if titles < Agreement.SPELLING:
        return decide(one, other) is Decision.SAME
    return compare(one.names, other.names) is not Shared.CONFLICT


def explain(one: Facts, other: Facts) -> str:
    """Return why two records are one paper, in words."""
    if one.address and one.address == other.address:
        return f"same address {one.address}"
    is_exact = one.title.compact == other.title.compact
    same = ["same title" if is_exact else "nearly the same title"]
    if compare(one.names, other.names) is not Shared.UNKNOWN:
        same.append("authors")
    years = sorted(year for year in (one.year, other.year) if year)
    if len(set(years)) > 1:
        return f"{' and '.join(same)}, years {years[0]} and {years[1]}"
    return f"{' and '.join(same)}, year {years[0]}" if len(years) > 1 else " and ".join(same)


def _may_agree(one: Facts, other: Facts) -> bool:
    """Refuse most pairs at little cost: by their years, and by how many words they share."""
    if one.year and other.year and abs(one.year - other.year) > MAX_YEARS_PREPRINT:
        return False
    left, right = one.title, other.title
    if left.compact == right.compact:
        return True
    if left.numbers and right.numbers and left.numbers != right.numbers:
        ones, others = set(left.numbers), set(right.numbers)
        if not (ones <= others or others <= ones):
            return False
    return len(left.stems & right.stems) >= MIN_SHARED_WORDS * min(len(left.stems), len(right.stems))


def _compare_authors(one: Facts, other: Facts) -> Shared:
    """Compare the authors; those of one record may stand in the title of the other, which then has none."""
    known = one.names or other.names
    if not known or (one.names and other.names):
        return compare(one.names, other.names)
    words = (other if one.names else one).title.words
    named = sum(name.family in words for name in known)
    own = (one if one.names else other).title.content
    is_told = named > 1 and 2 * named >= len(known) and not any(name.family in own for name in known)
    return Shared.MOST if is_told else Shared.UNKNOWN


def _decide_by_title(one: Facts, other: Facts, titles: Agreement, authors: Shared, years: int | None) -> Decision:
    count = min(len(one.title.content), len(other.title.content))
    if authors is Shared.CONFLICT:
        return Decision.UNDECIDED if titles is Agreement.EXACT and count >= MIN_WITHOUT_BOTH else Decision.DIFFERENT
    if titles is Agreement.CLOSE:
        return Decision.UNDECIDED if authors is Shared.MOST and count >= MIN_CLOSE else Decision.DIFFERENT
    is_safe = not years and titles is not Agreement.NONE
    if authors is Shared.UNKNOWN:
        is_safe = (
            is_safe
            and count >= (MIN_WITHOUT_BOTH if years is None else MIN_WITHOUT_AUTHORS)
            and titles >= Agreement.SPELLING
        )
        return Decision.SAME if is_safe else Decision.UNDECIDED if titles >= Agreement.WORDS else Decision.DIFFERENT
    if authors < Shared.MOST:
        return Decision.SAME if is_safe and count >= MIN_WITHOUT_AUTHORS else Decision.UNDECIDED
    return Decision.SAME if is_safe or titles >= Agreement.SPELLING else Decision.UNDECIDED


def _decide_far(one: Facts, other: Facts, titles: Agreement, authors: Shared, years: int) -> Decision:
    is_likely = titles >= Agreement.WORDS and authors is Shared.MOST and years <= MAX_YEARS_PREPRINT
    return Decision.UNDECIDED if is_likely and one.is_preprint != other.is_preprint else Decision.DIFFERENT


def _decide_generic(one: Facts, other: Facts, titles: Agreement, authors: Shared) -> Decision:
    """A generic title says nothing: only records that have all else in common may be one paper."""
    venues = fold(one.paper.venue or ""), fold(other.paper.venue or "")
    is_likely = titles >= Agreement.WORDS and authors is Shared.MOST and venues[0] and venues[0] == venues[1]
    return Decision.UNDECIDED if is_likely and one.year and one.year == other.year else Decision.DIFFERENT


def _decide_by_address(titles: Agreement, authors: Shared) -> Decision:
    """An address of one paper is an identifier, unless both title and authors differ: then it is that of a list."""
    return Decision.DIFFERENT if titles < Agreement.CONTAINED and authors is Shared.CONFLICT else Decision.SAME


def _are_two_publications(one: Facts, other: Facts) -> bool:
    """Return whether records of different years may be a conference paper and its journal version, or two columns."""
    if one.is_preprint or other.is_preprint:
        return False
    venues = [fold(facts.paper.venue or "")[:MAX_ID] for facts in (one, other)]
    if not all(venues):
        return False
    if are_alike(*venues):
        return len(one.title.content) < MIN_WITHOUT_AUTHORS
    return len({bool(_JOURNAL.search(venue)) for venue in venues}) > 1 or len(one.title.content) < MIN_WITHOUT_AUTHORS
