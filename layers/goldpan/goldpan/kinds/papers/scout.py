"""Scout: the queries of a search at one source become one batch of papers, with its status."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies, Sources
from goldpan.engine.payload import within_bytes
from goldpan.engine.stage_values import TaskFailure
from goldpan.engine.status_rows import STATUS_BYTES, StatusRows
from goldpan.errors import CallFailed
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.papers.models import KIND, LIBRARY, Batch, Paper, ScoutTask
from goldpan.kinds.papers.ports import PaperSource
from goldpan.kinds.papers.sizes import with_size

WANTED = 40
"""As many papers of one source should fit; abstracts are truncated for that, as far as `with_size` does."""


def scout(task: ScoutTask, dependencies: Dependencies, deadline: Deadline) -> Batch:
    """Run the queries of a task at its source; see `Searcher.search`."""
    return Searcher(dependencies.sources).search(task, deadline)


@dataclass(frozen=True)
class Searcher:
    """Searches the configured sources of papers, one task at a time; the tasks of a strategy run side by side."""

    sources: Sources

    def search(self, task: ScoutTask, deadline: Deadline) -> Batch:
        """Run the queries at a source and return its papers, best first, as many as its allowance permits.

        A failed source becomes a status row, never an empty list that looks like an answer. Raises `InvalidRequest` if
        the library of a project is to be searched that does not exist, and `CredentialRejected`.
        """
        rows, configured = StatusRows(KIND, task.strategy, task.source), self.sources.get(task.source)
        source: PaperSource | None = configured
        if configured is not None and task.project_id is not None:
            source = configured.of_project(task.project_id, task.strategy)
        if source is None:
            return Batch(status=rows.row("skipped", f"{task.source} is not configured here"))
        if task.source == LIBRARY and task.project_id is None:
            return Batch(status=rows.row("skipped", "project_id names no project"))
        if source.plan.missing_key:
            return Batch(status=rows.row("skipped", f"{source.plan.missing_key} is not set"))
        try:
            found = source.search(task.queries, task.constraints, deadline)
        except CallFailed as failure:
            return Batch(status=rows.failed(failure))
        if found.skipped:
            return Batch(status=rows.row("skipped", found.skipped))
        with CPU_LOCK:
            by_rank = filter(None, chain.from_iterable(zip_longest(*found.lists)))  # the first of each query come first
            ordered, allowance = without_repeats(by_rank), task.byte_allowance - STATUS_BYTES
            share = max(0, allowance) // max(1, min(WANTED, len(ordered)))
            kept = within_bytes((with_size(paper, share) for paper in ordered), allowance)
        if found.unread:
            found = replace(found, notes=(*found.notes, f"{counted(found.unread, 'records')} could not be read"))
        return Batch(status=rows.found(found, len(ordered), len(kept), "papers"), papers=kept)


def failed_batch(task: ScoutTask, failure: TaskFailure) -> Batch:
    """Make the batch of a scout task that has no result."""
    return Batch(status=StatusRows(KIND, task.strategy, task.source).lost(failure))


def without_repeats(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Keep the first of the records that share an identifier, so that a source has one vote for each paper."""
    kept, seen = list[Paper](), set[tuple[str, str]]()
    for paper in papers:
        ids = {(name, value) for name, value in vars(paper.ids).items() if isinstance(value, str)}
        ids = ids or {("title", f"{paper.title} {paper.year} {paper.authors}")}
        if not ids & seen:
            kept.append(paper)
        seen |= ids
    return tuple(kept)
