"""What the tools for one repository and for the user's libraries return, in small pages."""

from goldpan.contracts import FAILED_STATUSES
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer
from goldpan.kinds.repositories.analysis.models import Analysis
from goldpan.local.search_result import SearchResult

from goldpan_local.agents.pages import Page, cut_page, failed_sources, known_fields, quote, result_row, visible_lines
from goldpan_local.presentations import presentation


def analysis_page(analysis: Analysis) -> Page:
    """Reduce an analysis to what an agent can use."""
    statements = [
        {"dimension": each.dimension, "statement": quote(each.statement), "evidence_url": each.evidence_url}
        for each in analysis.statements
    ]
    return known_fields(
        repo=analysis.repo,
        url=analysis.url,
        relevance=analysis.relevance,
        scores_of_10=analysis.scores.model_dump(exclude_none=True),
        statements=statements,
        caveats=list(analysis.caveats),
        not_looked_at=failed_sources(analysis.sources, FAILED_STATUSES),
        quoted=quote(analysis.description),
    )


def library_page(result: SearchResult, page: int) -> Page:
    """Cut a page from what was found, with an excerpt of each; the matched words stand between `**`."""
    shown = presentation(KIND)
    rows = [{**result_row(shown, paper), "quoted": quote(paper.excerpt)} for paper in result.results]
    cut, following = cut_page(rows, page)
    notes = list(result.warnings)
    return known_fields(query=result.query, results=list(cut), total=len(rows), next_page=following, notes=notes)


def passage_page(answer: ChunksAnswer) -> Page:
    """Rename the texts of passages, so that they are known as quoted; they keep their lines."""
    passages = [
        {
            **chunk.model_dump(mode="json", exclude={"text"}),
            "citation": quote(chunk.citation),
            "quoted": visible_lines(chunk.text),
        }
        for chunk in answer.chunks
    ]
    return {"passages": passages, "notes": list(answer.notes)}
