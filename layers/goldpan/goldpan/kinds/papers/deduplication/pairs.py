"""Decide about two records whose identifiers do not: by title, authors, year, venue and address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from goldpan.identities import MAX_ID
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement, is_same_but_for_reference
from goldpan.kinds.papers.deduplication.authors import Name, Shared, compare, read_names
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.deduplication.references import Beside
from goldpan.kinds.papers.deduplication.title_words import GENERIC_WORDS
from goldpan.kinds.papers.deduplication.titles import Title, fold, read_title
from goldpan.kinds.papers.deduplication.venues import are_alike
from goldpan.kinds.papers.models import Paper
from goldpan.text import words

MIN_PLAUSIBLE_YEAR = 1500
MAX_YEARS_APART = 1
"""Between a preprint or an early view and the publication, or two sources' dates of one publication."""
MAX_YEARS_PREPRINT = 4
"""Between a preprint and a publication that may be the same paper, which the rules alone do not decide."""
MIN_WITHOUT_AUTHORS, MIN_WITHOUT_BOTH = 4, 5
"""Content words of a title that stands for itself: with the year alone, and without authors and year."""
MIN_CONFIRMED = 3
"""The same for a title that an author or the venue confirms, and that is no title of many papers."""
MIN_CLOSE = 4
MIN_SHARED_WORDS = 0.4
"""The share of the words, of the title with fewer, without which two titles that differ are not compared further."""
MIN_GLUED = 16
"""Letters of a word that may be several, which extraction has glued together."""
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
    venue: str
    """Its venue, folded; empty if it is not known."""
    name_words: frozenset[str]
    """The words of the authors' names."""

    @property
    def beside(self) -> Beside:
        """Return what may stand beside the title in a reference."""
        years = frozenset((self.year,)) if self.year else frozenset[int]()
        return Beside(self.name_words, years, (self.venue,))


def read_facts(paper: Paper, address: str | None) -> Facts:
    """Read what is compared of a record."""
    year = paper.year if paper.year is not None and paper.year >= MIN_PLAUSIBLE_YEAR else None
    venue = fold(paper.venue or "")[:MAX_ID]
    names = tuple(name for name in read_names(paper.authors) if name.letters != "".join(words(venue)))
    name_words = frozenset(word for name in names for word in (name.family, *name.given))
    return Facts(paper, read_title(paper.title), names, year, address, is_preprint(paper), venue, name_words)


def decide(one: Facts, other: Facts) -> Decision:
    """Decide about two records whose identifiers do not contradict each other."""
    if one.address is None and not _may_agree(one, other):
        return Decision.DIFFERENT
    known_years = frozenset(year for year in (one.year, other.year) if year)
    titles = agreement(one.title, other.title, _beside(one, other, known_years))
    if titles is Agreement.NONE and not (one.address and one.address == other.address):
        return Decision.DIFFERENT
    authors = _compare_authors(one, other, titles)
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
    titles = agreement(one.title, other.title, _beside(one, other))
    if titles < Agreement.SPELLING:
        return decide(one, other) is Decision.SAME
    return _compare_authors(one, other, titles) is not Shared.CONFLICT


def explain(one: Facts, other: Facts) -> str:
    """Return why two records are one paper, in words."""
    if one.address and one.address == other.address:
        return f"same address {one.address}"
    is_exact = one.title.compact == other.title.compact
    has_more_words = len(one.title.words) != len(other.title.words)
    is_beside = has_more_words and is_same_but_for_reference(one.title, other.title, _beside(one, other))
    same = ["same title" if is_exact else "same title beside a reference" if is_beside else "nearly the same title"]
    if compare(one.names, other.names) is not Shared.UNKNOWN:
        same.append("authors")
    years = sorted(year for year in (one.year, other.year) if year)
    if len(set(years)) > 1:
        return f"{' and '.join(same)}, years {years[0]} and {years[1]}"
    return f"{' and '.join(same)}, year {years[0]}" if len(years) > 1 else " and ".join(same)


def _beside(one: Facts, other: Facts, years: frozenset[int] = frozenset()) -> Beside:
    """Return what may stand beside the title of one of the records."""
    return Beside(one.name_words | other.name_words, years, (one.venue, other.venue))


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
    if max(left.longest, right.longest) >= MIN_GLUED:
        return True
    return len(left.stems & right.stems) >= MIN_SHARED_WORDS * min(len(left.stems), len(right.stems))


