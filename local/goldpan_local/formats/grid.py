"""What all tables for the terminal are drawn with: columns of a kind, labelled lines, bars, and the rendering."""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from goldpan.engine.presentation import AnyAttribute, AnyColumn, AnyPresentation
from goldpan.escaping import plain
from rich.columns import Columns
from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.table import Column, Table
from rich.text import Text
from rich.theme import Theme

from goldpan_local.formats.values import cell_text
from goldpan_local.presentations import result_address

MIN_WIDTH, MAX_WIDTH = 40, 160
"""The columns need the minimum; lines above the maximum are hard to read."""
MIDDLE, ROOMY, WIDE = 64, 110, 140
"""Widths from which there is room for bars, for long values, for short values of all columns."""
LEAST_WIDTHS = (MIN_WIDTH, MIDDLE, WIDE)
"""Widths from which there is room for columns of each priority."""
GAP, RANK_WIDTH, INDENT = 2, 2, 4
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
GOOD, FAIR = 0.7, 0.4
"""Shares of the maximum from which a value is green, and yellow; below it is red."""
WIDTHS = {"year": 4, "count": 5, "score": 4, "date": 10}
TEXT_WIDTHS, BAR_WIDTHS = (10, 16), (6, 20)
"""The widths of texts and bars, on a narrower and a roomy terminal."""
STYLES = {"count": "yellow", "year": "yellow", "text": "magenta", "share": "bold"}
MAX_SCORE, MIN_TITLE = 10, 16


Row = tuple[Text, Sequence[Text], Iterable[RenderableType]]
"""The title of a row, its cells, and what is below it."""


def render(parts: Callable[[int], Iterable[RenderableType]]) -> str:
    """Render the parts, which are made for a width in columns."""
    file = io.StringIO()
    is_terminal = True if sys.stdout.isatty() else None  # None: FORCE_COLOR decides
    links = Theme({"markdown.link_url": "none"})  # most lines of an analysis are links, hard to read in rich's colour
    console = Console(file=file, force_terminal=is_terminal, highlight=False, markup=False, emoji=False, theme=links)
    console.width = max(MIN_WIDTH, min(console.width, MAX_WIDTH))
    console.print(Group(*parts(console.width)), crop=False)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def unlined_table(gap: int = GAP) -> Table:
    """Make a table without lines, whose columns have a gap between them."""
    return Table.grid(padding=(0, gap))


def make_grid(columns: Iterable[Column], name_width: int) -> Table:
    """Make a table of the number, the name, and the columns to the right of it."""
    first = (Column(width=RANK_WIDTH, justify="right"), Column(width=name_width))
    return Table.grid(*first, *(column.copy() for column in columns), padding=(0, GAP))


def draw_rows(
    columns: Sequence[Column], name: str, rows: Iterable[Row], width: int, first: int = 1
) -> Iterator[RenderableType]:
    """Draw rows under a heading, numbered from the first; a long name without spaces has a line of its own, uncut."""
    name_width = title_width(columns, width)
    heading = make_grid(columns, name_width)
    heading.add_row("#", name, *(column.header for column in columns), style="bold dim")
    yield heading
    yield Rule(style="dim")
    for rank, (title_of_row, cells, texts) in enumerate(rows, start=first):
        head = [Text(str(rank), "dim"), title_of_row]
        if title_of_row.cell_len > name_width and " " not in title_of_row.plain:
            line = unlined_table()
            line.add_row(Text(f"{rank:>{RANK_WIDTH}}", "dim"), title_of_row)
            yield line
            head = [Text(), Text()]
        row = make_grid(columns, name_width)
        row.add_row(*head, *cells)
        yield row
        for is_whole, group in groupby(texts, lambda each: isinstance(each, Text) and each.overflow == "ignore"):
            block = Group(*group)
            yield block if is_whole else Padding.indent(block, INDENT)
        yield Text()


def labelled(label: str, text: str, style: str = "dim") -> Table:
    """Put a text next to its label; further lines are aligned with the first."""
    line = unlined_table(1)
    line.add_row(Text(label, "bold yellow" if label == "!" else "bold dim"), Text(text, style))
    return line


def address_line(label: str, address: str) -> RenderableType:
    """Put an address next to its label, on one line however long it is, unless a terminal has to fold it."""
    if sys.stdout.isatty():
        return labelled(label, address)
    parts = (" " * INDENT, (label, "bold dim"), " ", (address, "dim"))
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


def bar(share: float, width: int) -> Text:
    """Draw a share of the maximum (0-1)."""
    full, eighths = divmod(round(share * width * 8), 8)
    return Text("█" * full + EIGHTHS[eighths], colour(share))


def colour(share: float) -> str:
    """Return the colour of a share of the maximum (0-1)."""
    return "green" if share >= GOOD else "yellow" if share >= FAIR else "red"


def fitting_columns(shown: AnyPresentation, width: int) -> list[AnyColumn]:
    """Return the columns that fit; the last ones are left out where the title would get too narrow."""
    columns = [column for column in shown.columns if width >= LEAST_WIDTHS[column.priority]]
    while columns and title_width([grid_column(column, width) for column in columns], width) < MIN_TITLE:
        columns.pop()
    return columns


def title_width(columns: Sequence[Column], width: int) -> int:
    """Return the width that the columns leave for the title."""
    return width - INDENT - sum(GAP + (column.width or 0) for column in columns)


def grid_column(column: AnyColumn, width: int) -> Column:
    """Return the column as it is drawn at a width."""
    bar_width = bar_width_at(width)
    own = 5 + bar_width if column.format == "share" and bar_width else WIDTHS.get(column.format)
    size = TEXT_WIDTHS[width >= ROOMY] if own is None else own
    left = column.format in {"text", "list", "names"} or (column.format == "share" and bar_width)
    justify: JustifyMethod = "left" if left else "right"
    return Column(column.title, width=max(size, len(column.title)), justify=justify, no_wrap=True)


def bar_width_at(width: int) -> int:
    """Return the width of bars; 0 where there is no room for them."""
    return 0 if width < MIDDLE else BAR_WIDTHS[ROOMY <= width < WIDE]


def cell(attribute: AnyAttribute, result: object, bar_width: int = 0) -> Text:
    """Write the value of a result, a share with its bar."""
    value = attribute.read(result)
    text = Text(cell_text(attribute, value), STYLES.get(attribute.format, ""))
    if isinstance(value, float | int) and attribute.format == "score":
        text.stylize(colour(value / MAX_SCORE))
    elif isinstance(value, float | int) and attribute.format == "share" and bar_width:
        text.append(" ").append_text(bar(value, bar_width))
    return text


def below(columns: Sequence[AnyColumn], result: object) -> Columns:
    """Write the columns that do not fit in as few lines as possible, one below the other."""
    texts = [Text.assemble((f"{column.title.lower()} ", "dim"), cell(column, result)) for column in columns]
    return Columns(texts, (0, GAP))


def title(shown: AnyPresentation, result: object) -> Text:
    """Write the title of a result, linked to its address."""
    style = Style(bold=True, color="cyan", link=result_address(shown, result))
    return Text(plain(str(shown.title.read(result))), style)
