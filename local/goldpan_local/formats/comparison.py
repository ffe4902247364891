"""A comparison as a table for the terminal: a column for each result, a row for each fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldpan.engine.presentation import AnyAttribute, AnyPresentation, RankedResult
from goldpan.escaping import plain
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import GAP, cell, labelled, render, title
from goldpan_local.formats.table import answer_notes, question_lines
from goldpan_local.presentations import presentation

LABEL_WIDTH, MIN_COLUMN = 14, 8
NOT_COMPARED = {"list", "address"}
"""Formats that take too much room side by side."""


def render_comparison(answer: Answer) -> str:
    """Render the results side by side, the best fit first, then the caveats of each."""
    question = question_lines(answer) if answer.interpretation else ()
    return render(lambda width: [*question, *_sections(answer, width), *answer_notes(answer)])


def _sections(answer: Answer, width: int) -> Iterator[RenderableType]:
    compared = [(presentation(kind), section.results) for kind, section in answer.sections.items() if section.results]
    if not compared:
        yield "None of them was found.\n"
    for shown, results in compared:
        yield _table(shown, results, width, is_ordered=bool(answer.interpretation))
        yield Rule(style="dim")
        for result in results:
            name = plain(str(shown.title.read(result)))
            if answer.interpretation:
                yield labelled(name, plain(result.reasoning))
            for caveat in shown.caveats(result):
                yield labelled("!", f"{name}: {plain(caveat)}", "yellow")
        yield Text()


def _table(shown: AnyPresentation, results: Sequence[RankedResult], width: int, *, is_ordered: bool) -> Table:
    """Draw a row for each column and fact; without a question no result has a relevance of its own."""
    column = max(MIN_COLUMN, (width - LABEL_WIDTH) // len(results) - GAP)
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(width=LABEL_WIDTH, style="dim")
    for _ in results:
        table.add_column(width=column, overflow="fold")
    table.add_row("", *(_name(shown, result, column) for result in results))
    rows: list[AnyAttribute] = [*shown.columns, *shown.facts]
    for attribute in rows:
        if attribute.format not in NOT_COMPARED and (is_ordered or attribute.format != "share"):
            table.add_row(attribute.label or attribute.name, *(cell(attribute, result) for result in results))
    counts = [len(list(shown.caveats(result))) for result in results]
    table.add_row("caveats", *(str(count or "none") for count in counts))
    return table


def _name(shown: AnyPresentation, result: RankedResult, width: int) -> Text:
    """Return the title, in two lines if it is a name with an owner that is wider than its column."""
    name = title(shown, result)
    if name.cell_len > width:
        owner, slash, rest = name.plain.partition("/")
        name.plain = f"{owner}{slash}\n{rest}" if slash else name.plain
    return name
