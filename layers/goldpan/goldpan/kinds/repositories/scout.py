"""Scout: one strategy at one source becomes one batch of candidates, with its status."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import json_size, within_bytes
from goldpan.engine.stage_values import TaskFailure
from goldpan.engine.status_rows import STATUS_BYTES, StatusRows
from goldpan.errors import CallFailed
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories import likeness
from goldpan.kinds.repositories.models import KIND, Batch, Repository, RepositorySearch, ScoutTask, SearchParams
from goldpan.kinds.repositories.names import is_full_name
from goldpan.kinds.repositories.ports import Found, RepositorySource
from goldpan.kinds.repositories.relevance import matcher_of
from goldpan.kinds.repositories.searches import lookups, without_limits

MAX_KNOWN = 80
"""Candidates of a catalogue beside another source: twice as many as are enriched, and few enough to fit."""


def scout(task: ScoutTask, dependencies: Dependencies, deadline: Deadline) -> Batch:
    """Run the searches of a strategy and return its candidates, best first, as many as its allowance permits.

    A failed source becomes a status row, never an empty list that looks like an answer.
    """
    source: RepositorySource | None = dependencies.sources.get(task.source)
    rows = StatusRows(KIND, task.strategy, task.source)
    if source is None:
        return Batch(status=rows.row("skipped", f"{task.source} is not configured here"))
    try:
        found, task, found_as = _search(source, task, deadline)
    except CallFailed as failure:
        return Batch(status=rows.failed(failure))
    with CPU_LOCK:
        ordered = _best_first(found, task, dependencies.encoder)[: MAX_KNOWN if task.strategy == "known" else None]
        kept = within_bytes(((each, json_size(each)) for each in ordered), task.byte_allowance - STATUS_BYTES)
    return Batch(status=rows.found(found, len(ordered), len(kept)), candidates=kept, found_as=found_as)


def _search(source: RepositorySource, task: ScoutTask, deadline: Deadline) -> tuple[Found, ScoutTask, dict[str, str]]:
    """Run the searches; if one of them finds what the question wants something like, search by its facts too.

    What is named by its full name is looked up; the last value has the full names that were found for these.
    """
    found = source.look_up(task.names, deadline) if task.names else source.search(task.searches, deadline)
    found_as = _found_as(task.names, found) if task.names else {}
    if task.strategy == "stars" and not any(found.lists) and (wider := without_limits(task.searches, task.params)):
        found = found.joined(source.search(wider, deadline))
    if not task.names and not task.further_searches:
        return found, task, found_as
    try:
        liked, liked_as = _find_likes(source, task.params, lookups(task.params) if task.names else (), deadline)
        found, found_as = found.joined(liked), {**liked_as, **found_as}
        if task.further_searches:
            asked = likeness.with_found_names(task.params, liked_as)
            params = likeness.with_liked(asked, likeness.find_liked(chain.from_iterable(found.lists), asked))
            task = task.model_copy(update={"params": params})
            derived = likeness.derived_searches(params, source, task.further_searches)
            found = found.joined(source.search(derived, deadline)) if derived else found
    except CallFailed as failure:  # what the first searches found is kept, and the row says what failed
        if not found_as and likeness.reference_repository(task.params.question):  # without its facts that is nothing
            raise
        found = replace(found, failures=(*found.failures, str(failure)))
    return found, task, found_as


def _find_likes(
    source: RepositorySource, params: SearchParams, searches: Sequence[RepositorySearch], deadline: Deadline
) -> tuple[Found, dict[str, str]]:
    """Look up what the question names by its full name, and search for it; the second value is that of `_found_as`."""
    names = tuple(name for name in params.likes if is_full_name(name))
    named = source.look_up(names, deadline) if names else Found((), 0)
    found = named.joined(source.search(searches, deadline)) if searches else named
    return found, _found_as(names, named)


def _found_as(names: Sequence[str], found: Found) -> dict[str, str]:
    return {name: listed[0].full_name for name, listed in zip(names, found.lists, strict=True) if listed}


def failed_batch(task: ScoutTask, failure: TaskFailure) -> Batch:
    """Make the batch of a scout task that has no result."""
    return Batch(status=StatusRows(KIND, task.strategy, task.source).lost(failure))


def unique_candidates(batches: Iterable[Batch]) -> tuple[Repository, ...]:
    """Return each repository of the batches once, whatever the case of its name."""
    return tuple({item.full_name.lower(): item for batch in batches for item in batch.candidates}.values())


def _best_first(found: Found, task: ScoutTask, encoder: Encoder | None) -> tuple[Repository, ...]:
    """Return each repository once, by relevance; equal ones in the order of the source, and named ones in theirs."""
    if task.names:
        return tuple(chain.from_iterable(found.lists))
    matcher = matcher_of(task.params, encoder)
    by_rank = (item for item in chain.from_iterable(zip_longest(*found.lists)) if item is not None)
    ordered = list({repository.full_name.lower(): repository for repository in by_rank}.values())
    matches = zip(ordered, matcher.match(ordered), strict=True)
    return tuple(repository for repository, _ in sorted(matches, key=lambda pair: -pair[1].relevance))
