"""Checks what a question or its filters require of a paper: a known fact that breaks it drops the paper, by a rule.

A paper whose fact is unknown stays, unverified. Excluded terms: a paper whose title or venue says that it is about one
is dropped; one whose abstract mentions it stays, and says so.
"""

from collections.abc import Callable
from typing import Literal

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.deduplication.preprints import PREPRINT_VENUE
from goldpan.kinds.papers.models import MAX_AUTHORS, Paper
from goldpan.kinds.papers.person_names import PARTICLES, divide
from goldpan.kinds.papers.venues import folded_words, is_venue, venue_names
from goldpan.text import phrase, places_of, terms, words

State = Literal["met", "broken", "unknown"]
UNVERIFIED_FACTOR = 0.7
"""By which the place of a paper is lowered that may break a constraint: it stands below verified ones like it."""
_REVIEW_WORDS = frozenset(terms("survey review overview meta-analysis metaanalysis"))
_REVIEW_PHRASES = ("we survey", "we review", "this survey", "this review", "this overview", "systematic review")
"""By which a title, and the beginning of an abstract, say that a paper is a review."""
_UNSPECIFIC = frozenset({"article", "preprint", "conference", "other"})
"""The types that sources give to reviews too."""
_NEGATIONS = frozenset({"non", "not", "no", "without", "beyond"})


def check(paper: Paper, constraints: Constraints) -> tuple[str | None, tuple[str, ...]]:
    """Return the first rule that the paper breaks, if any, and the rules whose fact is unknown."""
    states = {rule: state(paper, constraints) for rule, state in _RULES.items()}
    broken = [rule for rule, state in states.items() if state == "broken"]
    said, excluded = (paper.title, paper.venue), constraints.excluded_terms
    broken += [f"not {term}" for term in excluded if any(_says(text, term, denied=False) for text in said)]
    return next(iter(broken), None), tuple(rule for rule, state in states.items() if state == "unknown")


def mentions(paper: Paper, constraints: Constraints) -> tuple[str, ...]:
    """Return the excluded terms that the abstract or snippet of a paper mentions."""
    return tuple(term for term in constraints.excluded_terms if _says(paper.abstract or paper.snippet, term))


def _year(paper: Paper, constraints: Constraints) -> State:
    low, high = constraints.year_from, constraints.year_to
    if paper.year in constraints.excluded_years:
        return "broken"
    if low is None and high is None:
        return "met"
    if paper.year is None:
        return "unknown"
    return "met" if (low is None or paper.year >= low) and (high is None or paper.year <= high) else "broken"


def _venue(paper: Paper, constraints: Constraints) -> State:
    venue = paper.venue or ""  # which is none of those that are named
    if any(is_venue(name, venue) for refused in constraints.excluded_venues for name in venue_names(refused)):
        return "broken"
    if not constraints.venues:
        return "met"
    if any(is_venue(name, venue) for asked in constraints.venues for name in venue_names(asked)):
        return "met"
    may_be_elsewhere = not venue or PREPRINT_VENUE.search(venue)  # a preprint may have appeared there too
    return "unknown" if may_be_elsewhere else "broken"


def _author(paper: Paper, constraints: Constraints) -> State:
    if any(is_author(excluded, name) for excluded in constraints.excluded_authors for name in paper.authors):
        return "broken"
    missing = [asked for asked in constraints.authors if not any(is_author(asked, name) for name in paper.authors)]
    if not missing:
        return "met"
    is_cut = len(paper.authors) >= MAX_AUTHORS or any(name.strip() in {"...", "…", "et al."} for name in paper.authors)
    return "unknown" if not paper.authors or is_cut else "broken"


def is_author(asked: str, author: str) -> bool:
    """Report whether a name may be that of an author: the same family name, and given names that do not differ.

    An initial stands for each name that begins with it; a family name alone fits any given name.
    """
    family, given = _family_and_given(asked)
    other_family, other_given = _family_and_given(author)
    if not family or family != other_family:
        return False
    return all(one.startswith(other) or other.startswith(one) for one, other in zip(given, other_given, strict=False))


def _family_and_given(name: str) -> tuple[str, list[str]]:
    """Return the family name without particles and the given names, folded."""
    family, given = map(folded_words, divide(name))
    return "".join(word for word in family if word not in PARTICLES) or "".join(family), given


def _type(paper: Paper, constraints: Constraints) -> State:
    asked, excluded = constraints.types, constraints.excluded_types
    if not asked and not excluded:
        return "met"
    kind, opening = paper.type, " ".join(words(paper.abstract)[:60])
    is_called_review = set(terms(paper.title)) & _REVIEW_WORDS or any(text in opening for text in _REVIEW_PHRASES)
    if kind in _UNSPECIFIC | {None} and is_called_review:
        kind = "review"
    if kind is not None and (kind in excluded or kind in asked):
        return "broken" if kind in excluded else "met"
    if not asked:
        return "met" if kind is not None and kind != "other" else "unknown"
    if kind is None or kind == "other":
        return "unknown"
    may_be_review = "review" in asked and kind in _UNSPECIFIC and not paper.abstract
    return "unknown" if may_be_review else "broken"


def _open_access(paper: Paper, constraints: Constraints) -> State:
    if constraints.open_access is None:
        return "met"
    known = True if paper.ids.arxiv else paper.open_access
    return "unknown" if known is None else "met" if known is constraints.open_access else "broken"


_RULES: dict[str, Callable[[Paper, Constraints], State]] = {
    "year": _year,
    "venue": _venue,
    "author": _author,
    "type": _type,
    "open access": _open_access,
}


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
