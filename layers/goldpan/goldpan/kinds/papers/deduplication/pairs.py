"""Decide about two records whose identifiers do not: by title, authors, year, venue and address."""

import re
from dataclasses import dataclass

from goldpan.identities import MAX_ID
from goldpan.kinds.papers.deduplication.agreement import Agreement, agreement
from goldpan.kinds.papers.deduplication.authors import Name, read_names, share_of_authors
from goldpan.kinds.papers.deduplication.identified import address_key
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.deduplication.titles import Title, read_title
from goldpan.kinds.papers.letters import fold
from goldpan.kinds.papers.models import Paper
from goldpan.text import words

MIN_PLAUSIBLE_YEAR = 1500
MAX_YEARS_APART = 1
"""Between a preprint or an early view and the publication, or two sources' dates of one publication."""
MAX_YEARS_PREPRINT = 4
"""Between a preprint and a publication that may be the same paper, which the rules alone do not decide."""
MIN_SHARE = 0.5
"""Of the authors who are in both lists, where the titles differ or are short."""
MIN_DISTINCTIVE, MIN_ALONE = 3, 5
"""Words that make a title distinctive: where something else agrees, and without."""
_JOURNAL = re.compile(
    r"\b(?:journal|j|transactions|trans|letters|lett|reviews?|magazine|annals|archives?|bulletin|acta|record)\b"
)


OWN_WORKS, ANY_WORK = {"dataset", "thesis"}, {None, "other", "preprint"}
"""What has the title of a paper without being it, and the types that may be anything."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is compared of a record."""

    paper: Paper
    title: Title
    names: tuple[Name, ...]
    year: int | None
    address: str | None
    """Its address, if it is likely that of one paper."""
    is_preprint: bool
    venue: str
    """Its venue, folded; empty if it is not known."""
    reference_words: frozenset[str]
    """The words of the authors' names and of the venue, and the year."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two records that are, or may be, one paper."""

    is_same: bool
    """Whether they are one; else the rules do not decide."""
    strength: tuple[int, ...]
    """How well it shows that they are one, to compare with that of other pairs."""
    reason: str
    """Why they are one, in words."""


def read_facts(paper: Paper) -> Facts:
    """Read what is compared of a record."""
    year = paper.year if paper.year is not None and paper.year >= MIN_PLAUSIBLE_YEAR else None
    venue = fold(paper.venue or "")[:MAX_ID]
    names = read_names(paper.authors)
    named = (word for name in names for word in (name.family, *name.given))
    reference_words = frozenset((*words(venue), *named, *([str(year)] if year else [])))
    title = read_title(paper.title)
    return Facts(paper, title, names, year, address_key(paper), is_preprint(paper), venue, reference_words)


def compare_records(one: Facts, other: Facts) -> Comparison | None:
    """Compare two records whose identifiers do not contradict each other; None if they are different papers."""
    years = abs(one.year - other.year) if one.year and other.year else None
    titles = agreement(one.title, other.title, one.reference_words | other.reference_words)
    share = share_of_authors(one.names, other.names)
    if one.address and one.address == other.address:  # an identifier, or the address of a list
        is_list = titles < Agreement.CONTAINED and share == 0
        strength = (len(Agreement),)
        return None if is_list else Comparison(is_same=True, strength=strength, reason=f"same address {one.address}")
    is_same = _decide(one, other, titles, years, share)
    if is_same is None:
        return None
    same = "same title" if titles is Agreement.EXACT else "nearly the same title"
    same += " and authors" if share else ""
    known = sorted({year for year in (one.year, other.year) if year})
    same += f", year{'s' if years else ''} {' and '.join(map(str, known))}" if known else ""
    return Comparison(is_same, (titles, bool(share), years == 0), same)


def _decide(one: Facts, other: Facts, titles: Agreement, years: int | None, share: float | None) -> bool | None:
    """Decide whether two records are one paper: True or False, which a language model may decide; None if not."""
    types = {one.paper.type, other.paper.type}
    is_own_work = len(types) > 1 and types & OWN_WORKS and not types & ANY_WORK
    if titles is Agreement.NONE or is_own_work or one.title.is_generic or other.title.is_generic:
        return None
    if years and years > MAX_YEARS_APART:
        is_version = one.is_preprint != other.is_preprint and years <= MAX_YEARS_PREPRINT
        return False if is_version and titles >= Agreement.WORDS and share else None
    count = min(one.title.distinctive, other.title.distinctive)
    is_confirmed = (share or 0) >= MIN_SHARE
    if titles is Agreement.CLOSE or share == 0:
        is_open = titles is Agreement.EXACT or (titles is Agreement.CLOSE and share)
        # a record without a year is a citation, in which others drop words and misread names
        is_citation = count >= MIN_ALONE and (one.year is None) != (other.year is None)
        is_citation = is_citation and (titles is Agreement.EXACT or is_confirmed)
        return is_citation if is_open and count >= MIN_DISTINCTIVE else None
    is_part = titles is Agreement.CONTAINED
    is_vague = count < MIN_DISTINCTIVE and (is_part or not is_confirmed)
    if is_vague or (is_part and share is None and years != 0):
        return False
    if not years:
        return True
    # in different years they may be a conference paper and its journal version, or two columns
    venues = [each.venue for each in (one, other) if each.venue and not each.is_preprint]
    is_journal = [bool(_JOURNAL.search(venue)) for venue in venues]
    is_doubtful = len(venues) > 1 and (count < MIN_DISTINCTIVE or len(set(is_journal)) > 1)
    return not is_doubtful and not is_part
