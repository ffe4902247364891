"""What the tools for one repository and for the user's library return, in small pages."""

from typing import Annotated

from goldpan.config import Frozen
from goldpan.contracts import FAILED_STATUSES
from goldpan.counts import counted
from goldpan.escaping import plain
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local.search_result import SearchResult
from pydantic import Field

from goldpan_local.agents.pages import (
    UNTRUSTED,
    Page,
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
    statement: Annotated[Title, Field(description=UNTRUSTED)]
    evidence_url: str | None = None


class AnalysisPage(Page):
    """The findings about a repository."""

    repo: str
    url: str
    relevance: float | None = None
    scores_of_10: dict[str, float]
    """Without what is unknown."""
    statements: tuple[AnalysisStatement, ...]
    caveats: tuple[str, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    quoted: Quoted = None

    def brief(self) -> str:
        """Name the repository."""
        return f"{counted(len(self.statements), 'statements')} about {self.url}"


def analysis_page(analysis: Analysis) -> AnalysisPage:
    """Reduce an analysis to what an agent can use."""
    same = {"repo", "url", "relevance", "caveats"}
    statements = [each.model_dump(include={*AnalysisStatement.model_fields}) for each in analysis.statements]
    further: dict[str, object] = {
        "scores_of_10": analysis.scores.model_dump(exclude_none=True),
        "quoted": analysis.description,
    }
    further["not_looked_at"] = failed_sources(analysis.sources, FAILED_STATUSES)
    return AnalysisPage.model_validate(analysis.model_dump(include=same) | {"statements": statements} | further)


class Passage(Frozen):
    """A passage, and how to cite it."""

    project: str
    document: str
    start: int
    end: int
    score: float
    citation: Title
    quoted: Annotated[str, Field(description=UNTRUSTED)]


class PassagePage(Page):
    """The passages, best first."""

    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()

    def brief(self) -> str:
        """Count them."""
        return counted(len(self.passages), "passages")


class LibraryList(Page):
    """The names of the libraries."""

    libraries: tuple[str, ...]

    def brief(self) -> str:
        """Name them."""
        return ", ".join(self.libraries) or "none: `goldpan library import` makes one"


def library_page(result: SearchResult, page: int) -> SearchPage:
    """Cut a page from what was found, with an excerpt of each; the matched words stand between `**`."""
    shown = presentation(KIND)
    rows = [result_row(shown, paper).model_copy(update={"quoted": quote(paper.excerpt)}) for paper in result.results]
    cut, following = cut_page(rows, page)
    return SearchPage(query=result.query, results=cut, total=len(rows), next_page=following, notes=result.warnings)


def passage_page(answer: ChunksAnswer) -> PassagePage:
    """Rename the texts of passages, so that they are known as quoted; they keep their lines."""
    passages = [
        Passage(**chunk.model_dump(exclude={"text"}), quoted="\n".join(map(plain, chunk.text.splitlines())))
        for chunk in answer.chunks
    ]
    return PassagePage(passages=tuple(passages), notes=answer.notes)
