"""A saved search for readers: its log as a report for the appendix of a review, and the changes of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from goldpan.engine.presentation import RankedResult
from goldpan.escaping import escape_markdown, plain
from goldpan.kinds.answer import Answer
from pydantic import JsonValue
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from goldpan_local.formats.grid import INDENT, labelled, render
from goldpan_local.formats.table import warning_lines
from goldpan_local.formats.values import duration
from goldpan_local.presentations import presentation
from goldpan_local.saved.log import Changes, LoggedSection, Moved, Ranked, Run, changes_of, result_id
from goldpan_local.saved.running import SavedSearch

NONE_SAVED = "No search is saved. `goldpan search QUESTION --save NAME` saves one.\n"
COLUMNS = ("source", "strategy", "query as sent", "status", "available", "fetched", "kept")


def render_saved(rows: Sequence[tuple[str, Sequence[Run], str]]) -> str:
    """Render the list of the saved searches: the name, the runs and the question of each."""
    if not rows:
        return NONE_SAVED
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(justify="right")
    table.add_column(no_wrap=True)
    table.add_row("Name", "Runs", "Last run (UTC)", "Question", style="bold dim")
    for name, runs, query in rows:
        last = f"{runs[-1].at:%Y-%m-%d %H:%M}" if runs else "-"
        table.add_row(Text(name, "bold cyan"), str(len(runs)), last, Text(plain(query)))
    return render(lambda _width: [table])


def render_change_table(changes: Changes, answer: Answer) -> str:
    """Render what changed: the new results with their reasons, then those that are gone or moved."""
    return render(lambda _width: _change_lines(changes, answer))


def headline(changes: Changes) -> str:
    """Count the changes in one line."""
    since = f"since {changes.since:%Y-%m-%d %H:%M} UTC" if changes.since else "in the first run"
    return f"{len(changes.new)} new, {len(changes.gone)} gone, {len(changes.moved)} moved {since}"


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
    for title, entries in changes.groups().items():
        yield from (Text(), Text(title, "bold underline")) if entries else ()
        for entry in entries:
            if entry in changes.new:
                yield _new(entry, results[entry.kind, entry.result.id])
            else:
                was = f" (was {entry.was})" if isinstance(entry, Moved) else ""
                yield Text(f"{entry.rank:>3}  {plain(entry.named)}{was}")
    yield Text()
    if line := failure_line(changes):
        yield labelled("!", plain(line), "red")
    yield from warning_lines(answer)


def _new(entry: Ranked, result: RankedResult) -> RenderableType:
    lines = Table.grid()
    lines.add_row(Text.assemble(f"{entry.rank:>3}  ", (plain(entry.named), "bold cyan"), f"  {result.relevance:.2f}"))
    lines.add_row(Padding(labelled("why", plain(result.reasoning), "dim"), (0, 0, 0, INDENT + 1)))
    return lines


def render_report(name: str, search: SavedSearch, runs: Sequence[Run]) -> str:
    """Render the report: the question, then each run, oldest first."""
    return "\n".join(_report(name, search, runs)) + "\n"


def render_changes(changes: Changes) -> str:
    """Render what changed in one run."""
    lines = [f"# {changes.name}", "", f"{headline(changes)}.", ""]
    for title, entries in changes.groups().items():
        lines += _listed(title, [_entry(entry) for entry in entries])
    failure = failure_line(changes)
    return "\n".join([*lines, *([escape_markdown(failure), ""] if failure else [])])


def _report(name: str, search: SavedSearch, runs: Sequence[Run]) -> Iterator[str]:
    yield f"# Search report: {name}"
    yield ""
    yield f"- Question: {escape_markdown(str(search.request.get('query', '')))}"
    yield f"- Saved: {search.saved_at:%Y-%m-%d %H:%M} UTC"
    if search.catalogue:
        yield f"- Catalogue: {escape_markdown(str(search.catalogue))}"
    yield f"- Runs: {len(runs)}"
    yield ""
    for number, run in enumerate(runs, start=1):
        yield f"## Run {number}, {run.at:%Y-%m-%d %H:%M} UTC"
        yield ""
        yield from _run(name, run, runs[: number - 1])


def _run(name: str, run: Run, earlier: Sequence[Run]) -> Iterator[str]:
    yield f"goldpan {escape_markdown(run.goldpan)}, request: {_code(run.request)}"
    yield ""
    if run.error is not None:
        yield f"The run failed: {escape_markdown(run.error)}"
        yield ""
        return
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{'---|' * len(COLUMNS)}"
    for row in run.sources:
        said = row.status.replace("_", " ") + (f", cached {duration(row.age_s or 0)} ago" if row.cached else "")
        said += f" ({escape_markdown(row.detail)})" if row.detail else ""
        available = "-" if row.available is None else f"{row.available}"
        cells = (row.source, row.strategy, escape_markdown(row.query) or "-", said, available, row.fetched, row.kept)
        yield f"| {' | '.join(map(str, cells))} |"
    yield ""
    for kind, section in run.sections.items():
        yield from _section(kind, section)
    read = [f"{part.kind}: {escape_markdown(part.value)}" for part in run.decisions.read_as]
    yield from _listed("How the question was read", read, "###")
    remarks = [*run.decisions.warnings, *(f"{error.stage}: {error.error}" for error in run.decisions.errors)]
    yield from _listed("Remarks", list(map(escape_markdown, remarks)), "###")
    if earlier:
        yield f"Changes: {headline(changes_of(name, run, earlier))}."
        yield ""


def _section(kind: str, section: LoggedSection) -> Iterator[str]:
    counts = [
        f"records before deduplication: {section.before_deduplication}",
        f"after deduplication: {section.after_deduplication}",
        *(f"dropped by the rule {escape_markdown(rule)}: {count}" for rule, count in section.dropped.items()),
        f"shortlisted: {section.shortlisted}",
        f"results: {len(section.results)}",
        f"weaker matches: {section.weaker}",
    ]
    yield from _listed(presentation(kind).plural.capitalize(), counts, "###")
    for rank, result in enumerate(section.results, start=1):
        entry = Ranked(kind=kind, rank=rank, result=result)
        yield f"{_entry(entry)}, relevance {result.relevance:.2f} by {'a model' if result.basis == 'llm' else 'rules'}"
    yield ""


def _entry(entry: Ranked) -> str:
    was = f", was {entry.was}" if isinstance(entry, Moved) else ""
    return f"{entry.rank}. {escape_markdown(entry.named)}{was}"


def _listed(title: str, lines: Sequence[str], level: str = "##") -> list[str]:
    if not lines:
        return []
    numbered = lines[0][:1].isdigit()
    return [f"{level} {title}", "", *(line if numbered else f"- {line}" for line in lines), ""]


def _code(request: dict[str, JsonValue]) -> str:
    """Write the request as code; a backtick would end the code."""
    return f"`{json.dumps(request, ensure_ascii=True).replace('`', chr(92) + 'u0060')}`"
