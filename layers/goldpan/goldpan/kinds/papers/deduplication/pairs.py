"""Decide about two records whose identifiers do not: by title, authors, year, venue and address."""

import re
from dataclasses import dataclass
from enum import IntEnum

from goldpan.identities import MAX_ID
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement
from goldpan.kinds.papers.deduplication.authors import Name, Shared, compare, read_names
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.deduplication.titles import GENERIC_WORDS, Title, read_title
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

    @property
    def order(self) -> tuple[str, str, int, str]:
        """What puts records that resemble each other side by side, in whatever order they were given."""
        names = " ".join(sorted(name.key for name in self.names))
        return self.title.compact, names, self.year or 0, self.paper.model_dump_json()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two records whose identifiers do not contradict each other, and how far their titles and authors agree."""

    one: Facts
    other: Facts
    titles: Agreement
    authors: Shared

    @property
    def years(self) -> int | None:
        """How many years they are apart, None where one is not known."""
        return None if self.one.year is None or self.other.year is None else abs(self.one.year - self.other.year)

    @property
    def is_same_venue(self) -> bool:
        """Whether both are known to be at one venue."""
        return bool(self.one.venue) and self.one.venue == self.other.venue

    @property
    def is_same_address(self) -> bool:
        """Whether both have one address."""
        return self.one.address is not None and self.one.address == self.other.address

    @property
    def strength(self) -> tuple[int, ...]:
        """How well it shows that the records are one paper, to compare with that of other pairs."""
        return (self.is_same_address, self.titles, self.authors, self.years == 0, self.is_same_venue)

    @property
    def reason(self) -> str:
        """Why the records are one paper, in words."""
        if self.is_same_address:
            return f"same address {self.one.address}"
        same = "same title" if self.titles is Agreement.EXACT else "nearly the same title"
        same += " and authors" if self.authors is not Shared.UNKNOWN else ""
        first, last = sorted((self.one.year or 0, self.other.year or 0))
        years = f", year {first}" if first == last else f", years {first} and {last}"
        return same + (years if first else "")

    def decide(self) -> Decision:
        """Decide whether they are one paper."""
        if self.is_same_address:  # an identifier, unless both title and authors differ: then it is that of a list
            is_list = self.titles < Agreement.CONTAINED and self.authors is Shared.CONFLICT
            return Decision.DIFFERENT if is_list else Decision.SAME
        if self.one.title.is_generic or self.other.title.is_generic:
            return Decision.DIFFERENT
        if self.years is not None and self.years > MAX_YEARS_APART:
            is_likely = self.titles >= Agreement.WORDS and self.authors is Shared.MOST
            is_version = self.one.is_preprint != self.other.is_preprint
            return Decision.UNDECIDED if is_likely and is_version else Decision.DIFFERENT
        decision = self._decide_by_title()
        venues = [each.venue for each in (self.one, self.other) if each.venue and not each.is_preprint]
        if decision is not Decision.SAME or not self.years or len(venues) < 2:  # noqa: PLR2004 - both records
            return decision
        # in different years they may be a conference paper and its journal version, or two columns
        is_short = min(len(each.title.content) for each in (self.one, self.other)) < MIN_DATED
        is_doubtful = is_short or len({bool(_JOURNAL.search(venue)) for venue in venues}) > 1
        return Decision.UNDECIDED if is_doubtful else decision

    def _decide_by_title(self) -> Decision:
        """Decide by the titles of records whose years may be those of one paper."""
        titles, authors, is_dated = self.titles, self.authors, not self.years
        count = min(len(each.title.content - GENERIC_WORDS) for each in (self.one, self.other))
        count -= titles < Agreement.WORDS  # one word may be misspelled
        if authors is Shared.CONFLICT or titles <= Agreement.CLOSE:
            is_open = titles is Agreement.EXACT and count >= MIN_ALONE
            is_open = is_open or (titles is Agreement.CLOSE and authors is Shared.MOST and count >= MIN_CONFIRMED)
            # a record without a year is a citation, in which others drop words and misread names
            if is_open and count >= MIN_ALONE and (self.one.year is None) != (self.other.year is None):
                return Decision.SAME
            return Decision.UNDECIDED if is_open else Decision.DIFFERENT
        if authors is Shared.MOST:
            is_same = is_dated or titles >= Agreement.WORDS
        elif authors is Shared.SOME:
            is_same = is_dated and count >= MIN_CONFIRMED
        else:
            is_weak = self.years is None or titles is Agreement.CONTAINED
            least = MIN_ALONE if is_weak else MIN_CONFIRMED if self.is_same_venue else MIN_DATED
            is_same = is_dated and count >= least and (titles >= Agreement.WORDS or self.years == 0)
            if not is_same and titles < Agreement.WORDS:
                return Decision.DIFFERENT
        return Decision.SAME if is_same else Decision.UNDECIDED


def read_facts(paper: Paper, address: str | None) -> Facts:
    """Read what is compared of a record."""
    year = paper.year if paper.year is not None and paper.year >= MIN_PLAUSIBLE_YEAR else None
    venue = fold(paper.venue or "")[:MAX_ID]
    venue_words = words(venue)
    names = tuple(name for name in read_names(paper.authors) if name.letters != "".join(venue_words))
    named = (word for name in names for word in (name.family, *name.given))
    reference_words = frozenset((*venue_words, *named, *([str(year)] if year else [])))
    return Facts(paper, read_title(paper.title), names, year, address, is_preprint(paper), venue, reference_words)


def compare_records(one: Facts, other: Facts) -> Comparison | None:
    """Compare two records; None where their titles and their addresses have nothing in common."""
    is_same_address = one.address is not None and one.address == other.address
    if not is_same_address and one.year and other.year and abs(one.year - other.year) > MAX_YEARS_PREPRINT:
        return None
    left, right = one.title, other.title
    if not is_same_address and left.compact != right.compact:  # most pairs are refused at little cost
        ones, others = set(left.marks), set(right.marks)
        least = MIN_SHARED_WORDS * min(len(left.stems), len(right.stems))
        if not (ones <= others or others <= ones) or len(left.stems & right.stems) < least:
            return None
    titles = agreement(left, right, one.reference_words | other.reference_words)
    if titles is Agreement.NONE and not is_same_address:
        return None
    return Comparison(one, other, titles, compare(one.names, other.names))
