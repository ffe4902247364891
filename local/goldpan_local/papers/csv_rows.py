"""The cells of a paper in the list for spreadsheets."""

from __future__ import annotations

from goldpan.escaping import csv_text
from goldpan.kinds.papers.facts import links, main_address
from goldpan.kinds.papers.models import RankedPaper

COLUMNS = (
    *("rank", "title", "authors", "year", "venue", "type", "citations", "open_access", "doi", "arxiv", "url"),
    *("pdf_url", "relevance", "reasoning", "unverified", "caveats"),
)


def paper_cells(rank: int, item: RankedPaper) -> tuple[object, ...]:
    """Return the cells of a paper, in the order of the columns; an unknown fact is empty."""
    access = {True: "yes", False: "no", None: ""}[item.open_access]
    title, authors, venue = csv_text(item.title), csv_text("; ".join(item.authors)), csv_text(item.venue)
    texts = (item.ids.doi, item.ids.arxiv, main_address(item), links(item).get("PDF"))
    return (
        *(rank, title, authors, item.year, venue, item.type, item.citations, access),
        *(csv_text(text) for text in texts),
        *(f"{item.relevance:.2f}", csv_text(item.reasoning)),
        *(csv_text("; ".join(many)) for many in (item.unverified, item.caveats)),
    )