def _compare_authors(one: Facts, other: Facts, titles: Agreement) -> Shared:
    """Compare the authors; those of one record may stand in the title of the other."""
    found = compare(one.names, other.names)
    if one.names and other.names:
        is_named = found is Shared.CONFLICT and titles >= Agreement.WORDS and (_named(one, other) or _named(other, one))
        return Shared.FAMILY if is_named else found
    known, unknown = (one, other) if one.names else (other, one)
    named = len(_named(known, unknown))
    return Shared.MOST if named > 1 and 2 * named >= len(known.names) else found


def _named(one: Facts, other: Facts) -> list[str]:
    """Return the family names of authors that stand in the title of the other record and not in that of their own."""
    return [
        name.family
        for name in one.names
        if name.family in other.title.words and name.family not in one.title.content and len(name.family) > 1
    ]


def _decide_by_title(one: Facts, other: Facts, titles: Agreement, authors: Shared, years: int | None) -> Decision:
    count = _told(one, other, titles)
    if authors is Shared.CONFLICT:
        return Decision.UNDECIDED if titles is Agreement.EXACT and count >= MIN_WITHOUT_BOTH else Decision.DIFFERENT
    if titles is Agreement.CLOSE:
        return Decision.UNDECIDED if authors is Shared.MOST and count >= MIN_CLOSE else Decision.DIFFERENT
    is_safe = not years and titles is not Agreement.NONE
    if authors is Shared.UNKNOWN:
        is_safe = is_safe and titles >= Agreement.SPELLING and _stands_alone(one, other, titles, years)
        return Decision.SAME if is_safe else Decision.UNDECIDED if titles >= Agreement.WORDS else Decision.DIFFERENT
    if authors < Shared.MOST:
        is_safe = is_safe and (count >= MIN_WITHOUT_AUTHORS or _is_telling(one, other, titles, MIN_CONFIRMED))
        return Decision.SAME if is_safe else Decision.UNDECIDED
    return Decision.SAME if is_safe or titles >= Agreement.SPELLING else Decision.UNDECIDED


def _stands_alone(one: Facts, other: Facts, titles: Agreement, years: int | None) -> bool:
    """Return whether titles tell enough where no authors can be compared; the same year, and venue, count for words."""
    if years is None:
        return _is_telling(one, other, titles, MIN_WITHOUT_BOTH)
    if _told(one, other, titles) >= MIN_WITHOUT_AUTHORS:
        return True
    is_same_venue = bool(one.venue and other.venue) and are_alike(one.venue, other.venue)
    return is_same_venue and _is_telling(one, other, titles, MIN_CONFIRMED)


def _told(one: Facts, other: Facts, titles: Agreement) -> int:
    """Return how many words the shorter title tells; one whose words are glued together tells those of the other."""
    counts = len(one.title.content), len(other.title.content)
    return max(counts) if titles is Agreement.EXACT else min(counts)


def _is_telling(one: Facts, other: Facts, titles: Agreement, least: int) -> bool:
    """Return whether titles agree in so many words, beside those of many titles; in one more if they are misspelled."""
    generic = one.title.content & other.title.content & GENERIC_WORDS
    return _told(one, other, titles) - len(generic) >= (least if titles >= Agreement.WORDS else least + 1)


def _decide_far(one: Facts, other: Facts, titles: Agreement, authors: Shared, years: int) -> Decision:
    is_likely = titles >= Agreement.WORDS and authors is Shared.MOST and years <= MAX_YEARS_PREPRINT
    return Decision.UNDECIDED if is_likely and one.is_preprint != other.is_preprint else Decision.DIFFERENT


def _decide_generic(one: Facts, other: Facts, titles: Agreement, authors: Shared) -> Decision:
    """A generic title says nothing: only records that have all else in common may be one paper."""
    is_likely = titles >= Agreement.WORDS and authors is Shared.MOST and one.venue and one.venue == other.venue
    return Decision.UNDECIDED if is_likely and one.year and one.year == other.year else Decision.DIFFERENT


def _decide_by_address(titles: Agreement, authors: Shared) -> Decision:
    """An address of one paper is an identifier, unless both title and authors differ: then it is that of a list."""
    return Decision.DIFFERENT if titles < Agreement.CONTAINED and authors is Shared.CONFLICT else Decision.SAME


def _are_two_publications(one: Facts, other: Facts) -> bool:
    """Return whether records of different years may be a conference paper and its journal version, or two columns."""
    if one.is_preprint or other.is_preprint:
        return False
    venues = one.venue, other.venue
    if not all(venues):
        return False
    if are_alike(*venues):
        return len(one.title.content) < MIN_WITHOUT_AUTHORS
    return len({bool(_JOURNAL.search(venue)) for venue in venues}) > 1 or len(one.title.content) < MIN_WITHOUT_AUTHORS
