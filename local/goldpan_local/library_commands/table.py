"""The results of a library's search, and its passages, for the terminal."""

import re
import sys
from collections.abc import Iterator, Sequence

from goldpan.engine.presentation import name_people
from goldpan.escaping import plain, web_address
from goldpan.kinds.papers.facts import doi_address, people
from goldpan.kinds.papers.sources.library.models import Chunk, LibraryHit, LibraryResult
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.style import Style
from rich.table import Column
from rich.text import Text

from goldpan_local.formats.grid import INDENT, RANK_WIDTH, Row, draw_rows, render, unlined_table

COLUMNS = (Column("Year", width=4, justify="right"), Column("Score", width=6, justify="right"))
_MARKED = re.compile(r"\*\*(.+?)\*\*")


def render_table(found: LibraryResult | Sequence[Chunk]) -> str:
    """Render the papers with their excerpts and the number of all that match, or the passages with their citations."""
    return render(lambda width: _table(found, width) if isinstance(found, LibraryResult) else _passages(found))


def _table(result: LibraryResult, width: int) -> Iterator[RenderableType]:
    yield from draw_rows(COLUMNS, "Paper", map(_row, result.results), width)
    how = f", by words and by the vectors of {plain(result.encoder)}" if result.encoder else ""
    yield Text(f"{len(result.results):,} shown of {result.count:,} found{how}", "dim")


def _row(hit: LibraryHit) -> Row:
    paper = hit.paper
    address = web_address(paper.url) or doi_address(paper.ids.doi) or web_address(paper.pdf_url)
    title = Text(plain(paper.title), Style(bold=True, color="cyan", link=address))
    cells = Text(str(paper.year or "-"), "yellow"), Text(f"{hit.score:.2f}", "bold")
    return title, cells, _details(hit)


def _details(hit: LibraryHit) -> Iterator[RenderableType]:
    paper = hit.paper
    named = name_people([name.in_order for name in people(paper, paper.authors)])
    facts = (named, plain(paper.venue), " ".join(f"#{plain(tag)}" for tag in paper.tags))
    if line := " · ".join(fact for fact in facts if fact):
        yield Text(line, no_wrap=True, overflow="ellipsis")
    yield Text(plain(paper.id), "dim", no_wrap=True, overflow="ellipsis")
    if hit.excerpt:
        yield _marked(plain(hit.excerpt))


def _passages(chunks: Sequence[Chunk]) -> Iterator[RenderableType]:
    for rank, chunk in enumerate(chunks, start=1):
        line = unlined_table()
        line.add_row(Text(f"{rank:>{RANK_WIDTH}}", "dim"), Text(plain(chunk.citation), "bold cyan"))
        yield line
        place = (
            f"{chunk.project} {chunk.document}, characters {chunk.start:,} to {chunk.end:,}, score {chunk.score:.2f}"
        )
        yield Padding.indent(Group(Text(plain(place), "dim"), Text(plain(chunk.text))), INDENT)
        yield Text()


def _marked(excerpt: str) -> Text:
    """Show the marked words bold; where stdout is no terminal, their marks stay."""
    if not sys.stdout.isatty():
        return Text(excerpt)
    text = Text(style="dim")
    for place, part in enumerate(_MARKED.split(excerpt)):
        text.append(part, "bold not dim" if place % 2 else "")
    return text
