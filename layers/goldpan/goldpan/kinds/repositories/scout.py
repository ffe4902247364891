"""Scout: one strategy at one source becomes one batch of candidates, with its status."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest

from goldpan.contracts import SourceStatus, Status
from goldpan.engine.deadlines import Deadline
from goldpan.engine.payload import json_size
from goldpan.errors import CallFailed, RateLimited
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.models import Batch, Repository, ScoutTask
from goldpan.kinds.repositories.ports import Dependencies, Found
from goldpan.kinds.repositories.relevance import Matcher

SEPARATOR_BYTES = 2
STATUS_BYTES = 4096
"""Kept free in a batch for its status row, whose texts are cut to fit."""
QUERY_CHARS, DETAIL_CHARS = 600, 300


def scout(task: ScoutTask, dependencies: Dependencies, deadline: Deadline) -> Batch:
    """Run the searches of a strategy; its candidates come best first, as many as its allowance carries.

    A failed source becomes a status row, never an empty list that looks like an answer.
    """
    source = dependencies.sources.get(task.source)
    if source is None:
        return _failed(task, "skipped", f"{task.source} is not configured here")
    try:
        found = source.search(task.searches, deadline)
    except RateLimited as limit:
        return _failed(task, "rate_limited", str(limit), limit)
    except CallFailed as failure:
        return _failed(task, failure.status, str(failure))
    with CPU_LOCK:
        ordered = _best_first(found, task)
        kept = _cut(ordered, task.byte_allowance - STATUS_BYTES)
    return Batch(status=_status(task, found, len(ordered), len(kept)), candidates=kept)


def _best_first(found: Found, task: ScoutTask) -> tuple[Repository, ...]:
    """List each repository once: by fit to the question, ties in the source's own order."""
    matcher = Matcher(task.params)
    in_turn = (item for item in chain.from_iterable(zip_longest(*found.lists)) if item is not None)
    unique = {repository.full_name.lower(): repository for repository in reversed(list(in_turn))}
    ordered = list(reversed(list(unique.values())))
    return tuple(sorted(ordered, key=lambda repository: -matcher.match(repository).relevance))


def _cut(candidates: Iterable[Repository], allowance: int) -> tuple[Repository, ...]:
    kept, size = [], 0
    for candidate in candidates:
        own = json_size(candidate) + SEPARATOR_BYTES
        if size + own <= allowance:
            size += own
            kept.append(candidate)
    return tuple(kept)


def _status(task: ScoutTask, found: Found, fetched: int, kept: int) -> SourceStatus:
    whole = not found.failures and not found.incomplete and kept == fetched
    details = [*found.failures, *found.notes]
    if found.incomplete:
        details.append("the source answered before it had searched everything")
    if kept < fetched:
        details.append(f"{fetched - kept} of {fetched} candidates were cut to fit")
    return _row(task, "truncated" if not whole else "ok" if fetched else "empty", "; ".join(details)).model_copy(
        update={
            "query": " | ".join(found.queries)[:QUERY_CHARS],
            "available": found.available,
            "fetched": fetched,
            "kept": kept,
            "cached": found.age_s is not None,
            "age_s": found.age_s,
        }
    )


def _row(task: ScoutTask, status: Status, detail: str) -> SourceStatus:
    return SourceStatus(
        kind="repositories",
        strategy=task.strategy,
        source=task.source,
        status=status,
        detail=detail[:DETAIL_CHARS],
    )


def _failed(task: ScoutTask, status: Status, detail: str, limit: RateLimited | None = None) -> Batch:
    row = _row(task, status, detail)
    return Batch(status=row.model_copy(update={"retry_at": limit.retry_at if limit else None}))
