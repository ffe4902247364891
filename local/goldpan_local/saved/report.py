"""The log of a saved search as a search report in Markdown, for the appendix of a review, and the changes of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from goldpan.escaping import escape_markdown
from pydantic import JsonValue

from goldpan_local.formats.values import duration
from goldpan_local.presentations import presentation
from goldpan_local.saved.changes import Changes, Ranked, changes_of
from goldpan_local.saved.log import LoggedSection, Run
from goldpan_local.saved.running import SavedSearch
from goldpan_local.saved.tables import failure_line, headline, named

COLUMNS = ("source", "strategy", "query as sent", "status", "available", "fetched", "kept")


def render_report(name: str, search: SavedSearch, runs: Sequence[Run]) -> str:
    """Render the report: the question, then each run, oldest first."""
    return "\n".join(_report(name, search, runs)) + "\n"


def render_changes(changes: Changes) -> str:
    """Render what changed in one run."""
    lines = [f"# {changes.name}", "", f"{headline(changes)}.", ""]
    groups = {"New": changes.new, "Gone, with the former rank": changes.gone}
    for title, entries in groups.items():
        lines += _listed(title, [_entry(entry) for entry in entries])
    lines += _listed("Moved", [f"{_entry(entry)}, was {entry.was}" for entry in changes.moved])
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
    ]
    yield from _listed(presentation(kind).plural.capitalize(), counts, "###")
    for rank, result in enumerate(section.results, start=1):
        entry = Ranked(kind=kind, rank=rank, result=result)
        yield f"{_entry(entry)}, relevance {result.relevance:.2f} by {'a model' if result.basis == 'llm' else 'rules'}"
    yield ""


def _entry(entry: Ranked) -> str:
    return f"{entry.rank}. {escape_markdown(named(entry))}"


def _listed(title: str, lines: Sequence[str], level: str = "##") -> list[str]:
    if not lines:
        return []
    numbered = lines[0][:1].isdigit()
    return [f"{level} {title}", "", *(line if numbered else f"- {line}" for line in lines), ""]


def _code(request: dict[str, JsonValue]) -> str:
    """Write the request as code; a backtick would end the code."""
    return f"`{json.dumps(request, ensure_ascii=True).replace('`', chr(92) + 'u0060')}`"
