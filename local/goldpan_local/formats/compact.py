"""An answer with one line per result, for a list that is longer than the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldpan.engine.presentation import AnyPresentation, RankedResult
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import (
    GAP,
    MIDDLE,
    ROOMY,
    GridColumn,
    cell,
    fitting_columns,
    grid,
    grid_column,
    render,
    title,
    title_width,
)
from goldpan_local.formats.table import answer_notes, question_lines, sections
from goldpan_local.formats.values import description, facts

TITLE_SHARE = 0.7
"""Of the width that the numbers leave; the rest is for the description or the facts."""
WHOLE_TABLE = "--no-compact shows scores and reasons"


def render_compact(answer: Answer, *, automatic: bool = False, weaker: bool = False) -> str:
    """Render the answer in few lines; `automatic` names the option that shows the whole table."""
    notes = answer_notes(answer, failures_alone=True, hint=WHOLE_TABLE if automatic else "")

    def parts(width: int) -> Iterable[RenderableType]:
        def rows(shown: AnyPresentation, results: Sequence[RankedResult], first: int) -> Iterable[RenderableType]:
            return _results(shown, results, width, first), Text()

        return *question_lines(answer), *sections(answer, rows, weaker=weaker, brief=True), *notes

    return render(parts)


def _results(shown: AnyPresentation, results: Sequence[RankedResult], width: int, first: int) -> Table:
    """Draw a line for each result; the title has most of the room, but no more than the longest needs."""
    fitting = fitting_columns(shown, min(width, ROOMY))
    columns = [column for column in fitting if column.format != "score"]
    drawn = [grid_column(column, MIDDLE - 1) for column in columns]
    room = title_width(drawn, width) - GAP
    longest = max((title(shown, result).cell_len for result in results), default=0)
    name_width = min(longest, round(room * TITLE_SHARE))
    lines = grid([*drawn, GridColumn("", room - name_width, "left")], name_width)
    for rank, result in enumerate(results, start=first):
        name = title(shown, result)
        name.truncate(name_width, overflow="ellipsis")
        rest = description(shown, result) if shown.description else " · ".join(facts(shown, result))
        caveat = Text("! ", "yellow") if any(shown.caveats(result)) else Text()
        cells = (cell(column, result) for column in columns)
        lines.add_row(Text(str(rank), "dim"), name, *cells, Text.assemble(caveat, rest))
    return lines
