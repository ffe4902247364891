"""What `SearchOrchestrator` returns: papers of all sources on one scale, and how they were found."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic import Field

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES, FoundBy, SourceStatus, StageError, Unit
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.constraint_checks import UNVERIFIED_FACTOR
from goldpan.kinds.papers.models import HYBRID, KIND, LIBRARY, PaperIds, Preference
from goldpan.kinds.papers.preferences import authority, order_by, recency
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library.models import LibraryHit, LibraryResult

PREFERRED = (LIBRARY, HYBRID)
"""Of papers with equal scores those come first that the user has; then those of the academic sources."""
DIGITS = 4


class FoundPaper(Frozen):
    """One paper, from however many sources."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    abstract: str | None = None
    url: str | None = None
    pdf_url: str | None = None
    ids: PaperIds = PaperIds()
    """`ids.other["library"]` is the project and the user's own id of the paper: `thesis/smith-2020`."""
    citations: int | None = None
    score: Unit
    """Orders the results: the relevance with the terms of the preference, less where a constraint is unverified."""
    relevance: Unit
    authority: Unit | None = None
    """How much it is cited for its age, and its venue; None if neither is known."""
    recency: Unit | None = None
    reasoning: str = ""
    excerpt: str = ""
    found_by: tuple[FoundBy, ...] = ()
    """The strategies that found it: `library`, `hybrid`, or the name of an academic source, with its rank there."""
    provenance: dict[str, str] = Field(default_factory=dict)
    """The strategy that each field comes from."""
    unverified: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


class SearchResult(Frozen):
    """The papers of a search, best first."""

    query: str
    project_id: str | None = None
    results: tuple[FoundPaper, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    warnings: tuple[str, ...] = ()
    errors: tuple[StageError, ...] = ()
    is_partial: bool = False
    """Whether a source that was asked failed: `sources` and `warnings` say which, and why."""
    answered_at: datetime


def of_answer(answer: Answer, project_id: str | None, most: int, preferences: Iterable[Preference]) -> SearchResult:
    """Make the result of an answer: its papers by score, as many as were asked for."""
    wanted = tuple(preferences)
    found = [_of_ranked(paper, wanted, answer.answered_at) for paper in answer.sections[KIND].results]
    found.sort(key=lambda paper: (-paper.score, _place(paper), paper.title.casefold(), paper.id))
    return SearchResult(
        query=answer.query,
        project_id=project_id,
        results=tuple(found[:most]),
        sources=answer.sources,
        warnings=answer.warnings,
        errors=answer.errors,
        is_partial=any(row.status in FAILED_STATUSES - {"skipped"} for row in answer.sources),
        answered_at=answer.answered_at,
    )


def of_library(found: LibraryResult, project_id: str, now: datetime) -> SearchResult:
    """Make the result of a search of one library, in its order: the score is the relevance of the texts alone."""
    strategy = HYBRID if found.encoder else LIBRARY
    papers = tuple(_of_hit(hit, strategy, rank) for rank, hit in enumerate(found.results, 1))
    row = SourceStatus(
        kind=KIND,
        strategy=strategy,
        source=LIBRARY,
        status="ok" if papers else "empty",
        query=found.query,
        available=found.count,
        fetched=len(papers),
        kept=len(papers),
    )
    return SearchResult(
        query=found.query, project_id=project_id, results=papers, sources=(row,), warnings=found.notes, answered_at=now
    )


def _of_ranked(paper: RankedPaper, preferences: tuple[Preference, ...], now: datetime) -> FoundPaper:
    shared: dict[str, Any] = {name: getattr(paper, name) for name in FoundPaper.model_fields if hasattr(paper, name)}
    order = order_by(paper.relevance, paper, preferences, now)
    return FoundPaper(
        **shared,
        authority=_rounded(authority(paper, now)),
        recency=_rounded(recency(paper, now)),
        score=round(order * (UNVERIFIED_FACTOR if paper.unverified else 1), DIGITS),
    )


def _rounded(term: float | None) -> float | None:
    return None if term is None else round(term, DIGITS)


def _of_hit(hit: LibraryHit, strategy: str, rank: int) -> FoundPaper:
    paper = hit.paper
    return FoundPaper(
        id=f"{LIBRARY}:{hit.project}/{paper.id}",
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        venue=paper.venue,
        abstract=paper.abstract or paper.summary or None,
        url=paper.url,
        pdf_url=paper.pdf_url,
        ids=paper.ids.model_copy(update={"other": {**paper.ids.other, LIBRARY: f"{hit.project}/{paper.id}"}}),
        citations=paper.citations,
        score=hit.relevance,
        relevance=hit.relevance,
        excerpt=hit.excerpt,
        found_by=(FoundBy(strategy=strategy, rank=rank),),
    )


def _place(paper: FoundPaper) -> int:
    strategies = {found.strategy for found in paper.found_by}
    return next((place for place, name in enumerate(PREFERRED) if name in strategies), len(PREFERRED))
