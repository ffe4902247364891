"""Shortlist: all batches become one list of scoring tasks, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, SourceStatus, Unit
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import json_size, task_budget, truncate_json
from goldpan.engine.status_rows import require_a_source
from goldpan.infra.encoder.port import Encoder
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.candidates import Candidate, coarse_filter, enrich, fuse, without_broken
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
from goldpan.kinds.repositories.looked_up import found_names, missing_errors, renamed_notes, require_found
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Shortlist, Translation
from goldpan.kinds.repositories.named_papers import NAMED_BYTES, named_papers
from goldpan.kinds.repositories.question.reading import Check, check
from goldpan.kinds.repositories.relevance import ABOVE_SHARE, Match, Matcher
from goldpan.kinds.repositories.repository_text import excerpt

MAX_EVIDENCE, EVIDENCE_BYTES = 8, 120
MAX_UNVERIFIED, MAX_MENTIONS, NAME_BYTES = 6, 3, 60
MAX_RETRIES = 3
TASK_OVERHEAD_BYTES = 2048
"""Kept free in a scoring task for all fields but its repository."""
AGREEMENT_WEIGHT = 0.1
"""The share of the strategies' agreement in the rules-only relevance."""


@dataclass(frozen=True)
class _RelevantCandidate:
    """A candidate, its rules-only relevance, and the words that earned it."""

    candidate: Candidate
    relevance: Unit
    evidence: tuple[str, ...]


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
    rows = tuple(batch.status for batch in batches)
    require_a_source(rows)
    if request.compare:
        return _compared(batches, translation, request, dependencies, deadline)
    config, now = request.config, dependencies.clock.now()
    merged = fuse(batches, config.strategy_weights.model_dump())
    params, subjects, notes = _with_likes(translation.params, merged, batches, request)
    broken_rule = coarse_filter(config.coarse_filter, params.constraints, now)
    dropped: Counter[str] = Counter()
    allowed = without_broken(subjects, broken_rule, dropped)
    unique = without_copies(allowed, dependencies.encoder)
    dropped["copy"] += len(allowed) - len(unique)
    ranked = _by_relevance(unique, params, dependencies.encoder)[: config.max_candidates]
    enriched, errors = enrich([fit.candidate for fit in ranked[: config.max_enriched]], dependencies, deadline)
    ordered = _by_relevance(without_broken(enriched, broken_rule, dropped), params, dependencies.encoder)
    chosen = _checked(ordered, params.constraints, now.date())[: config.shortlist_size]
    tasks = _tasks(_with_close_words(chosen, params, dependencies.encoder), translation, request)
    return Shortlist(
        tasks=tasks,
        total_candidates=len(subjects),
        sources=rows,
        dropped=dict(+dropped),
        warnings=(*_notices(rows, dependencies), *notes, *_omitted(len(chosen) - len(tasks))),
        errors=errors,
    )


