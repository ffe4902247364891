"""Influential and recent work: bounded terms of the order, for a question that asks for it.

    order = (relevance + 0.15 x authority + 0.15 x recency) / (1 + 0.15 for each of the two that was asked for)

- authority: 0.75 x ln(1 + citations a year) / ln(101) + 0.25 x ln(1 + citations of the venue) / ln(21), each at most 1;
  what is unknown leaves the mean, and a paper of which neither is known earns nothing;
- recency: 1 for this year, 0.1 less for each year before; an unknown year earns nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime

from goldpan.kinds.papers.models import Paper, Preference
from goldpan.kinds.papers.results import RankedPaper

TERM_WEIGHT = 0.15
PAPER_SHARE, VENUE_SHARE = 0.75, 0.25
FULL_CITATIONS_A_YEAR, FULL_VENUE_CITATIONS, RECENT_YEARS = 100, 20, 10
SHARE_OF_ORDER = f"{TERM_WEIGHT / (1 + TERM_WEIGHT):.0%}"
TEXTS: dict[Preference, str] = {
    "influential": f"Influential work was asked for: citations, by the age of a paper, and those of its venue "
    f"count up to {SHARE_OF_ORDER} of the order.",
    "recent": f"Recent work was asked for: the year counts up to {SHARE_OF_ORDER} of the order.",
}


def order_by(relevance: float, paper: Paper | RankedPaper, preferences: Iterable[Preference], now: datetime) -> float:
    """Return what papers are ordered by, 0 to 1: the relevance, and the terms of what the question prefers."""
    asked = dict.fromkeys(preferences)
    terms = [authority(paper, now) if preference == "influential" else recency(paper, now) for preference in asked]
    total = relevance + sum(TERM_WEIGHT * (term or 0.0) for term in terms)
    return round(total / (1 + TERM_WEIGHT * len(terms)), 6)


def authority(paper: Paper | RankedPaper, now: datetime) -> float | None:
    """Return how much a paper is cited for its age, and its venue, 0 to 1; None if neither is known."""
    known = []
    if paper.citations is not None and paper.year is not None:
        a_year = max(0, paper.citations) / (max(0, now.year - paper.year) + 1)
        known.append((PAPER_SHARE, _logarithmic(a_year, FULL_CITATIONS_A_YEAR)))
    if paper.venue_citations is not None:
        known.append((VENUE_SHARE, _logarithmic(max(0.0, paper.venue_citations), FULL_VENUE_CITATIONS)))
    total = sum(share for share, _ in known)
    return sum(share * value for share, value in known) / total if total else None


def recency(paper: Paper | RankedPaper, now: datetime) -> float | None:
    """Return how recent a paper is, 0 to 1; None if its year is unknown."""
    if paper.year is None:
        return None
    return max(0.0, 1 - max(0, now.year - paper.year) / RECENT_YEARS)


def _logarithmic(value: float, full: float) -> float:
    return min(1.0, math.log1p(value) / math.log1p(full))
