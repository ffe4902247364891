"""The papers of an answer as rows of its table."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.escaping import plain
from goldpan.kinds.papers.facts import (
    description,
    facet_line,
    found_by_line,
    links,
    main_address,
    unverified_line,
    version_line,
)
from goldpan.kinds.papers.models import PaperSection, RankedPaper
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.text import Text

from goldpan_local.formatting import short_count
from goldpan_local.grid import GAP, INDENT, MIDDLE, ROOMY, Column, grid, labelled, relevance


def paper_rows(section: PaperSection, width: int, first: int, *, details: bool = False) -> Iterator[RenderableType]:
    """Render the papers, numbered from `first`, and what they have in common; details add the abstract."""
    columns = _columns(width)
    title_width = width - INDENT - sum(GAP + column.width for column in columns)
    heading = grid(columns, title_width)
    heading.add_row("#", "Paper", *(column.title for column in columns), style="bold dim")
    yield heading
    yield Rule(style="dim")
    for rank, item in enumerate(section.results, start=first):
        row = grid(columns, title_width)
        title = Text(plain(item.title), Style(bold=True, color="cyan", link=main_address(item)))
        row.add_row(Text(str(rank), "dim"), title, *(column.cell(item) for column in columns))
        yield row
        yield Padding(Group(*_details(item, narrow=width < MIDDLE, abstract=details)), (0, 0, 1, INDENT))
    if line := facet_line(section.facets):
        yield Padding(labelled("facets", line, "dim"), (0, 0, 1, 0))


def _columns(width: int) -> list[Column]:
    """Choose the columns that fit; without room for the citations, these are among the details."""
    year = Column("Year", 4, lambda item: Text(str(item.year or "-"), "yellow"))
    if width < MIDDLE:
        return [year, Column("Rel.", 4, lambda item: Text(f"{item.relevance:.2f}", "bold"))]
    bar_width = 20 if width >= ROOMY else 6
    return [
        year,
        Column("Cited", 5, lambda item: Text(short_count(item.citations), "magenta")),
        Column("Relevance", 5 + bar_width, lambda item: relevance(item.relevance, bar_width), "left"),
    ]


def _details(item: RankedPaper, *, narrow: bool, abstract: bool) -> Iterator[RenderableType]:
    facts = description(item)
    if narrow and item.citations is not None:
        facts.append(f"{short_count(item.citations)} citations")
    if facts:
        yield Text(" · ".join(facts))
    if abstract and item.abstract:
        yield Text(plain(item.abstract), "dim")
    for name, address in links(item).items():
        yield labelled(name, address, "dim")
    if line := version_line(item.versions):
        yield labelled("versions", line, "dim")
    yield labelled("why", plain(item.reasoning), "dim")
    if line := found_by_line(item):
        yield labelled("found by", line, "dim")
    for line in (unverified_line(item), *map(plain, item.caveats)):
        if line:
            yield labelled("!", line, "yellow")
