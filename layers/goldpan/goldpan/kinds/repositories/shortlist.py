"""Shortlist: all batches become one list of scoring tasks, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from goldpan.contracts import FAILED_STATUSES, SearchRequest, SourceStatus, StageError, Unit
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import json_size, task_budget, truncate_json
from goldpan.engine.status_rows import require_a_source
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.candidates import (
    Candidate,
    answered_weights,
    answering_source,
    coarse_filter,
    enrich,
    fuse,
    only_idle,
    without_broken,
)
from goldpan.kinds.repositories.constraint_checks import Check, check
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.copies import without_copies
from goldpan.kinds.repositories.likeness import (
    find_liked,
    has_name,
    likeness_note,
    sought_after,
    with_found_names,
    with_liked,
)
from goldpan.kinds.repositories.looked_up import (
    asks,
    found_names,
    missing_errors,
    named_repositories,
    renamed_notes,
    require_found,
)
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Shortlist, Translation
from goldpan.kinds.repositories.named_papers import NAMED_BYTES, named_papers
from goldpan.kinds.repositories.readme import excerpt
from goldpan.kinds.repositories.relevance import ABOVE_SHARE, Match, Matcher

MAX_EVIDENCE, EVIDENCE_BYTES = 8, 120
MAX_UNVERIFIED, MAX_MENTIONS, MAX_MISSING, NAME_BYTES = 6, 3, 3, 60
MAX_RETRIES = 3
TASK_OVERHEAD_BYTES = 2304
"""Kept free in a scoring task for all fields but its repository."""
UNCHECKED = Check()
FAR_AHEAD_SHARE = 0.5
"""Of what the best other candidate misses to a relevance of 1: what misses less stays, whatever its last push."""


@dataclass(frozen=True)
class _Selection:
    """The candidates that are left, with all facts, and what is known of the others."""

    candidates: list[Candidate]
    params: SearchParams
    total: int
    errors: tuple[StageError, ...]
    notes: tuple[str, ...]
    dropped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Ranked:
    """A candidate, its rules-only relevance, the words that earned it, and how it meets the constraints."""

    candidate: Candidate
    relevance: Unit = 1.0
    evidence: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    found: Check = UNCHECKED


def shortlist(
    batches: Sequence[Batch],
    translation: Translation,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> Shortlist:
    """Merge the batches, apply the coarse rules, enrich the best candidates, and keep the most relevant.

    Raises `SourcesFailed` if no source answered, `SourcesLimited` if every source is over its limit, and
    `InvalidRequest` if none of the named sources is configured.
    """
    rows, today = tuple(batch.status for batch in batches), dependencies.clock.now().date()
    require_a_source(rows)
    select = _select_named if named_repositories(request) else _select
    chosen = select(batches, translation.params, request, dependencies, deadline)
    constraints, encoder = translation.params.constraints, dependencies.encoder
    if asks(request):
        ordered = _by_relevance(chosen.candidates, chosen.params, encoder)
        certain_first = _certain_first(ordered, constraints, today)
        most = len(ordered) if named_repositories(request) else request.config.shortlist_size
        ranked = _with_close_words(certain_first[:most], chosen.params, encoder)
    else:
        ranked = _certain_first([_Ranked(each) for each in chosen.candidates], constraints, today)
    tasks = _tasks(ranked, translation, request)
    return Shortlist(
        tasks=tasks,
        total_candidates=chosen.total,
        sources=rows,
        dropped=dict(+chosen.dropped),
        warnings=(*_notices(rows, dependencies), *chosen.notes, *_omitted(len(ranked) - len(tasks))),
        errors=chosen.errors,
    )


def _select(
    batches: Sequence[Batch],
    params: SearchParams,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> _Selection:
    """Select the most relevant candidates that break no rule, and fetch their facts."""
    config, now, encoder = request.config, dependencies.clock.now(), dependencies.encoder
    rows = [batch.status for batch in batches]
    merged = fuse(batches, answered_weights(rows, config.strategy_weights.model_dump()))
    params, subjects, notes = _with_likes(params, merged, batches, request)
    broken_rule = coarse_filter(config.coarse_filter, params.constraints, now)
    dropped: Counter[str] = Counter()
    allowed = without_broken(subjects, broken_rule, dropped)
    unique = without_copies(allowed, encoder)
    dropped["copy"] += len(allowed) - len(unique)
    ranked = _by_relevance(unique, params, encoder)
    idle = only_idle(subjects, config.coarse_filter, params.constraints, now)
    far_ahead = _far_ahead(_by_relevance(idle, params, encoder), ranked)
    dropped["pushed"] -= len(far_ahead)
    ordered = [*far_ahead, *(each.candidate for each in ranked)]
    most, source = min(config.max_candidates, config.max_enriched), answering_source(rows)
    enriched, errors = enrich(ordered[:most], source, dropped, dependencies, deadline)
    spare = [one for one in ordered[most:] if any(found.strategy != "known" for found in one.found_by)]
    broken_rule = coarse_filter(
        config.coarse_filter, params.constraints, now, {one.repository.full_name for one in far_ahead}
    )
    kept = without_broken([*enriched, *spare[: dropped["vanished"]]], broken_rule, dropped)
    return _Selection(kept, params, len(subjects), errors, notes, dropped)


def _far_ahead(idle: Sequence[_Ranked], others: Sequence[_Ranked]) -> list[Candidate]:
    """Return the best of what was not pushed of late, if it misses at most a share of what the best other one does."""
    missing = 1 - max((each.relevance for each in others), default=0.0)
    return [each.candidate for each in idle[:1] if 1 - each.relevance <= FAR_AHEAD_SHARE * missing]


def _select_named(
    batches: Sequence[Batch],
    params: SearchParams,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> _Selection:
    """Select exactly the repositories that a comparison names, in the order given."""
    rows = [batch.status for batch in batches]
    source, dropped = answering_source(rows), Counter[str]()
    answered = [batch for batch in batches if batch.status.source == source]
    found_as = found_names(answered)
    merged = fuse(answered, request.config.strategy_weights.model_dump())
    by_name = {candidate.repository.full_name: candidate for candidate in merged}
    named = dict.fromkeys(found_as[name] for name in named_repositories(request) if name in found_as)
    chosen = [by_name[name] for name in named if name in by_name]
    candidates, errors = enrich(chosen, source, dropped, dependencies, deadline)
    asked = [row for row in rows if row.source == source or row.status in FAILED_STATUSES]
    missing = missing_errors(named_repositories(request), found_as, asked, dependencies.clock.now())
    return _Selection(candidates, params, len(merged), (*missing, *errors), renamed_notes(found_as), dropped)


def _with_likes(
    params: SearchParams, merged: tuple[Candidate, ...], batches: Sequence[Batch], request: SearchRequest
) -> tuple[SearchParams, tuple[Candidate, ...], tuple[str, ...]]:
    """Make a subject of what the question wants something like, leave it out, and say what it was compared with.

    Raises `InvalidRequest` if the request names a repository that no source has.
    """
    if name := sought_after(request.query):
        require_found(name, batches)
    if not params.likes:
        return params, merged, ()
    found_as = found_names(batches)
    params = with_found_names(params, found_as)
    liked = find_liked((candidate.repository for candidate in merged), params)
    others = (one for one in merged if not any(has_name(one.repository, name) for name in params.likes))
    notes = (*renamed_notes(found_as), *(likeness_note(name, liked) for name in params.likes))
    return with_liked(params, liked), tuple(others), notes


def _notices(rows: Sequence[SourceStatus], dependencies: Dependencies) -> tuple[str, ...]:
    """Say whose facts the results have, if another source failed, and what that source says of itself."""
    source, first = answering_source(rows), rows[0]
    failed = (f"{first.source}: {first.detail}; asked the {source} instead.",) if first.source != source else ()
    notice = dependencies.sources[source].notice if any(row.kept for row in rows) else None
    return (*failed, notice) if notice else failed


def _by_relevance(candidates: Sequence[Candidate], params: SearchParams, encoder: Encoder | None) -> list[_Ranked]:
    """Sort by relevance, equal ones by the agreement of the strategies."""
    with CPU_LOCK:
        matches = Matcher(params, encoder).match([candidate.repository for candidate in candidates])
    return sorted(map(_ranked, candidates, matches), key=_sort_key)


def _ranked(candidate: Candidate, match: Match) -> _Ranked:
    return _Ranked(candidate, match.relevance, match.evidence)


def _sort_key(ranked: _Ranked) -> tuple[float, float, int, str]:
    repository = ranked.candidate.repository
    return (-ranked.relevance, -ranked.candidate.agreement, -(repository.stars or 0), repository.full_name.lower())


def _certain_first(ranked: Sequence[_Ranked], constraints: Constraints, today: date) -> list[_Ranked]:
    """Put what meets every constraint for certain before what is unverified, unless it is far less relevant."""
    checked = [replace(each, found=check(each.candidate.repository, constraints, today)) for each in ranked]
    best = max((each.relevance for each in checked if each.found.unverified), default=0.0)

    def group(each: _Ranked) -> int:
        return 1 if each.found.unverified else 0 if each.relevance >= ABOVE_SHARE * best else 2

    return sorted(checked, key=group)


def _with_close_words(ranked: Sequence[_Ranked], params: SearchParams, encoder: Encoder | None) -> list[_Ranked]:
    """Add to the evidence the words that are close in meaning to those of the question, and say what is missing."""
    matcher = Matcher(params, encoder)
    return [
        replace(
            each,
            evidence=(*each.evidence, *matcher.closest_words(each.candidate.repository)),
            missing=tuple(matcher.missing(each.candidate.repository)),
        )
        for each in ranked
    ]


def _tasks(ranked: Sequence[_Ranked], translation: Translation, request: SearchRequest) -> tuple[ScoreTask, ...]:
    """Make the scoring tasks, and divide the LLM calls among them: one each, then what is left for retries."""
    allowance = task_budget(translation, request.config.shortlist_size)
    tasks = [_task(each, request, allowance) for each in ranked]
    carried = [task for task in tasks if json_size(task) <= allowance]  # a name alone may exceed the budget
    calls = translation.scoring_calls if asks(request) else 0
    rounds = [len(range(place, calls, len(carried))) for place in range(len(carried))]
    return tuple(
        task.model_copy(update={"ask_llm": count > 0, "retries": min(MAX_RETRIES, max(0, count - 1))})
        for task, count in zip(carried, rounds, strict=True)
    )


def _omitted(count: int) -> tuple[str, ...]:
    return (f"{count} candidates were left out: their names alone were too long to carry.",) if count else ()


def _task(ranked: _Ranked, request: SearchRequest, allowance: int) -> ScoreTask:
    """Make a task; the README is truncated to what the model will be shown, and the repository to its budget."""
    repository, found, is_linked = ranked.candidate.repository, ranked.found, len(request.kinds) > 1
    shown = repository.model_copy(update={"readme": excerpt(repository.readme, request.config.readme_chars)})
    overhead = TASK_OVERHEAD_BYTES + (NAMED_BYTES if is_linked else 0)
    return ScoreTask(
        id=repository.full_name,
        repository=_truncated(shown, allowance - overhead),
        relevance=ranked.relevance,
        evidence=tuple(truncate_json(word, EVIDENCE_BYTES) for word in ranked.evidence[:MAX_EVIDENCE]),
        found_by=ranked.candidate.found_by,
        missing=tuple(truncate_json(term, NAME_BYTES) for term in ranked.missing[:MAX_MISSING]),
        unverified=tuple(truncate_json(name, NAME_BYTES) for name in found.unverified[:MAX_UNVERIFIED]),
        mentions=tuple(truncate_json(term, NAME_BYTES) for term in found.mentioned[:MAX_MENTIONS]),
        violated=tuple(truncate_json(name, NAME_BYTES) for name in found.violated[:MAX_UNVERIFIED]),
        asked=asks(request),
        papers=named_papers(repository) if is_linked else {},
    )


def _truncated(repository: Repository, allowance: int) -> Repository:
    """Truncate a repository to its budget: README first, then file list, topics, description and homepage."""
    for field_name in ("readme", "curator_text", "tree", "topics", "description"):
        while json_size(repository) > allowance and (value := getattr(repository, field_name)):
            repository = repository.model_copy(update={field_name: value[: len(value) // 2]})
    too_large = json_size(repository) > allowance
    return repository.model_copy(update={"homepage": None}) if too_large else repository
