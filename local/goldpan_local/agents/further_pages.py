"""What the tools for one repository and for the user's library return, in small pages."""

from __future__ import annotations

from typing import Annotated

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local.search_result import SearchResult
from pydantic import Field

from goldpan_local.agents.pages import (
    UNTRUSTED,
    Quoted,
    SearchPage,
    Title,
    cut_page,
    failed_sources,
    quote,
    result_row,
)
from goldpan_local.presentations import presentation


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


def library_page(result: SearchResult, page: int) -> SearchPage:
    """Cut a page from what was found, with an excerpt of each; the matched words stand between `**`."""
    shown = presentation(KIND)
    rows = [result_row(shown, paper).model_copy(update={"quoted": quote(paper.excerpt)}) for paper in result.results]
    cut, following = cut_page(rows, page)
    return SearchPage(query=result.query, results=cut, total=len(rows), next_page=following, notes=result.warnings)


def passage_page(answer: ChunksAnswer) -> PassagePage:
    """Rename the texts of passages, so that they are known as quoted; they keep their lines."""
    passages = [
        Passage(
            **chunk.model_dump(exclude={"text", "citation"}),
            citation=quote(chunk.citation) or "",
            quoted="\n".join(map(plain, chunk.text.splitlines())),
        )
        for chunk in answer.chunks
    ]
    return PassagePage(passages=tuple(passages), notes=answer.notes)
