"""An answer with one line per result, for a list that is longer than the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldpan.engine.presentation import AnyColumn, AnyPresentation, RankedResult
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.text import Text

from goldpan_local.formats.grid import GAP, INDENT, MIDDLE, cell, grid_column, labelled, render, title
from goldpan_local.formats.notes import NOTHING_FOUND, footer, has_results, source_lines
from goldpan_local.formats.table import question_lines, warning_lines
from goldpan_local.formats.values import description, facts
from goldpan_local.presentations import groups, presentation

TITLE_SHARE = 0.7
"""Of the width that the numbers leave; the rest is for the description or the facts."""
MIN_TITLE = 10
WHOLE_TABLE = "--no-compact shows scores and reasons"


def render_compact(answer: Answer, *, automatic: bool = False, weaker: bool = False) -> str:
    """Render the answer in few lines; `automatic` names the option that shows the whole table."""
    return render(lambda width: [*_lines(answer, width, weaker=weaker), *_notes(answer, automatic=automatic)])


def _lines(answer: Answer, width: int, *, weaker: bool) -> Iterator[RenderableType]:
    yield from question_lines(answer)
    if not has_results(answer):
        yield NOTHING_FOUND
        return
    first = 1
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        if len(answer.sections) > 1:
            yield Text(shown.plural.capitalize(), "bold underline")
        for heading, results in groups(section, weaker=weaker):
            yield from (Text(heading, "bold"),) if heading else ()
            yield from _results(shown, results, width, first)
            first += len(results)
        yield Text()


def _results(shown: AnyPresentation, results: Sequence[RankedResult], width: int, first: int) -> Iterator[Text]:
    columns = [column for column in shown.columns if column.priority < 2 and column.format != "score"]  # noqa: PLR2004
    widths = [grid_column(column, MIDDLE - 1).width for column in columns]
    room = width - INDENT - sum(GAP + each for each in widths) - GAP
    longest = max((title(shown, result).cell_len for result in results), default=0)
    title_width = min(longest, max(MIN_TITLE, round(room * TITLE_SHARE)))
    for rank, result in enumerate(results, start=first):
        name = title(shown, result)
        name.truncate(title_width, overflow="ellipsis", pad=True)
        cells = [_padded(column, result, each) for column, each in zip(columns, widths, strict=True)]
        rest = description(shown, result) if shown.description else " · ".join(facts(shown, result))
        caveat = Text("! ", "yellow") if any(shown.caveats(result)) else Text()
        line = Text("  ").join([Text(f"{rank:>2}", "dim"), name, *cells, Text.assemble(caveat, rest)])
        line.truncate(width, overflow="ellipsis")
        yield line


def _padded(column: AnyColumn, result: RankedResult, width: int) -> Text:
    """Return the cell of a result at its width; numbers stand at the right."""
    text = cell(column, result)
    text.truncate(width, overflow="ellipsis")
    text.align("left" if column.format == "text" else "right", width)
    return text


def _notes(answer: Answer, *, automatic: bool) -> Iterator[RenderableType]:
    """Render what failed, the warnings and the footer; successful sources are left out."""
    for row in source_lines(answer.sources):
        if row.failed:
            yield labelled(row.source, row.said(": "), "red")
    yield from warning_lines(answer)
    yield Text(f"{footer(answer)}{f'; {WHOLE_TABLE}' if automatic else ''}", "dim")
