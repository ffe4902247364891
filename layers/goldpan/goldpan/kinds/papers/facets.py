"""Facets: what the papers of an answer have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from goldpan.kinds.papers.key_themes import key_themes
from goldpan.kinds.papers.results import Facet, Facets, RankedPaper

MAX_AUTHORS = 10
THEME_RELEVANCE = 0.5
"""The least relevance of a paper whose title names themes; by rules alone, whose scale has no anchors, the least share
of the best one's."""


def facets(results: Sequence[RankedPaper], question: str) -> Facets:
    """Count the years, venues, authors and themes of the results; what is unknown is not counted."""
    best = max((paper.relevance for paper in results if paper.basis == "rules"), default=0.0)
    least = {"llm": THEME_RELEVANCE, "rules": THEME_RELEVANCE * best}
    titles = [paper.title for paper in results if paper.relevance >= least[paper.basis]]
    return Facets(
        by_year=_counted(str(paper.year) for paper in results if paper.year is not None),
        by_venue=_counted(paper.venue for paper in results if paper.venue),
        top_authors=_counted(author for paper in results for author in dict.fromkeys(paper.authors))[:MAX_AUTHORS],
        key_themes=key_themes(titles, question),
    )


def _counted(values: Iterable[str]) -> tuple[Facet, ...]:
    """Count values that differ in case and spaces alone as one, written as most papers have it."""
    written: dict[str, Counter[str]] = {}
    for value in values:
        plain = " ".join(value.split())
        written.setdefault(plain.casefold(), Counter())[plain] += 1
    found = [
        Facet(value=min(forms, key=lambda form: (-forms[form], form)), count=forms.total())
        for forms in written.values()
    ]
    return tuple(sorted(found, key=lambda facet: (-facet.count, facet.value)))
