"""What the tools for the user's library return, in small pages."""

from __future__ import annotations

from goldpan.config import Frozen
from goldpan.kinds.papers.sources.library.requests import ChunksAnswer

from goldpan_local.agents.pages import MAX_AUTHORS, cut_page, quote
from goldpan_local.search_result import SearchResult


class LibraryRow(Frozen):
    """A paper or a note of the user."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    url: str | None = None
    relevance: float
    quoted: str | None = None
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
    citation: str
    quoted: str


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
            authors=paper.authors[:MAX_AUTHORS],
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
    """Rename the texts of passages, so that they are known as quoted."""
    passages = tuple(Passage(**chunk.model_dump(exclude={"text"}), quoted=chunk.text) for chunk in answer.chunks)
    return PassagePage(passages=passages, notes=answer.notes)