def _compared(
    batches: Sequence[Batch],
    translation: Translation,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> Shortlist:
    """Make the tasks of exactly the repositories that a comparison names: by relevance, else in the order given."""
    rows, found_as, now = tuple(batch.status for batch in batches), found_names(batches), dependencies.clock.now()
    merged = fuse(batches, request.config.strategy_weights.model_dump())
    by_name = {candidate.repository.full_name: candidate for candidate in merged}
    named = dict.fromkeys(found_as[name] for name in request.compare if name in found_as)
    candidates, errors = enrich([by_name[name] for name in named if name in by_name], dependencies, deadline)
    params = translation.params
    if request.has_question:
        fits = _by_relevance(candidates, params, dependencies.encoder)
    else:
        fits = [_RelevantCandidate(candidate, 1.0, ()) for candidate in candidates]
    chosen = _checked(fits, params.constraints, now.date())
    if request.has_question:
        chosen = _with_close_words(chosen, params, dependencies.encoder)
    return Shortlist(
        tasks=_tasks(chosen, translation, request),
        total_candidates=len(merged),
        sources=rows,
        warnings=(*_notices(rows, dependencies), *renamed_notes(found_as)),
        errors=(*missing_errors(request.compare, found_as, rows, now), *errors),
    )


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


def _notices(rows: Iterable[SourceStatus], dependencies: Dependencies) -> tuple[str, ...]:
    """Return the notices of the sources that contributed candidates."""
    used = dict.fromkeys(row.source for row in rows if row.kept)
    return tuple(notice for name in used if (notice := dependencies.sources[name].notice))


def _by_relevance(
    candidates: Iterable[Candidate], params: SearchParams, encoder: Encoder | None
) -> list[_RelevantCandidate]:
    """Sort by relevance: the match of the words, and a little for the agreement of the strategies."""
    listed = list(candidates)
    with CPU_LOCK:
        matcher = Matcher(params, encoder)
        matches = matcher.match([candidate.repository for candidate in listed])
        return sorted(map(_with_relevance, listed, matches), key=_order)


def _with_close_words(
    chosen: Sequence[tuple[_RelevantCandidate, Check]], params: SearchParams, encoder: Encoder | None
) -> list[tuple[_RelevantCandidate, Check]]:
    """Add the words that are close in meaning to those of the question to the evidence."""
    matcher = Matcher(params, encoder)
    return [
        (replace(fit, evidence=(*fit.evidence, *matcher.closest_words(fit.candidate.repository))), checked)
        for fit, checked in chosen
    ]


def _checked(
    fits: Iterable[_RelevantCandidate], constraints: Constraints, today: date
) -> list[tuple[_RelevantCandidate, Check]]:
    """Put what meets every constraint for certain before what is unverified, unless it is far less relevant."""
    checked = [(fit, check(fit.candidate.repository, constraints, today)) for fit in fits]
    best = max((fit.relevance for fit, found in checked if found.unverified), default=0.0)

    def place(pair: tuple[_RelevantCandidate, Check]) -> int:
        fit, found = pair
        return 1 if found.unverified else 0 if fit.relevance >= ABOVE_SHARE * best else 2

    return sorted(checked, key=place)


def _with_relevance(candidate: Candidate, match: Match) -> _RelevantCandidate:
    relevance = (1 - AGREEMENT_WEIGHT) * match.relevance + AGREEMENT_WEIGHT * candidate.agreement
    return _RelevantCandidate(candidate, round(relevance, 4), match.evidence)


def _order(fit: _RelevantCandidate) -> tuple[float, int, str]:
    repository = fit.candidate.repository
    return (-fit.relevance, -(repository.stars or 0), repository.full_name.lower())


def _tasks(
    chosen: Sequence[tuple[_RelevantCandidate, Check]], translation: Translation, request: SearchRequest
) -> tuple[ScoreTask, ...]:
    """Make the scoring tasks; a README is truncated to what the model will be shown, and the task to its budget."""
    config = request.config
    allowance = task_budget(translation, config.shortlist_size)
    if not request.has_question:
        translation = translation.model_copy(update={"scoring_calls": 0})
    is_linked = len(request.kinds) > 1
    overhead = TASK_OVERHEAD_BYTES + (NAMED_BYTES if is_linked else 0)
    tasks = [_task(fit, found, config, allowance - overhead) for fit, found in chosen]
    if not request.has_question:
        tasks = [task.model_copy(update={"asked": False}) for task in tasks]
    if is_linked:
        pairs = zip(tasks, chosen, strict=True)
        tasks = [task.model_copy(update={"papers": named_papers(fit.candidate.repository)}) for task, (fit, _) in pairs]
    carried = [task for task in tasks if json_size(task) <= allowance]  # a name alone may exceed the budget
    return tuple(
        task.model_copy(update=_calls(place, len(carried), translation.scoring_calls))
        for place, task in enumerate(carried)
    )


def _calls(place: int, tasks: int, allowed: int) -> dict[str, object]:
    """Divide the calls among the tasks, best first: one each, then what is left for retries."""
    rounds = len(range(place, allowed, tasks))
    return {"ask_llm": rounds > 0, "retries": min(MAX_RETRIES, max(0, rounds - 1))}


def _omitted(count: int) -> tuple[str, ...]:
    return (f"{count} candidates were left out: their names alone were too long to carry.",) if count else ()


def _task(fit: _RelevantCandidate, found: Check, config: PipelineConfig, allowance: int) -> ScoreTask:
    return ScoreTask(
        id=fit.candidate.repository.full_name,
        repository=_truncated(_excerpted(fit.candidate.repository, config), allowance),
        relevance=fit.relevance,
        evidence=tuple(truncate_json(word, EVIDENCE_BYTES) for word in fit.evidence[:MAX_EVIDENCE]),
        found_by=fit.candidate.found_by,
        unverified=tuple(truncate_json(name, NAME_BYTES) for name in found.unverified[:MAX_UNVERIFIED]),
        mentions=tuple(truncate_json(term, NAME_BYTES) for term in found.mentioned[:MAX_MENTIONS]),
        violated=tuple(truncate_json(name, NAME_BYTES) for name in found.violated[:MAX_UNVERIFIED]),
    )


def _excerpted(repository: Repository, config: PipelineConfig) -> Repository:
    return repository.model_copy(update={"readme": excerpt(repository.readme, config.readme_chars)})


def _truncated(repository: Repository, allowance: int) -> Repository:
    """Truncate a repository to its budget: README first, then file list, topics, description and homepage."""
    for field in ("readme", "curator_text", "tree", "topics", "description"):
        while json_size(repository) > allowance and getattr(repository, field):
            value = getattr(repository, field)
            repository = repository.model_copy(update={field: value[: len(value) // 2]})
    too_large = json_size(repository) > allowance
    return repository.model_copy(update={"homepage": None}) if too_large else repository
