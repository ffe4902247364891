"""Scout: the queries of a search at one source become one batch of papers, with its status.

Free sources are asked once more for what the records of the best papers lack, by DOI, or without the constraints.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from goldpan.contracts import FAILED_STATUSES, SourceStatus, StageError
from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies, Sources
from goldpan.engine.payload import json_size, within_bytes
from goldpan.engine.stage_values import TaskFailure
from goldpan.engine.status_rows import STATUS_BYTES, StatusRows
from goldpan.errors import CallFailed
from goldpan.infra.threads import CPU_LOCK, run_parallel
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import KIND, LIBRARY, Batch, MergedPaper, Paper, ScoutTask, Translation
from goldpan.kinds.papers.ports import PaperSource, SearchResult
from goldpan.kinds.papers.query_builder import queries_like
from goldpan.kinds.papers.sizes import with_short_texts

WANTED = 40
"""As many papers of one source should fit; abstracts are truncated for that."""
ORDER = ("openalex", "europe_pmc", "semantic_scholar", "crossref")
"""Where papers are looked up: those that nearly always have an abstract come first."""
MAX_PAPERS, MAX_SOURCES = 20, 2
MIN_SHARE = 0.5
"""The share of the papers that must lack a field for a search without a language model to wait."""
RESERVE_SECONDS = 1.0
"""Left of the stage for what follows."""


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
            found = _search(source, task, deadline)
        except CallFailed as failure:
            return Batch(status=rows.failed(failure))
        if found.skipped:
            return Batch(status=rows.row("skipped", found.skipped))
        with CPU_LOCK:
            by_rank = filter(None, chain.from_iterable(zip_longest(*found.lists)))  # the first of each query come first
            ordered, allowance = without_repeats(by_rank), task.byte_allowance - STATUS_BYTES
            share = max(0, allowance) // max(1, min(WANTED, len(ordered)))
            short = (with_short_texts(paper, share) for paper in ordered)
            kept = within_bytes(((paper, json_size(paper)) for paper in short), allowance)
        if found.unread:
            found = replace(found, notes=(*found.notes, f"{counted(found.unread, 'records')} could not be read"))
        return Batch(status=rows.found(found, len(ordered), len(kept), "papers"), papers=kept)


def _search(source: PaperSource, task: ScoutTask, deadline: Deadline) -> SearchResult:
    """Run the queries of a task and, where they only name papers, those for what is like the papers found."""
    found = source.search(task.queries, task.constraints, deadline)
    titles = [paper.title for listed in found.lists for paper in listed] if task.is_like_ids else []
    queries = queries_like(titles, source.plan.queries)
    if not queries:
        return found
    try:
        like = source.search(queries, task.constraints, deadline)
    except CallFailed as failure:
        return replace(found, failures=(*found.failures, f"the search for what is like it failed: {failure}"))
    both = {name: getattr(found, name) + getattr(like, name) for name in ("lists", "queries", "failures", "unread")}
    return replace(like, **both, notes=tuple(dict.fromkeys((*found.notes, *like.notes))))


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


def look_up_missing(
    papers: Sequence[MergedPaper],
    rows: Sequence[SourceStatus],
    dependencies: Dependencies,
    deadline: Deadline,
    *,
    model_follows: bool,
) -> tuple[list[Paper], tuple[StageError, ...]]:
    """Look up the papers without abstract, venue or year by their DOI; returns what was found, and the failures.

    They take as long as the search at a source did, so that a search by rules alone would take twice as long: they are
    made if a language model scores the papers (`model_follows`), or if half of the papers lack something. A source is
    not asked for what it has found, which was all that it knows, nor if it failed in this search; at most
    `MAX_SOURCES` are asked, at once.
    """
    with_doi = ((each, each.paper) for each in papers if each.paper.ids.doi)
    lacking = [each for each, paper in with_doi if not (paper.abstract and paper.venue and paper.year)]
    until = deadline.before(RESERVE_SECONDS)
    if not until.left or (not model_follows and len(lacking) < MIN_SHARE * len(papers)):
        return [], ()
    calls = [
        (name, source, dois)
        for name, source in _sources(rows, dependencies)
        if (dois := [each.paper.ids.doi or "" for each in lacking[:MAX_PAPERS] if name not in each.sources])
    ][:MAX_SOURCES]
    found = run_parallel(calls, lambda call: _look_up(*call[1:], until), MAX_SOURCES, until)
    late = ((), "no further facts (no answer in time)")
    answers = {name: answer or late for (name, *_), answer in zip(calls, found, strict=True)}
    failures, now = (f"{name}: {why}" for name, (_, why) in answers.items() if why), dependencies.clock.now()
    errors = tuple(StageError(stage="shortlist", error=text, timestamp=now) for text in failures)
    return [paper for papers, _ in answers.values() for paper in papers], errors


def search_without_constraints(
    batches: Sequence[Batch], translation: Translation, dependencies: Dependencies, deadline: Deadline
) -> list[Batch]:
    """Return the batches with what the first free sources that answered find without the constraints, if anything."""
    names = [name for name, _ in _sources([batch.status for batch in batches], dependencies)][:MAX_SOURCES]
    limited = (task for task in translation.tasks if task.source in names and task.constraints != Constraints())
    lifted: list[ScoutTask] = []
    for task in limited:  # without the sentences, whose searches by meaning are paid for, and were made
        queries = tuple(query.model_copy(update={"sentence": ""}) for query in task.queries)
        lifted.append(task.model_copy(update={"constraints": Constraints(), "queries": queries}))
    until = deadline.before(RESERVE_SECONDS)
    found = run_parallel(lifted, lambda task: scout(task, dependencies, until), MAX_SOURCES, until)
    note = {"detail": "nothing met the constraints, so it was searched without them"}
    kept = [each for each in found if each and each.papers]
    wider = [each.model_copy(update={"status": each.status.model_copy(update=note)}) for each in kept]
    again = {each.status.source for each in wider}
    return [*wider, *(each for each in batches if each.status.source not in again)] if wider else []


def _sources(rows: Sequence[SourceStatus], dependencies: Dependencies) -> list[tuple[str, PaperSource]]:
    """Return the sources of this search that can be asked; what the request leaves out is not asked here either."""
    answered = {row.source for row in rows if row.status not in FAILED_STATUSES}
    able = {name: source for name in ORDER if name in answered and (source := dependencies.sources.get(name))}
    return [(name, source) for name, source in able.items() if source.plan.looks_up and source.plan.missing_key is None]


def _look_up(source: PaperSource, dois: Sequence[str], deadline: Deadline) -> tuple[Sequence[Paper], str]:
    """Return the papers that a source knows, and what failed."""
    try:
        found = source.look_up(dois, deadline)
    except CallFailed as failure:
        return (), f"no further facts ({failure})"
    return [paper for listed in found.lists for paper in listed], next(iter(found.failures), "")
