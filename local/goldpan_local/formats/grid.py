"""What all tables for the terminal are drawn with: columns, labelled lines, bars, and the rendering itself."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

MIN_WIDTH, MAX_WIDTH = 40, 160
"""The columns need the minimum; lines above the maximum are hard to read."""
MIDDLE, ROOMY, WIDE = 64, 110, 140
"""Widths from which there is room for columns of priority 1, for long values, for columns of priority 2."""
GAP, INDENT = 2, 4
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
GOOD, FAIR = 0.7, 0.4
"""Shares of the maximum from which a value is green, and yellow; below it is red."""
ASCII = str.maketrans(
    {**dict.fromkeys("█▉▊▋", "#"), **dict.fromkeys("▌▍▎▏─", "-"), "…": "~", "“": '"', "”": '"', "·": "|"}
)
"""Replacements for an output that cannot show these characters."""


@dataclass(frozen=True)
class GridColumn:
    """A column to the right of the name."""

    title: str
    width: int
    justify: Literal["left", "right"] = "right"


def render(parts: Callable[[int], Iterable[RenderableType]]) -> str:
    """Render the parts, which are made for a width in columns, in what stdout can show."""
    file = io.StringIO()
    is_terminal = True if sys.stdout.isatty() else None  # None: FORCE_COLOR decides
    console = Console(file=file, force_terminal=is_terminal, highlight=False, markup=False, emoji=False)
    console.width = max(MIN_WIDTH, min(console.width, MAX_WIDTH))
    console.print(Group(*parts(console.width)))
    text = "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
    return text if (sys.stdout.encoding or "utf-8").lower().startswith("utf") else text.translate(ASCII)


def grid(columns: Sequence[GridColumn], name_width: int) -> Table:
    """Make a table without lines: the number, the name, and the columns."""
    made = Table.grid(padding=(0, GAP, 0, 0))
    made.add_column(width=INDENT - GAP, justify="right")
    made.add_column(width=name_width)
    for column in columns:
        made.add_column(width=column.width, justify=column.justify, no_wrap=True)
    return made


def labelled(label: str, text: str, style: str = "dim") -> Table:
    """Put a text next to its label; further lines are aligned with the first."""
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_row(Text(label, "bold yellow" if label == "!" else "bold dim"), Text(text, style))
    return line


def bar(share: float, width: int) -> Text:
    """Draw a share of the maximum (0-1)."""
    full, eighths = divmod(round(share * width * 8), 8)
    return Text("█" * full + EIGHTHS[eighths], colour(share))


def colour(share: float) -> str:
    """Return the colour of a share of the maximum (0-1)."""
    return "green" if share >= GOOD else "yellow" if share >= FAIR else "red"
