"""What the tools for one repository and for the user's library return, in small pages."""

from __future__ import annotations

from typing import Annotated

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES
from goldpan.escaping import plain
from goldpan.kinds.papers.sources.library.models import Chunk
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local.search_result import SearchResult
from pydantic import Field

from goldpan_local.agents.pages import UNTRUSTED, Authors, Quoted, Title, cut_page, failed_sources, quote, quote_each


class AnalysisStatement(Frozen):
    """A statement about a dimension, or about the fit to the question."""

    dimension: str
    statement: Annotated[str, Field(description=f"names of releases, files and sites are {UNTRUSTED}")]
    evidence_url: str | None = None


class AnalysisPage(Frozen):
    """The findings about a repository."""

    repo: str
    url: str
    relevance: float | None = None
    scores_of_10: dict[str, float]
    """Without what is unknown."""
    statements: tuple[AnalysisStatement, ...]
    caveats: tuple[str, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    quoted: Quoted | None = None


def analysis_page(analysis: Analysis) -> AnalysisPage:
    """Reduce an analysis to what an agent can use."""
    scores = analysis.scores.model_dump()
    return AnalysisPage(
        repo=analysis.repo,
        url=analysis.url,
        relevance=analysis.relevance,
        scores_of_10={name: score for name, score in scores.items() if score is not None},
        statements=tuple(
            AnalysisStatement(
                dimension=each.dimension, statement=quote(each.statement) or "", evidence_url=each.evidence_url
            )
            for each in analysis.statements
        ),
        caveats=analysis.caveats,
        not_looked_at=failed_sources(analysis.sources, FAILED_STATUSES),
        quoted=quote(analysis.description),
    )


class LibraryRow(Frozen):
    """A paper or a note of the user."""

    id: str
    title: Title
    authors: Authors = ()
    year: int | None = None
    url: str | None = None
    relevance: float
    quoted: Quoted | None = None
    """An excerpt; the matched words stand between `**`."""


class LibraryPage(Frozen):
    """A page of what a library has."""

    query: str
    project_id: str | None
    results: tuple[LibraryRow, ...]
    total: int
    next_page: int | None
    notes: tuple[str, ...] = ()


class Passage(Frozen):
    """A passage, and how to cite it."""

    project: str
    document: str
    start: int
    end: int
    score: float
    citation: Title
    quoted: Quoted


class PassagePage(Frozen):
    """The passages, best first."""

    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()


def library_page(result: SearchResult, page: int) -> LibraryPage:
    """Cut a page from what was found. Raises `InvalidRequest`."""
    rows = [
        LibraryRow(
            id=paper.id,
            title=quote(paper.title) or "",
            authors=quote_each(paper.authors),
            year=paper.year,
            url=paper.url,
            relevance=round(paper.relevance, 4),
            quoted=quote(paper.excerpt),
        )
        for paper in result.results
    ]
    shown, following = cut_page(rows, page)
    return LibraryPage(
        query=result.query,
        project_id=result.project_id,
        results=shown,
        total=len(rows),
        next_page=following,
        notes=result.warnings,
    )


def passage_page(answer: ChunksAnswer) -> PassagePage:
    """Rename the texts of passages, so that they are known as quoted; they keep their lines."""
    passages = tuple(map(_passage, answer.chunks))
    return PassagePage(passages=passages, notes=answer.notes)


def _passage(chunk: Chunk) -> Passage:
    given = chunk.model_dump(exclude={"text", "citation"})
    quoted = "\n".join(map(plain, chunk.text.splitlines()))
    return Passage(**given, citation=quote(chunk.citation) or "", quoted=quoted)
