"""An answer as a table for the terminal: with details below each result, a line for each, or a column for each."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from goldpan.engine.presentation import AnyAttribute, AnyPresentation, RankedResult
from goldpan.escaping import plain
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from goldpan_local.formats import grid
from goldpan_local.formats.notes import error_lines, footer, has_results, nothing_found, read_as, source_lines
from goldpan_local.formats.values import description, facts
from goldpan_local.presentations import first_number, groups, presentation

TITLE_SHARE = 0.7
"""Of the width that the numbers of a line leave; the rest is for the description or the facts."""
LABEL_WIDTH, MIN_COLUMN = 14, 8
Results = Sequence[RankedResult]
Rows = Callable[[int, AnyPresentation, Results, int], Iterable[RenderableType]]
"""Draws results at a width; the last number is the rank of the first."""


def render_table(answer: Answer, order: str = "", *, details: bool = False, weaker: bool = False) -> str:
    """Render the answer for the terminal, or in plain text if stdout is none; details add facts and abstracts.

    What has no column at the width of the terminal is below each result.
    """

    def rows(width: int, shown: AnyPresentation, results: Results, first: int) -> Iterable[RenderableType]:
        fitting, bar_width = grid.fitting_columns(shown, width), grid.bar_width_at(width)
        others = [column for column in shown.columns if column not in fitting]
        made = list[grid.Row]()
        for result in results:
            further = [grid.below(others, result)] if others else []
            cells = [grid.cell(column, result, bar_width) for column in fitting]
            made.append((grid.title(shown, result), cells, _details(shown, result, further, details=details)))
        columns = [grid.grid_column(column, width) for column in fitting]
        return grid.draw_rows(columns, shown.singular.capitalize(), made, width, first)

    return _render(answer, rows, answer_notes(answer, order), weaker=weaker)


def render_compact(answer: Answer, order: str = "", *, automatic: bool = False, weaker: bool = False) -> str:
    """Render the answer in few lines; `automatic` names the option that shows the whole table."""
    hint = "--no-compact shows scores and reasons" if automatic else ""
    notes = answer_notes(answer, order, failures_alone=True, hint=hint)
    return _render(answer, _lines, notes, weaker=weaker, brief=True)


def _render(answer: Answer, rows: Rows, notes: Iterable[RenderableType], *, weaker: bool, brief: bool = False) -> str:
    """Render the question, the sections as these rows, and the notes."""
    return grid.render(
        lambda width: [*question_lines(answer), *sections(answer, rows, width, weaker=weaker, brief=brief), *notes]
    )


def question_lines(answer: Answer) -> Iterator[Text]:
    """Render the question, and how it was read."""
    yield Text(plain(answer.query), "bold")
    if line := read_as(answer.interpretation):
        yield Text(plain(line), "dim")
    yield Text()


def sections(answer: Answer, rows: Rows, width: int, *, weaker: bool, brief: bool = False) -> Iterator[RenderableType]:
    """Render the sections, numbered through; a brief answer leaves out what the results of one have in common."""
    if not has_results(answer):
        yield f"{nothing_found(answer)}\n"
        return
    first = first_number(answer)
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        if len(answer.sections) > 1:
            yield Text(shown.plural.capitalize(), "bold underline")
        for heading, results in groups(section, weaker=weaker):
            yield from (Text(f"{heading}\n", "bold"),) if heading else ()
            yield from rows(width, shown, results, first) if results else ()
            first += len(results)
        if not section.results and not section.weaker:
            yield "No further results.\n" if section.total else "Nothing found.\n"
        for line in () if brief else shown.section_lines(section):
            yield grid.labelled(line.label, plain(line.text))
            yield Text()


def _details(
    shown: AnyPresentation, result: RankedResult, further: Sequence[RenderableType], *, details: bool
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
        yield grid.address_line(label, address)
    for line in shown.lines(result):
        yield grid.labelled(line.label, plain(line.text))
    yield grid.labelled("why", plain(result.reasoning))
    for caveat in shown.caveats(result):
        yield grid.labelled("!", plain(caveat), "yellow")


def answer_notes(
    answer: Answer, order: str = "", *, failures_alone: bool = False, hint: str = ""
) -> Iterator[RenderableType]:
    """Render the sources, the warnings, the errors and the footer, with a hint behind it."""
    for row in source_lines(answer.sources):
        if row.failed or not failures_alone:
            yield grid.labelled(row.source, row.said(": "), "red" if row.failed else "dim")
    for warning in answer.warnings:
        yield grid.labelled("!", plain(warning), "yellow")
    for line in error_lines(answer):
        yield grid.labelled("!", line, "red")
    yield Text("; ".join(filter(None, (footer(answer, order), hint))), "dim")


def _lines(width: int, shown: AnyPresentation, results: Results, first: int) -> Iterator[RenderableType]:
    """Draw a line for each result; the title has most of the room, but no more than the longest needs."""
    fitting = grid.fitting_columns(shown, min(width, grid.ROOMY))
    columns = [column for column in fitting if column.format != "score"]
    drawn = [grid.grid_column(column, grid.MIN_WIDTH) for column in columns]
    room = grid.title_width(drawn, width) - grid.GAP
    longest = max(grid.title(shown, result).cell_len for result in results)
    name_width = min(longest, round(room * TITLE_SHARE))
    lines = grid.make_grid([*drawn, Column(width=room - name_width, no_wrap=True)], name_width)
    for rank, result in enumerate(results, start=first):
        name = grid.title(shown, result)
        name.truncate(name_width, overflow="ellipsis")
        rest = description(shown, result) if shown.description else " · ".join(facts(shown, result))
        caveat = Text("! ", "yellow") if any(shown.caveats(result)) else Text()
        cells = (grid.cell(column, result) for column in columns)
        lines.add_row(Text(str(rank), "dim"), name, *cells, Text.assemble(caveat, rest))
    yield from (lines, Text())


def render_comparison(answer: Answer) -> str:
    """Render what was not found, then the results side by side, the best fit first, then the caveats of each."""
    first: list[RenderableType] = [grid.labelled("!", f"{line}\n", "red") for line in error_lines(answer)]
    first += question_lines(answer) if answer.interpretation else ()
    notes = answer_notes(answer.model_copy(update={"errors": ()}))
    return grid.render(lambda width: [*first, *_compared(answer, width), *notes])


def _compared(answer: Answer, width: int) -> Iterator[RenderableType]:
    compared = [(presentation(kind), section.results) for kind, section in answer.sections.items() if section.results]
    if not compared:
        yield "None of them was found.\n"
    for shown, results in compared:
        yield _side_by_side(shown, results, width, is_ordered=bool(answer.interpretation))
        yield Rule(style="dim")
        for result in results:
            name = plain(str(shown.title.read(result)))
            if answer.interpretation:
                yield grid.labelled(name, plain(result.reasoning))
            for caveat in shown.caveats(result):
                yield grid.labelled("!", f"{name}: {plain(caveat)}", "yellow")
        yield Text()


def _side_by_side(shown: AnyPresentation, results: Sequence[RankedResult], width: int, *, is_ordered: bool) -> Table:
    """Draw a row for each column and fact; without a question no result has a relevance of its own."""
    column = max(MIN_COLUMN, (width - LABEL_WIDTH) // len(results) - grid.GAP)
    table = grid.unlined_table()
    table.add_column(width=LABEL_WIDTH, style="dim")
    for _ in results:
        table.add_column(width=column, overflow="fold")
    names = [grid.title(shown, result) for result in results]
    for name in names:
        owner, slash, rest = name.plain.partition("/")
        if slash and name.cell_len > column:  # a name with an owner that is wider than its column
            name.plain = f"{owner}/\n{rest}"
    table.add_row("", *names)
    attributes: list[AnyAttribute] = [*shown.columns, *shown.facts]
    left_out = {"list", "address"} if is_ordered else {"list", "address", "share"}  # some take too much room
    for attribute in attributes:
        if attribute.format not in left_out:
            table.add_row(attribute.label or attribute.name, *(grid.cell(attribute, result) for result in results))
    counts = [len(list(shown.caveats(result))) for result in results]
    table.add_row("caveats", *(str(count or "none") for count in counts))
    return table
