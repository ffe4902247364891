"""A source whose queries may be the id of a paper: that paper is looked up, and its title is searched for.

A search for an id as words would find what has its digits. A source that looks nothing up runs the other queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperQuery
from goldpan.kinds.papers.ports import AskedSource, SearchResult, SourcePlan
from goldpan.kinds.papers.question.concepts import concepts_of

ARXIV, DOI = "arXiv:", "10."
ARXIV_DOI = "10.48550/arxiv."
"""Begins the DOI that arXiv gives to each of its papers."""
NOT_LOOKED_UP = "an id alone is not searched for here"


class SourceById:
    """A source behind which ids of papers become their titles; it is made at its first call."""

    def __init__(self, plan: SourcePlan, make: Callable[[], AskedSource]) -> None:
        self.plan, self._source = plan, cache(make)

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries; that for an id finds its paper, and what has the words of its title, if a query is left.

        Raises `CallFailed` if nothing is left to ask.
        """
        dois = [doi for query in queries if (doi := _doi_of(query))]
        if not dois:
            return self._source().search(queries, constraints, deadline)
        others = [query for query in queries if not _doi_of(query)]
        looked_up = self._looked_up(dois, alone=not others, deadline=deadline)
        papers = tuple(paper for listed in looked_up.lists for paper in listed)
        further = [*others, *map(_by_title, papers)][: self.plan.queries - int(self.plan.looks_up)]
        if not further:
            return replace(looked_up, notes=(*looked_up.notes, *(() if self.plan.looks_up else (NOT_LOOKED_UP,))))
        try:
            found = self._source().search(further, constraints, deadline)
        except CallFailed as failure:
            if not papers:
                raise
            found = SearchResult((), 0, failures=(f"a query failed: {failure}",))
        return replace(
            found,
            lists=(papers, *found.lists),
            available=max(found.available, len(papers)),
            queries=(*looked_up.queries, *found.queries),
            failures=(*looked_up.failures, *found.failures),
        )

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Look papers up at the source."""
        return self._source().look_up(dois, deadline)

    def _looked_up(self, dois: Sequence[str], *, alone: bool, deadline: Deadline) -> SearchResult:
        if not self.plan.looks_up:
            return SearchResult(((),), 0)
        asked = tuple(f"doi:{doi}" for doi in dois)
        try:
            return replace(self._source().look_up(dois, deadline), queries=asked)
        except CallFailed as failure:
            if alone:
                raise
            return SearchResult(((),), 0, asked, failures=(f"a look-up failed: {failure}",))


def _doi_of(query: PaperQuery) -> str | None:
    """Return the DOI of a query that consists of the id of a paper, written as an intent has it."""
    words = [wording for concept in query.concepts for wording in concept]
    if len(words) != 1 or " " in words[0]:
        return None
    if words[0].startswith(ARXIV):
        return ARXIV_DOI + words[0].removeprefix(ARXIV).lower()
    return words[0] if words[0].startswith(DOI) and "/" in words[0] else None


def _by_title(paper: Paper) -> PaperQuery:
    """Make the query for what has the concepts of a title."""
    found = concepts_of(paper.title)
    named = [one for one in found if not one.is_weak] or found
    return PaperQuery(concepts=tuple((one.text,) for one in named[:4]) or ((paper.title,),))
