"""Checks what a question or its filters require of a paper: a known fact that breaks it drops the paper, by a rule.

A paper whose fact is unknown stays, unverified. Excluded terms: a paper whose title or venue says that it is about one
is dropped; one whose abstract mentions it stays, and says so.
"""

from collections.abc import Callable, Sequence

from goldpan.kinds.checks import Check, Relation, summarize
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.deduplication.authors import divisions
from goldpan.kinds.papers.deduplication.preprints import PREPRINT_VENUE
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.person_names import may_have_more
from goldpan.kinds.papers.venues import is_venue, venue_names
from goldpan.text import phrase, places_of, terms, words

UNVERIFIED_FACTOR = 0.7
"""By which the place of a paper is lowered that may break a constraint: it stands below verified ones like it."""
_REVIEW_WORDS = frozenset(terms("survey review overview meta-analysis metaanalysis"))
_REVIEW_PHRASES = ("we survey", "we review", "this survey", "this review", "this overview", "systematic review")
"""By which a title, and the beginning of an abstract, say that a paper is a review."""
_UNSPECIFIC = frozenset({"article", "preprint", "conference", "other"})
"""The types that sources give to reviews too."""
_RETRACTING = ("retract", "withdraw", "remov", "partial")
"""How the notice of a retraction begins."""
_NEGATIONS = frozenset({"non", "not", "no", "without", "beyond"})


def check(paper: Paper, constraints: Constraints) -> Check:
    """Compare a paper with the constraints."""
    verdicts = ((rule, is_met(paper, constraints)) for rule, is_met in _RULES.items())
    return summarize(verdicts, {term: _relation_to(paper, term) for term in constraints.excluded_terms})


def _year(paper: Paper, constraints: Constraints) -> bool | None:
    low, high = constraints.year_from, constraints.year_to
    if paper.year is None:
        return None if (low, high) != (None, None) else True
    is_within = (low is None or paper.year >= low) and (high is None or paper.year <= high)
    return is_within and paper.year not in constraints.excluded_years


def _venue(paper: Paper, constraints: Constraints) -> bool | None:
    venue = paper.venue or ("arXiv" if paper.ids.arxiv else "")  # which is none of those that are named

    def is_one_of(venues: Sequence[str]) -> bool:
        return any(is_venue(name, venue) for asked in venues for name in venue_names(asked))

    if is_one_of(constraints.excluded_venues):
        return False
    if not constraints.venues or is_one_of(constraints.venues):
        return True
    may_be_elsewhere = not venue or PREPRINT_VENUE.search(venue)  # a preprint may have appeared there too
    return None if may_be_elsewhere else False


def _author(paper: Paper, constraints: Constraints) -> bool | None:
    if any(is_author(excluded, name) for excluded in constraints.excluded_authors for name in paper.authors):
        return False
    if all(any(is_author(asked, name) for name in paper.authors) for asked in constraints.authors):
        return True
    return None if not paper.authors or may_have_more(paper.authors) else False


def is_author(asked: str, author: str) -> bool:
    """Report whether a name may be that of an author: the same family name, and given names that do not differ.

    An initial stands for each name that begins with it; a family name alone fits any given name. Where the form of a
    name does not tell the parts, one division that fits is enough.
    """
    known = divisions(author)
    named = [each for each in known if each[0]] or known  # who signs with several words has given names among them
    return any(
        family == own and all(a.startswith(b) or b.startswith(a) for a, b in zip(one, other, strict=False))
        for one, family in divisions(asked)
        for other, own in named
    )


def _type(paper: Paper, constraints: Constraints) -> bool | None:
    asked, excluded = constraints.types, constraints.excluded_types
    if not asked and not excluded:
        return True
    kind, opening = paper.type, " ".join(words(paper.abstract)[:60])
    is_called_review = set(terms(paper.title)) & _REVIEW_WORDS or any(text in opening for text in _REVIEW_PHRASES)
    if kind in _UNSPECIFIC | {None} and is_called_review:
        kind = "review"
    if kind in excluded or kind in asked:
        return kind not in excluded
    may_be_review = "review" in asked and kind in _UNSPECIFIC and not paper.abstract
    return None if kind in {None, "other"} or may_be_review else not asked


def _open_access(paper: Paper, constraints: Constraints) -> bool | None:
    if constraints.open_access is None:
        return True
    known = True if paper.ids.arxiv else paper.open_access
    return None if known is None else known is constraints.open_access


_RULES: dict[str, Callable[[Paper, Constraints], bool | None]] = {
    "year": _year,
    "venue": _venue,
    "author": _author,
    "type": _type,
    "open access": _open_access,
}


def _relation_to(paper: Paper, term: str) -> Relation | None:
    """Return "is" if the title or the venue says that the paper is about a term, "mentions" if its text has it."""
    fact = "retracted" if is_retracted(paper) else None
    if any(_says(text, term, denied=False) for text in (paper.title, paper.venue, fact)):
        return "is"
    return "mentions" if _says(paper.abstract or paper.snippet, term) else None


def is_retracted(paper: Paper) -> bool:
    """Report whether a source says that a paper was retracted, or has a notice of that."""
    return bool(paper.retracted) or any(map(tells_retraction, paper.notices))


def tells_retraction(notice: str) -> bool:
    """Report whether a notice is that of a retraction."""
    return notice.lower().startswith(_RETRACTING)


def _says(text: str | None, term: str, *, denied: bool = True) -> bool:
    """Report whether a text has a term as whole words; with `denied` also where it says that it is without it."""
    own = terms(text)
    return any(denied or place == 0 or own[place - 1] not in _NEGATIONS for place in places_of(phrase(term), own))


DROPPED = {
    "year": "from other years",
    "venue": "from other venues",
    "author": "by other authors",
    "type": "of another type",
    "open access": "by whether they are open access",
}
"""What breaks each rule, in a few words; an excluded term is a rule of its own."""


def broken_text(rule: str) -> str:
    """Describe what breaks a rule."""
    return DROPPED.get(rule, f"about {rule.removeprefix('not ')}")
