"""A saved search for readers: its log as a report for the appendix of a review, and the changes of a run."""

import json
from collections.abc import Iterator, Sequence

from goldpan.contracts import SourceStatus
from goldpan.escaping import escape_markdown
from goldpan.kinds.answer import Answer

from goldpan_local.formats.notes import bullet_list, error_lines, markdown, table
from goldpan_local.formats.values import duration
from goldpan_local.presentations import presentation
from goldpan_local.saved.log import Changes, LoggedSection, Ranked, Run, changes_of
from goldpan_local.saved.running import SavedSearch

NONE_SAVED = "No search is saved. `goldpan search QUESTION --save NAME` saves one."
COLUMNS = ("source", "strategy", "query as sent", "status", "available", "fetched", "kept")


def render_saved(rows: Sequence[tuple[str, SavedSearch, Sequence[Run]]]) -> str:
    """Render the list of the saved searches: the name, the runs and the question of each."""
    if not rows:
        return NONE_SAVED
    cells = [
        (name, str(len(runs)), f"{runs[-1].at:%Y-%m-%d %H:%M}" if runs else "-", escape_markdown(search.question))
        for name, search, runs in rows
    ]
    return table(("name", "runs", "last run (UTC)", "question"), cells)


def _headline(changes: Changes) -> str:
    since = f"since {changes.since:%Y-%m-%d %H:%M} UTC" if changes.since else "in the first run"
    return f"{len(changes.new)} new, {len(changes.gone)} gone {since}"


def render_changes(changes: Changes, answer: Answer) -> str:
    """Render what is new in a run, with the reasons, then what is gone, and the sources that failed."""
    new = [(each, f", relevance {each.result.relevance:.2f}: {each.result.reasoning}") for each in changes.new]
    failed = dict.fromkeys(f"{row.source} ({row.status.replace('_', ' ')})" for row in changes.failed_sources)
    old = dict.fromkeys(f"{row.source} (cached {duration(row.age_s or 0)} ago)" for row in changes.old_sources)
    said = [f"No answer from {', '.join(failed)}: results that are gone may only be missing."] if failed else []
    said += [f"Read from the cache after a failure: {', '.join(old)}; new results may be missing."] if old else []
    blocks = [
        f"**{changes.name}**: {_headline(changes)}",
        *bullet_list("New", [_line(*row) for row in new]),
        *bullet_list("Gone, with the former rank", [_line(each) for each in changes.gone]),
        escape_markdown(" ".join(said)),
        *bullet_list("Warnings", [escape_markdown(line) for line in (*answer.warnings, *error_lines(answer))]),
    ]
    return markdown(blocks)


def _line(entry: Ranked, further: str = "") -> str:
    return f"{entry.rank}: {escape_markdown(f'{entry.named}{further}')}"


def render_report(name: str, search: SavedSearch, runs: Sequence[Run]) -> str:
    """Render the report: the question, then each run, oldest first."""
    facts = {
        "Question": search.question,
        "Saved": f"{search.saved_at:%Y-%m-%d %H:%M} UTC",
        "Catalogue": str(search.catalogue or ""),
        "Runs": str(len(runs)),
    }
    known = "\n".join(f"- {label}: {escape_markdown(fact)}" for label, fact in facts.items() if fact)
    blocks = [f"# Search report: {name}", known]
    for number, run in enumerate(runs, start=1):
        blocks += [f"## Run {number}, {run.at:%Y-%m-%d %H:%M} UTC", *_run(name, run, runs[: number - 1])]
    return markdown(blocks)


def _run(name: str, run: Run, earlier: Sequence[Run]) -> Iterator[str]:
    request = json.dumps(run.request, ensure_ascii=True).replace("`", r"\u0060")  # a backtick would end the code
    yield f"goldpan {escape_markdown(run.goldpan)}, request: `{request}`"
    if run.error is not None:
        yield f"The run failed: {escape_markdown(run.error)}"
        return
    yield table(COLUMNS, map(_source, run.sources))
    for kind, section in run.sections.items():
        yield from _section(kind, section)
    read = [f"{part.kind}: {escape_markdown(part.value)}" for part in run.decisions.read_as]
    yield from bullet_list("How the question was read", read, heading="###")
    remarks = [*run.decisions.warnings, *(f"{error.stage}: {error.error}" for error in run.decisions.errors)]
    yield from bullet_list("Remarks", [escape_markdown(remark) for remark in remarks], heading="###")
    if earlier:
        yield f"Changes: {_headline(changes_of(name, run, earlier))}."


def _source(row: SourceStatus) -> tuple[str, ...]:
    said = row.status.replace("_", " ") + (f", cached {duration(row.age_s or 0)} ago" if row.cached else "")
    said += f" ({escape_markdown(row.detail)})" if row.detail else ""
    available = "-" if row.available is None else str(row.available)
    return row.source, row.strategy, escape_markdown(row.query) or "-", said, available, str(row.fetched), str(row.kept)


def _section(kind: str, section: LoggedSection) -> Iterator[str]:
    counts = {
        "records before deduplication": section.before_deduplication,
        "after deduplication": section.after_deduplication,
        **{f"dropped by the rule {escape_markdown(rule)}": count for rule, count in section.dropped.items()},
        "shortlisted": section.shortlisted,
        "results": len(section.results),
        "weaker matches": section.weaker,
    }
    counted = [f"{what}: {count}" for what, count in counts.items()]
    yield from bullet_list(presentation(kind).plural.capitalize(), counted, heading="###")
    yield "\n".join(
        f"{entry.rank}. {escape_markdown(entry.named)}, relevance {entry.result.relevance:.2f} by "
        f"{'a model' if entry.result.basis == 'llm' else 'rules'}"
        for entry in section.ranked(kind)
    )
