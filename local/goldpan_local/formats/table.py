"""An answer as a table for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from goldpan.engine.presentation import AnyPresentation, RankedResult
from goldpan.escaping import plain
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from goldpan_local.formats.grid import (
    INDENT,
    Row,
    bar_width_at,
    below,
    cell,
    draw_rows,
    fitting_columns,
    grid_column,
    labelled,
    render,
    title,
)
from goldpan_local.formats.notes import NOTHING_FOUND, error_lines, footer, has_results, read_as, source_lines
from goldpan_local.formats.values import description, facts
from goldpan_local.presentations import groups, presentation

Rows = Callable[[AnyPresentation, Sequence[RankedResult], int], Iterable[RenderableType]]
"""Draws results; the number is the rank of the first."""


def render_table(answer: Answer, *, details: bool = False, weaker: bool = False) -> str:
    """Render the answer for the terminal, or in plain text if stdout is none; details add facts and abstracts."""

    def parts(width: int) -> Iterable[RenderableType]:
        def rows(shown: AnyPresentation, results: Sequence[RankedResult], first: int) -> Iterable[RenderableType]:
            columns = [grid_column(column, width) for column in fitting_columns(shown, width)]
            made = _rows(shown, results, width, details=details)
            return draw_rows(columns, shown.singular.capitalize(), made, width, first)

        return *question_lines(answer), *sections(answer, rows, weaker=weaker), *answer_notes(answer)

    return render(parts)


def question_lines(answer: Answer) -> Iterator[Text]:
    """Render the question, and how it was read."""
    yield Text(plain(answer.query), "bold")
    if line := read_as(answer):
        yield Text(plain(line), "dim")
    yield Text()


def sections(answer: Answer, rows: Rows, *, weaker: bool, brief: bool = False) -> Iterator[RenderableType]:
    """Render the sections one after the other, with titles if there are several; the results are numbered through.

    A brief answer leaves out what the results of a section have in common.
    """
    if not has_results(answer):
        yield f"{NOTHING_FOUND}\n"
        return
    first = 1
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        if len(answer.sections) > 1:
            yield Text(shown.plural.capitalize(), "bold underline")
        for heading, results in groups(section, weaker=weaker):
            yield from (Text(f"{heading}\n", "bold"),) if heading else ()
            yield from rows(shown, results, first) if results else ()
            first += len(results)
        if not section.results and not section.weaker:
            yield "Nothing found.\n"
        for line in () if brief else shown.section_lines(section):
            yield Padding(labelled(line.label, plain(line.text)), (0, 0, 1, 0))


def _rows(shown: AnyPresentation, results: Sequence[RankedResult], width: int, *, details: bool) -> Iterator[Row]:
    """Make the rows of results; values without a column at this width are below them."""
    columns, bar_width = fitting_columns(shown, width), bar_width_at(width)
    others = [column for column in shown.columns if column not in columns]
    for result in results:
        further = below(others, result, width - INDENT)
        cells = [cell(column, result, bar_width) for column in columns]
        yield title(shown, result), cells, _details(shown, result, further, details=details)


def _details(
    shown: AnyPresentation, result: RankedResult, further: Sequence[Text], *, details: bool
) -> Iterator[RenderableType]:
    """Render the details of a result: texts, facts, further values, links, reason and caveats."""
    if text := description(shown, result):
        yield Text(text, no_wrap=True, overflow="ellipsis")
    if (details or shown.description is None) and (known := facts(shown, result)):
        yield Text(" · ".join(known), "dim" if shown.description else "")
    if details and shown.text and (value := shown.text.read(result)):
        yield Text(plain(str(value)), "dim")
    yield from further
    for label, address in shown.links(result).items():
        yield labelled(label, address)
    for line in shown.lines(result):
        yield labelled(line.label, plain(line.text))
    yield labelled("why", plain(result.reasoning))
    for caveat in shown.caveats(result):
        yield labelled("!", plain(caveat), "yellow")


def answer_notes(answer: Answer, *, failures_alone: bool = False, hint: str = "") -> Iterator[RenderableType]:
    """Render the sources, the warnings, the errors and the footer, with a hint behind it."""
    for row in source_lines(answer.sources):
        if row.failed or not failures_alone:
            yield labelled(row.source, row.said(": "), "red" if row.failed else "dim")
    for warning in answer.warnings:
        yield labelled("!", plain(warning), "yellow")
    for line in error_lines(answer):
        yield labelled("!", line, "red")
    yield Text("; ".join(filter(None, (footer(answer), hint))), "dim")
