"""What the tool for one repository returns."""

from __future__ import annotations

from typing import Annotated

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES
from goldpan.kinds.repositories.analysis.models import Analysis
from pydantic import Field

from goldpan_local.agents.pages import UNTRUSTED, Quoted, quote


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
        not_looked_at=tuple(
            f"{row.source}: {row.status} {row.detail}".strip()
            for row in analysis.sources
            if row.status in FAILED_STATUSES
        ),
        quoted=quote(analysis.description),
    )
