"""Shortlist: all batches become one list of scoring tasks, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from goldpan.config import PipelineConfig
from goldpan.contracts import SearchRequest, SourceStatus, StageError, Unit
from goldpan.engine.deadlines import Deadline
from goldpan.engine.payload import cut, json_size, task_budget
from goldpan.errors import CallFailed, InvalidRequest, SourcesFailed, SourcesLimited
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories.coarse_filter import coarse_filter
from goldpan.kinds.repositories.fusion import Candidate, fuse
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Shortlist, Translation
from goldpan.kinds.repositories.ports import Dependencies
from goldpan.kinds.repositories.readme import excerpt
from goldpan.kinds.repositories.relevance import Match, Matcher

EVIDENCE, EVIDENCE_BYTES = 8, 120
MAX_COMPLAINTS = 8
FRAME_BYTES = 1536
"""Kept free in a scoring task for what is not the repository's."""
AGREEMENT_WEIGHT = 0.1
"""The share of the strategies' agreement in the rules-only relevance."""
FAILED = {"rate_limited", "timeout", "unavailable", "skipped"}


@dataclass(frozen=True)
class _Fit:
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
    """Merge the batches, drop what the coarse rules forbid, enrich the best, and keep the most relevant.

    Raises `SourcesFailed` where no source answered at all, `SourcesLimited` where each is over its limit, and
    `InvalidRequest` where none of those that were named is there to be asked.
    """
    rows = tuple(batch.status for batch in batches)
    _require_an_answer(rows)
    config, params = request.config, translation.params
    merged = fuse(batches, config.strategy_weights.model_dump())
    broken_rule = coarse_filter(config.coarse_filter, params.star_range, dependencies.clock.now())
    dropped: Counter[str] = Counter()
    allowed = _allowed(merged, broken_rule, dropped)[: config.max_candidates]
    fits = _by_relevance(allowed, params)
    enriched, errors = _enrich(fits[: config.max_enriched], dependencies, deadline)
    chosen = _by_relevance(_allowed(enriched, broken_rule, dropped), params)[: config.shortlist_size]
    tasks = _tasks(chosen, translation, config)
    return Shortlist(
        tasks=tasks,
        total_candidates=len(merged),
        sources=rows,
        dropped=dict(dropped),
        warnings=(*_notices(rows, dependencies), *_left_out(len(chosen) - len(tasks))),
        errors=errors,
    )


def _require_an_answer(rows: Iterable[SourceStatus]) -> None:
    failed = [row for row in rows if row.status in FAILED]
    if len(failed) < len(list(rows)):
        return
    if failed and all(row.status == "skipped" for row in failed):
        named = ", ".join(dict.fromkeys(row.source for row in failed))
        message = f"sources: {named} cannot be asked here; leave sources out for all that are configured"
        raise InvalidRequest(message)
    reasons = dict.fromkeys(f"{row.source}: {row.status} ({row.detail})" for row in failed)
    retry_at = min((row.retry_at for row in failed if row.retry_at), default=None)
    limited = bool(failed) and all(row.status == "rate_limited" for row in failed)
    ended = SourcesLimited if limited else SourcesFailed
    raise ended("; ".join(reasons) or "there is no source to ask", retry_at)


def _notices(rows: Iterable[SourceStatus], dependencies: Dependencies) -> tuple[str, ...]:
    """Tell what an answer from these sources has to say."""
    used = dict.fromkeys(row.source for row in rows if row.kept)
    return tuple(notice for name in used if (notice := dependencies.sources[name].notice))


def _allowed(
    candidates: Iterable[Candidate], broken_rule: Callable[[Repository], str | None], dropped: Counter[str]
) -> list[Candidate]:
    allowed = []
    for candidate in candidates:
        rule = broken_rule(candidate.repository)
        if rule is None:
            allowed.append(candidate)
        else:
            dropped[rule] += 1
    return allowed


def _by_relevance(candidates: Iterable[Candidate], params: SearchParams) -> list[_Fit]:
    """Put the most relevant first: fit of the words, and a little for the agreement of the strategies."""
    with CPU_LOCK:
        matcher = Matcher(params)
        return sorted((_fit(candidate, matcher.match(candidate.repository)) for candidate in candidates), key=_order)


def _fit(candidate: Candidate, match: Match) -> _Fit:
    relevance = (1 - AGREEMENT_WEIGHT) * match.relevance + AGREEMENT_WEIGHT * candidate.agreement
    return _Fit(candidate, round(relevance, 4), match.evidence)


def _order(fit: _Fit) -> tuple[float, int, str]:
    repository = fit.candidate.repository
    return (-fit.relevance, -(repository.stars or 0), repository.full_name.lower())


def _enrich(
    fits: Sequence[_Fit], dependencies: Dependencies, deadline: Deadline
) -> tuple[list[Candidate], tuple[StageError, ...]]:
    """Fetch the further facts from the source that found each; what fails stays as it was, and is said."""
    enriched = [fit.candidate for fit in fits]
    describe_validation_error: list[str] = []
    for source in dict.fromkeys(candidate.source for candidate in enriched):
        places = [place for place, candidate in enumerate(enriched) if candidate.source == source]
        try:
            result = dependencies.sources[source].enrich([enriched[place].repository for place in places], deadline)
        except CallFailed as failure:
            describe_validation_error.append(f"{source}: no further facts ({failure})")
            continue
        for place, repository in zip(places, result.repositories, strict=True):
            enriched[place] = replace(enriched[place], repository=repository)
        describe_validation_error += [f"{source}: {failure}" for failure in result.failures]
    now = dependencies.clock.now()
    told = list(dict.fromkeys(describe_validation_error))
    if len(told) > MAX_COMPLAINTS:
        told = [*told[:MAX_COMPLAINTS], f"and {len(told) - MAX_COMPLAINTS} more like these"]
    return enriched, tuple(StageError(stage="shortlist", error=text, timestamp=now) for text in told)


def _tasks(fits: Sequence[_Fit], translation: Translation, config: PipelineConfig) -> tuple[ScoreTask, ...]:
    """Make the scoring tasks; a README is cut here to what the model will be shown, and all to what may travel."""
    allowance = task_budget(translation, config.shortlist_size)
    tasks = [_task(fit, config, allowance - FRAME_BYTES) for fit in fits]
    carried = [task for task in tasks if json_size(task) <= allowance]  # what does not fit cut down is no repository
    return tuple(
        task.model_copy(update={"ask_llm": place < translation.scoring_calls}) for place, task in enumerate(carried)
    )


def _left_out(count: int) -> tuple[str, ...]:
    return (f"{count} candidates were left out: their names alone were too long to carry.",) if count else ()


def _task(fit: _Fit, config: PipelineConfig, allowance: int) -> ScoreTask:
    return ScoreTask(
        repository=_fitted(_excerpted(fit.candidate.repository, config), allowance),
        relevance=fit.relevance,
        evidence=tuple(cut(word, EVIDENCE_BYTES) for word in fit.evidence[:EVIDENCE]),
        found_by=fit.candidate.found_by,
    )


def _excerpted(repository: Repository, config: PipelineConfig) -> Repository:
    return repository.model_copy(update={"readme": excerpt(repository.readme, config.readme_chars)})


def _fitted(repository: Repository, allowance: int) -> Repository:
    """Cut a repository to its bytes: the README's end first, then the list of files, then the description's end."""
    for field in ("readme", "tree", "topics", "description"):
        while json_size(repository) > allowance and getattr(repository, field):
            value = getattr(repository, field)
            repository = repository.model_copy(update={field: value[: len(value) // 2]})
    return repository
