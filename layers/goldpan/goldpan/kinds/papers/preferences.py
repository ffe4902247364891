"""The order of papers: the relevance, with the authority and the recency of a paper as bounded terms.

    score = (relevance + a x authority + r x recency) / (1 + a + r)

- balanced: a = r = 0.02, less than what one step of a language model's relevance is worth;
- influential: a = 0.15; recent: r = 0.15; the other is 0 unless both were asked for;
- authority: ln(1 + citations a year) / ln(101), at most 1;
- recency: 1 for this year, 0.1 less for each year before.

What is unknown earns nothing.
"""

import math
from collections.abc import Collection
from datetime import datetime

from goldpan.kinds.papers.models import Paper, Preference
from goldpan.kinds.papers.results import RankedPaper

TERM_WEIGHT, BALANCED_WEIGHT = 0.15, 0.02
FULL_CITATIONS_A_YEAR, RECENT_YEARS = 100, 10
SHARE_OF_ORDER = f"{TERM_WEIGHT / (1 + TERM_WEIGHT):.0%}"
TEXTS: dict[Preference, str] = {
    "influential": f"Influential work was asked for: citations, by the age of a paper, count up to {SHARE_OF_ORDER} "
    "of the order.",
    "recent": f"Recent work was asked for: the year counts up to {SHARE_OF_ORDER} of the order.",
}


def order_by(relevance: float, paper: Paper, preferences: Collection[Preference], now: datetime) -> float:
    """Return what papers are ordered by, 0 to 1; without a preference the order is balanced."""
    weight = TERM_WEIGHT if preferences else BALANCED_WEIGHT
    terms = {"influential": authority(paper, now), "recent": recency(paper, now)}
    asked = [term or 0.0 for name, term in terms.items() if name in preferences or not preferences]
    return (relevance + weight * sum(asked)) / (1 + weight * len(asked))


def authority(paper: Paper | RankedPaper, now: datetime) -> float | None:
    """Return how much a paper is cited for its age, 0 to 1; None if that is unknown."""
    if paper.citations is None or paper.year is None:
        return None
    a_year = max(0, paper.citations) / (max(0, now.year - paper.year) + 1)
    return min(1.0, math.log1p(a_year) / math.log1p(FULL_CITATIONS_A_YEAR))


def recency(paper: Paper | RankedPaper, now: datetime) -> float | None:
    """Return how recent a paper is, 0 to 1; None if its year is unknown."""
    if paper.year is None:
        return None
    return max(0.0, 1 - max(0, now.year - paper.year) / RECENT_YEARS)
