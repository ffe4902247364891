"""An answer as a table for the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from goldpan.contracts import Answer
from goldpan.kinds.repositories.models import RankedRepository, Scores
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from goldpan_local.escaping import plain, web_address
from goldpan_local.formatting import detail_facts, error_lines, footer, read_as, score, short_count, source_lines

MIN_WIDTH, MAX_WIDTH = 40, 160
"""The columns need the least; lines longer than the most are hard to read."""
MIDDLE, ROOMY, WIDE = 64, 110, 140
"""Widths from which there is room for language and overall score, for long names, for a column per dimension."""
GAP, INDENT = 2, 4
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
GOOD, FAIR = 0.7, 0.4
"""Shares of the maximum from which a value is green, and yellow; below it is red."""
DIMENSIONS = tuple(name for name in Scores.model_fields if name != "overall")
SHORT_TITLES = {"documentation": "docs", "ease_of_use": "ease"}
ASCII = str.maketrans(
    {**dict.fromkeys("█▉▊▋", "#"), **dict.fromkeys("▌▍▎▏─", "-"), "…": "~", "“": '"', "”": '"', "·": "|"}
)
"""Replacements for an output that cannot show these characters."""


@dataclass(frozen=True)
class Column:
    """A column to the right of the name; `cell` makes its text from a result."""

    title: str
    width: int
    cell: Callable[[Any], Text]
    justify: Literal["left", "right"] = "right"


class _LikeStdout(io.StringIO):
    """A text in memory that can show what stdout can; a console on stdout itself would write to it while it renders."""

    encoding = ""

    def __init__(self) -> None:
        super().__init__()
        self.encoding = sys.stdout.encoding

    def isatty(self) -> bool:
        """Whether stdout is a terminal."""
        return sys.stdout.isatty()


def render_table(answer: Answer, *, details: bool = False) -> str:
    """Render the answer for the terminal, or in plain text if stdout is none; details add a line of facts a result."""
    return render(lambda width: [*question_lines(answer), *_results(answer, width, details=details), *_notes(answer)])


def render(parts: Callable[[int], Iterable[RenderableType]]) -> str:
    """Render the parts, which are made for a width in columns."""
    file = _LikeStdout()
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    console.width = max(MIN_WIDTH, min(console.width, MAX_WIDTH))
    console.print(Group(*parts(console.width)))
    text = "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())
    return text.translate(ASCII) if console.options.ascii_only else text


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


def grid(columns: Sequence[Column], name_width: int) -> Table:
    """Make a table without lines: the number, the name, and the columns."""
    made = Table.grid(padding=(0, GAP, 0, 0))
    made.add_column(width=INDENT - GAP, justify="right")
    made.add_column(width=name_width)
    for column in columns:
        made.add_column(width=column.width, justify=column.justify, no_wrap=True)
    return made


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


def _notes(answer: Answer) -> Iterator[RenderableType]:
    """Render the sources, the warnings, the errors and the footer."""
    for row in source_lines(answer.sources):
        yield labelled(row.source, row.said(": "), "red" if row.failed else "dim")
    for warning in answer.warnings:
        yield labelled("!", plain(warning), "yellow")
    for line in error_lines(answer):
        yield labelled("!", line, "red")
    yield Text(footer(answer), "dim")


def labelled(label: str, text: str, style: str) -> Table:
    """Put a text beside its label; further lines are aligned with the first."""
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_row(Text(label, "bold yellow" if label == "!" else "bold dim"), Text(text, style))
    return line


def relevance(share: float, bar_width: int) -> Text:
    """Show a share (0-1) as a number and a bar."""
    full, eighths = divmod(round(share * bar_width * 8), 8)
    return Text.assemble((f"{share:.2f} ", "bold"), ("█" * full + EIGHTHS[eighths], _colour(share)))


def _score(item: RankedRepository, name: str) -> Text:
    """Show a score (0-10)."""
    value: float | None = getattr(item.scores, name)
    return Text(score(value), "dim" if value is None else _colour(value / 10))


def _colour(share: float) -> str:
    return "green" if share >= GOOD else "yellow" if share >= FAIR else "red"


def _title(dimension: str, width: int) -> str:
    return dimension.replace("_", " ") if ROOMY <= width < WIDE else SHORT_TITLES.get(dimension, dimension)
