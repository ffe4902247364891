"""An answer as a table for the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from goldpan.engine.presentation import AnyPresentation, RankedResult
from goldpan.escaping import plain
from goldpan.kinds.answer import Answer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import (
    GAP,
    INDENT,
    bar_width_at,
    below,
    cell,
    fitting_columns,
    grid,
    grid_column,
    labelled,
    render,
    title,
    title_width,
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
            return _Rows(shown, width, details=details).render(results, first)

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


class _Rows:
    """The rows of one kind at a width."""

    def __init__(self, shown: AnyPresentation, width: int, *, details: bool) -> None:
        self._shown, self._width, self._details = shown, width, details
        self._columns = fitting_columns(shown, width)
        self._others = [column for column in shown.columns if column not in self._columns]
        self._grid = [grid_column(column, width) for column in self._columns]
        self._title_width = title_width(self._grid, width)

    def render(self, results: Sequence[RankedResult], first: int) -> Iterator[RenderableType]:
        """Render the heading, and each result with its details."""
        heading = grid(self._grid, self._title_width)
        heading.add_row("#", self._shown.singular.capitalize(), *(each.title for each in self._grid), style="bold dim")
        yield heading
        yield Rule(style="dim")
        for rank, result in enumerate(results, start=first):
            yield from self._row(rank, result)
            yield Padding(Group(*self._below(result)), (0, 0, 1, INDENT))

    def _row(self, rank: int, result: RankedResult) -> Iterator[Table]:
        """Render the row of a result; a name wider than its column is not cut, it has a line of its own."""
        number, name = Text(str(rank), "dim"), title(self._shown, result)
        if name.cell_len > self._title_width and " " not in name.plain:
            line = Table.grid(padding=(0, GAP, 0, 0))
            line.add_row(Text(f"{rank:>{INDENT - GAP}}", "dim"), name)
            yield line
            number, name = Text(), Text()
        row = grid(self._grid, self._title_width)
        bar_width = bar_width_at(self._width)
        row.add_row(number, name, *(cell(column, result, bar_width) for column in self._columns))
        yield row

    def _below(self, result: RankedResult) -> Iterator[RenderableType]:
        """Render the details of a result: texts, facts, further values, links, reason and caveats."""
        shown = self._shown
        if text := description(shown, result):
            yield Text(text, no_wrap=True, overflow="ellipsis")
        if (self._details or shown.description is None) and (known := facts(shown, result)):
            yield Text(" · ".join(known), "dim" if shown.description else "")
        if self._details and shown.text and (value := shown.text.read(result)):
            yield Text(plain(str(value)), "dim")
        yield from below(self._others, result, self._width - INDENT)
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
