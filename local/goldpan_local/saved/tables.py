"""The saved searches, and what changed in a run, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from goldpan.engine.presentation import RankedResult
from goldpan.escaping import plain
from goldpan.kinds.answer import Answer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import INDENT, labelled, render
from goldpan_local.formats.table import warning_lines
from goldpan_local.formats.values import duration
from goldpan_local.presentations import presentation
from goldpan_local.saved.changes import Changes, Ranked
from goldpan_local.saved.log import result_id

NONE_SAVED = "No search is saved. `goldpan search QUESTION --save NAME` saves one.\n"


@dataclass(frozen=True)
class SavedRow:
    """A saved search as it is listed."""

    name: str
    runs: int
    last: datetime | None
    query: str


def render_saved(rows: Sequence[SavedRow]) -> str:
    """Render the list of the saved searches."""
    if not rows:
        return NONE_SAVED
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    table.add_row("Name", "Runs", "Last run (UTC)", "Question", style="bold dim")
    for row in rows:
        last = f"{row.last:%Y-%m-%d %H:%M}" if row.last else "-"
        table.add_row(Text(row.name, "bold cyan"), str(row.runs), last, Text(plain(row.query)))
    return render(lambda _width: [table])


def render_change_table(changes: Changes, answer: Answer) -> str:
    """Render what changed: the new results with their reasons, then those that are gone or moved."""
    return render(lambda _width: _change_lines(changes, answer))


def headline(changes: Changes) -> str:
    """Count the changes in one line."""
    since = f"since {changes.since:%Y-%m-%d %H:%M} UTC" if changes.since else "in the first run"
    return f"{len(changes.new)} new, {len(changes.gone)} gone, {len(changes.moved)} moved {since}"


def named(entry: Ranked) -> str:
    """Return the title of a result with its id, or its id if it has no other title."""
    return f"{entry.result.title} ({entry.result.id})" if entry.result.title else entry.result.id


def failure_line(changes: Changes) -> str:
    """Name the sources that failed, because their results may only be missing; "" if none did."""
    failed = dict.fromkeys(f"{row.source} {row.status.replace('_', ' ')}" for row in changes.failed_sources)
    old = dict.fromkeys(f"{row.source} (cached {duration(row.age_s or 0)} ago)" for row in changes.old_sources)
    said = [f"No answer from {', '.join(failed)}: results that are gone may only be missing."] if failed else []
    said += [f"Read from the cache after a failure: {', '.join(old)}; new results may be missing."] if old else []
    return " ".join(said)


def _change_lines(changes: Changes, answer: Answer) -> Iterator[RenderableType]:
    yield Text.assemble((changes.name, "bold"), f": {headline(changes)}")
    results = {
        (kind, result_id(presentation(kind), result)): result
        for kind, section in answer.sections.items()
        for result in section.results
    }
    yield from _group("New", [_new(entry, results[entry.kind, entry.result.id]) for entry in changes.new])
    gone = [Text(f"{entry.rank:>3}  {plain(named(entry))}") for entry in changes.gone]
    yield from _group("Gone, with the former rank", gone)
    moved = [Text(f"{entry.rank:>3}  {plain(named(entry))} (was {entry.was})") for entry in changes.moved]
    yield from _group("Moved", moved)
    yield Text()
    if line := failure_line(changes):
        yield labelled("!", plain(line), "red")
    yield from warning_lines(answer)


def _group(title: str, lines: Sequence[RenderableType]) -> Iterator[RenderableType]:
    if lines:
        yield Text()
        yield Text(title, "bold underline")
        yield from lines


def _new(entry: Ranked, result: RankedResult) -> RenderableType:
    lines = Table.grid()
    lines.add_row(Text.assemble(f"{entry.rank:>3}  ", (plain(named(entry)), "bold cyan"), f"  {result.relevance:.2f}"))
    lines.add_row(Padding(labelled("why", plain(result.reasoning), "dim"), (0, 0, 0, INDENT + 1)))
    return lines
