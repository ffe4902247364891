"""An answer as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from goldpan.contracts import Answer
from goldpan.escaping import plain, web_address
from goldpan.kinds.repositories.models import RankedRepository, Scores
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from goldpan_local.formatting import detail_facts, error_lines, footer, read_as, score, short_count, source_lines
from goldpan_local.grid import GAP, INDENT, MIDDLE, ROOMY, WIDE, Column, colour, grid, labelled, relevance, render

DIMENSIONS = tuple(name for name in Scores.model_fields if name != "overall")
SHORT_TITLES = {"documentation": "docs", "ease_of_use": "ease"}


def render_table(answer: Answer, *, details: bool = False) -> str:
    """Render the answer for the terminal, or in plain text if stdout is none; details add a line of facts a result."""
    return render(
        lambda width: [*question_lines(answer), *_results(answer, width, details=details), *answer_notes(answer)]
    )


def question_lines(answer: Answer) -> Iterator[Text]:
    """Render the question, and how it was read."""
    yield Text(plain(answer.query), "bold")
    if line := read_as(answer):
        yield Text(plain(line), "dim")
    yield Text()


def _results(answer: Answer, width: int, *, details: bool) -> Iterator[RenderableType]:
    """Render the sections one after the other, with titles if there are several; the results are numbered through."""
    if not any(section.results for section in answer.sections.values()):
        yield "Nothing found. Fewer or other words may find more.\n"
        return
    first, sections = 1, dict[str, Any](answer.sections)
    for kind, section in sections.items():
        if len(answer.sections) > 1:
            yield Text(kind.capitalize(), "bold underline")
        if not section.results:
            yield "Nothing found.\n"
        elif kind == "papers":
            from goldpan_local.papers.table import paper_rows  # noqa: PLC0415 - for papers only

            yield from paper_rows(section, width, first, details=details)
        else:
            yield from _repositories(section.results, width, first, details=details)
        first += len(section.results)


def _repositories(
    results: Sequence[RankedRepository], width: int, first: int, *, details: bool
) -> Iterator[RenderableType]:
    columns = _columns(width)
    name_width = width - INDENT - sum(GAP + column.width for column in columns)
    heading = grid(columns, name_width)
    heading.add_row("#", "Repository", *(column.title for column in columns), style="bold dim")
    yield heading
    yield Rule(style="dim")
    for rank, item in enumerate(results, start=first):
        yield from _row(rank, item, columns, name_width)
        yield Padding(Group(*_details(item, width, facts=details)), (0, 0, 1, INDENT))


def _columns(width: int) -> list[Column]:
    """Choose the columns that fit; stars and relevance are always among them."""
    stars = Column("Stars", 5, lambda item: Text(short_count(item.stars), "yellow"))
    if width < MIDDLE:
        return [stars, Column("Relevance", 9, lambda item: Text(f"{item.relevance:.2f}", "bold"))]
    language_width, bar_width = (16 if width >= ROOMY else 10), (20 if ROOMY <= width < WIDE else 6)
    columns = [
        stars,
        Column("Language", language_width, lambda item: Text(plain(item.language) or "-", "magenta"), "left"),
        Column("Relevance", 5 + bar_width, lambda item: relevance(item.relevance, bar_width), "left"),
        Column("Overall", 7, partial(_score, name="overall")),
    ]
    if width >= WIDE:
        titles = {name: _title(name, width).capitalize() for name in DIMENSIONS}
        columns += [Column(title, len(title), partial(_score, name=name)) for name, title in titles.items()]
    return columns


def _row(rank: int, item: RankedRepository, columns: Sequence[Column], name_width: int) -> Iterator[Table]:
    """Render the row of a result; a name wider than its column is not cut, it has a line of its own."""
    name = Text(plain(item.repo), Style(bold=True, color="cyan", link=web_address(item.url)))
    number, cells = Text(str(rank), "dim"), [column.cell(item) for column in columns]
    if name.cell_len > name_width:
        line = Table.grid(padding=(0, GAP, 0, 0))
        line.add_row(Text(f"{rank:>{INDENT - GAP}}", "dim"), name)
        yield line
        number, name = Text(), Text()
    row = grid(columns, name_width)
    row.add_row(number, name, *cells)
    yield row


def _details(item: RankedRepository, width: int, *, facts: bool) -> Iterator[RenderableType]:
    if item.description:
        yield Text(plain(item.description), no_wrap=True, overflow="ellipsis")
    if item.note:
        yield labelled("note", plain(item.note), "dim")
    if facts and (known := detail_facts(item)):
        yield Text(" · ".join(known), "dim")
    if width < WIDE:
        yield from _score_lines(item, width)
    yield labelled("why", plain(item.reasoning), "dim")
    for caveat in item.caveats:
        yield labelled("!", plain(caveat), "yellow")


def _score_lines(item: RankedRepository, width: int) -> list[Text]:
    """Render the scores of the dimensions in as few lines of equal count as fit."""
    scores = [Text.assemble((f"{_title(name, width)} ", "dim"), _score(item, name)) for name in DIMENSIONS]
    lines = list[Text]()
    for count in (6, 3, 2):
        lines = [Text("  ").join(scores[start : start + count]) for start in range(0, len(scores), count)]
        if max(line.cell_len for line in lines) <= width - INDENT:
            break
    return lines


def answer_notes(answer: Answer) -> Iterator[RenderableType]:
    """Render the sources, the warnings, the errors and the footer."""
    for row in source_lines(answer.sources):
        yield labelled(row.source, row.said(": "), "red" if row.failed else "dim")
    for warning in answer.warnings:
        yield labelled("!", plain(warning), "yellow")
    for line in error_lines(answer):
        yield labelled("!", line, "red")
    yield Text(footer(answer), "dim")


def _score(item: RankedRepository, name: str) -> Text:
    """Show a score (0-10)."""
    value: float | None = getattr(item.scores, name)
    return Text(score(value), "dim" if value is None else colour(value / 10))


def _title(dimension: str, width: int) -> str:
    return dimension.replace("_", " ") if ROOMY <= width < WIDE else SHORT_TITLES.get(dimension, dimension)
