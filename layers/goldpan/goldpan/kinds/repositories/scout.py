"""Scout: one strategy at one source becomes one batch of candidates, with its status."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, zip_longest

from goldpan.contracts import SourceStatus, Status
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.kind import TaskFailure, json_size
from goldpan.errors import CallFailed, RateLimited
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.likeness import derived_searches, find_liked, with_liked
from goldpan.kinds.repositories.models import KIND, Batch, Repository, ScoutTask
from goldpan.kinds.repositories.ports import Found, RepositorySource
from goldpan.kinds.repositories.relevance import Matcher

SEPARATOR_BYTES = 2
STATUS_BYTES = 4096
"""Kept free in a batch for its status row, whose texts are truncated to fit."""
MAX_QUERY_CHARS, MAX_DETAIL_CHARS = 600, 300
FAILURE_DETAILS: dict[str, tuple[Status, str]] = {
    "timeout": ("timeout", "no answer before the deadline of the stage"),
    "not_started": ("timeout", "no answer before the deadline of the stage"),
    "lost": ("unavailable", "the function that queries this source did not answer"),
}


def scout(task: ScoutTask, dependencies: Dependencies, deadline: Deadline) -> Batch:
    """Run the searches of a strategy and return its candidates, best first, as many as its allowance permits.

    A failed source becomes a status row, never an empty list that looks like an answer.
    """
    source: RepositorySource | None = dependencies.sources.get(task.source)
    if source is None:
        return _failed(task, "skipped", f"{task.source} is not configured here")
    try:
        found, task = _search(source, task, dependencies, deadline)
    except RateLimited as limit:
        return _failed(task, limit.status, str(limit), limit)
    except CallFailed as failure:
        return _failed(task, failure.status, str(failure))
    with CPU_LOCK:
        ordered = _best_first(found, task, dependencies.encoder)
        kept = _within_allowance(ordered, task.byte_allowance - STATUS_BYTES)
    return Batch(status=_status(task, found, len(ordered), len(kept)), candidates=kept)


def _search(
    source: RepositorySource, task: ScoutTask, dependencies: Dependencies, deadline: Deadline
) -> tuple[Found, ScoutTask]:
    """Run the searches; if one of them finds what the question wants something like, search by its facts too."""
    found = source.search(task.searches, deadline)
    if not task.further_searches:
        return found, task
    params = with_liked(task.params, find_liked(chain.from_iterable(found.lists), task.params))
    shares = dependencies.encoder.shares(params.meaning) if dependencies.encoder else {}
    derived = derived_searches(params, source.matches, shares, task.further_searches)
    try:
        found = found.joined(source.search(derived, deadline)) if derived else found
    except CallFailed as failure:  # what the first searches found is kept, and the row says what failed
        found = replace(found, failures=(*found.failures, str(failure)))
    return found, task.model_copy(update={"params": params})


def failed_batch(task: ScoutTask, failure: TaskFailure) -> Batch:
    """Make the batch of a scout task that has no result."""
    status, detail = FAILURE_DETAILS[failure.failure]
    return _failed(task, status, detail)


def unique_candidates(batches: Iterable[Batch]) -> tuple[Repository, ...]:
    """Return each repository of the batches once, whatever the case of its name."""
    return tuple({item.full_name.lower(): item for batch in batches for item in batch.candidates}.values())


def _best_first(found: Found, task: ScoutTask, encoder: Encoder | None) -> tuple[Repository, ...]:
    """Return each repository once, by relevance; equal ones in the order of the source."""
    matcher = Matcher(task.params, encoder)
    by_rank = (item for item in chain.from_iterable(zip_longest(*found.lists)) if item is not None)
    unique = {repository.full_name.lower(): repository for repository in reversed(list(by_rank))}
    ordered = list(reversed(list(unique.values())))
    matches = zip(ordered, matcher.match(ordered), strict=True)
    return tuple(repository for repository, _ in sorted(matches, key=lambda pair: -pair[1].relevance))


def _within_allowance(candidates: Iterable[Repository], allowance: int) -> tuple[Repository, ...]:
    kept, size = [], 0
    for candidate in candidates:
        own = json_size(candidate) + SEPARATOR_BYTES
        if size + own <= allowance:
            size += own
            kept.append(candidate)
    return tuple(kept)


def _status(task: ScoutTask, found: Found, fetched: int, kept: int) -> SourceStatus:
    complete = not found.failures and not found.incomplete and kept == fetched
    details = [*found.failures, *found.notes]
    if found.incomplete:
        details.append("the source answered before it had searched everything")
    if kept < fetched:
        details.append(f"{fetched - kept} of {fetched} candidates were cut to fit")
    return _row(task, "truncated" if not complete else "ok" if fetched else "empty", "; ".join(details)).model_copy(
        update={
            "query": " | ".join(found.queries)[:MAX_QUERY_CHARS],
            "available": found.available,
            "fetched": fetched,
            "kept": kept,
            "cached": found.age_s is not None,
            "age_s": found.age_s,
        }
    )


def _row(task: ScoutTask, status: Status, detail: str) -> SourceStatus:
    return SourceStatus(
        kind=KIND,
        strategy=task.strategy,
        source=task.source,
        status=status,
        detail=detail[:MAX_DETAIL_CHARS],
    )


def _failed(task: ScoutTask, status: Status, detail: str, limit: RateLimited | None = None) -> Batch:
    row = _row(task, status, detail)
    return Batch(status=row.model_copy(update={"retry_at": limit.retry_at if limit else None}))
