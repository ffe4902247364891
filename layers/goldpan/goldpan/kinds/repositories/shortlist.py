"""Shortlist: all batches become one list of scoring tasks, best first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import islice

from goldpan.config import StrategyWeights
from goldpan.contracts import FAILED_STATUSES, SearchRequest, SourceStatus, StageError
from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.ranking import NEAREST
from goldpan.engine.status_rows import require_a_source
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.repositories import candidates, likeness, looked_up
from goldpan.kinds.repositories.candidates import Candidate, broken_rules
from goldpan.kinds.repositories.constraint_checks import check
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import CATALOGUE, Batch, SearchParams, Shortlist, Translation
from goldpan.kinds.repositories.notices import broken_text
from goldpan.kinds.repositories.preferred_range import preferred_candidates_first
from goldpan.kinds.repositories.relevance import ABOVE_SHARE, Matcher, matcher_of
from goldpan.kinds.repositories.scoring_tasks import scoring_tasks


@dataclass(frozen=True)
class _Selection:
    """The candidates that are left, with all facts, the next best without, and what is known of those dropped."""

    candidates: list[Candidate]
    matcher: Matcher
    total: int
    errors: tuple[StageError, ...]
    notes: tuple[str, ...]
    dropped: Counter[str] = field(default_factory=Counter)
    others: list[Candidate] = field(default_factory=list)


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
    select = _select_named if looked_up.named_repositories(request) else _select
    chosen = select(batches, translation.params, request, dependencies, deadline)
    constraints, ranked = translation.params.constraints, chosen.candidates
    if looked_up.asks(request):
        parts = (_by_relevance(chosen.candidates, chosen.matcher), chosen.others)
        preferred = (preferred_candidates_first(part, constraints, today) for part in parts)
        checked = [each for part in preferred for each in _certain_first(part, constraints, today)]
        ranked = _with_close_words(checked[: request.config.max_candidates], chosen.matcher)
    tasks, further = scoring_tasks(ranked, translation, request)
    omitted = len(ranked) - len(tasks) - len(further)
    too_long = f"{counted(omitted, 'candidates')} left out: the names alone were too long to carry."
    return Shortlist(
        tasks=tasks,
        further=further,
        total_candidates=chosen.total,
        sources=rows,
        dropped=dict(+chosen.dropped),
        warnings=(*_notices(rows, dependencies), *chosen.notes, *([too_long] if omitted else ())),
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
    if name := likeness.reference_repository(request.query):
        looked_up.require_found(name, batches)
    fused = candidates.fuse(batches, config.strategy_weights.model_dump())
    merged = candidates.with_known_facts(fused, rows, dependencies, deadline)
    params, subjects, notes = _with_likes(params, merged, batches)
    rules, limits, dropped = config.coarse_filter, params.constraints, Counter[str]()
    broken = partial(broken_rules, rules=rules, constraints=limits, now=now)
    matcher = matcher_of(params, encoder)
    allowed = candidates.without_broken(subjects, broken, dropped)
    unique = candidates.without_copies(allowed)
    dropped["copy"] += len(allowed) - len(unique)
    ordered = preferred_candidates_first(_by_relevance(unique, matcher), limits, now.date())
    most, source = min(config.max_candidates, config.max_enriched), candidates.answering_source(rows)
    enriched, errors = candidates.enrich(ordered[:most], source, dropped, dependencies, deadline)
    present = {one.repository.full_name.lower() for one in enriched}
    rest = [one for one in ordered[most:] if one.repository.full_name.lower() not in present]
    others = [one for one in rest if source == CATALOGUE or any(found.strategy != "known" for found in one.found_by)]
    dropped["unconfirmed"] += len(rest) - len(others)
    kept = candidates.without_broken(_without_liked(enriched, params), broken, dropped)
    if not kept and not others:
        near = (each.repository for each in _by_relevance(subjects, matcher))
        first = ((each.full_name, rule) for each in near for rule in islice(broken(each), 1))
        notes += tuple(NEAREST.format(name, broken_text(rule, limits, rules)) for name, rule in islice(first, 1))
    return _Selection(kept, matcher, len(subjects), errors, notes, dropped, others)


def _select_named(
    batches: Sequence[Batch],
    params: SearchParams,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> _Selection:
    """Select exactly the repositories that a comparison names, in the order given."""
    rows = [batch.status for batch in batches]
    source, dropped = candidates.answering_source(rows), Counter[str]()
    answered = [batch for batch in batches if batch.status.source == source]
    found_as = looked_up.found_names(answered)
    merged = candidates.fuse(answered, request.config.strategy_weights.model_dump())
    by_name = {candidate.repository.full_name: candidate for candidate in merged}
    wanted = looked_up.named_repositories(request)
    named = dict.fromkeys(found_as[name] for name in wanted if name in found_as)
    found = [by_name[name] for name in named if name in by_name]
    chosen = candidates.with_known_facts(found, rows, dependencies, deadline)
    enriched, errors = candidates.enrich(chosen, source, dropped, dependencies, deadline)
    asked = [row for row in rows if row.source == source or row.status in FAILED_STATUSES]
    missing = (looked_up.not_found(name, asked) for name in wanted if name not in found_as)
    lost = (StageError(stage="scout", error=why, timestamp=dependencies.clock.now()) for why in missing)
    # what the question wants them like was looked up beside them
    params, *_ = _with_likes(params, candidates.fuse(batches, StrategyWeights().model_dump()), batches)
    others = () if request.compare else (looked_up.LOOKED_UP.format(name) for name in named)
    notes, matcher = (*looked_up.renamed_notes(found_as), *others), matcher_of(params, dependencies.encoder)
    return _Selection(enriched, matcher, len(chosen), (*lost, *errors), notes, dropped)


def _with_likes(
    params: SearchParams, merged: tuple[Candidate, ...], batches: Sequence[Batch]
) -> tuple[SearchParams, tuple[Candidate, ...], tuple[str, ...]]:
    """Make a subject of what the question wants something like, leave it out, and say what it was compared with."""
    if not params.likes:
        return params, merged, ()
    found_as = looked_up.found_names(batches)
    params = likeness.with_found_names(params, found_as)
    liked = likeness.find_liked((candidate.repository for candidate in merged), params)
    said = (likeness.likeness_note(name, liked, params) for name in params.likes)
    notes = (*looked_up.renamed_notes(found_as), *said)
    return likeness.with_liked(params, liked), _without_liked(merged, params), notes


def _without_liked(found: Iterable[Candidate], params: SearchParams) -> tuple[Candidate, ...]:
    """Leave out what the question wants something like; the names of today may show further ones."""
    return tuple(one for one in found if not any(likeness.has_name(one.repository, name) for name in params.likes))


def _notices(rows: Sequence[SourceStatus], dependencies: Dependencies) -> tuple[str, ...]:
    """Say whose facts the results have, if another source failed, and what that source says of itself."""
    source, first = candidates.answering_source(rows), rows[0]
    failed = (f"{first.source}: {first.detail}; asked the {source} instead.",) if first.source != source else ()
    notice = dependencies.sources[source].notice if any(row.kept for row in rows) else None
    return (*failed, notice) if notice else failed


def _by_relevance(found: Sequence[Candidate], matcher: Matcher) -> list[Candidate]:
    """Sort by relevance, equal ones by the agreement of the strategies."""
    with CPU_LOCK:
        matches = matcher.match([candidate.repository for candidate in found])
    ranked = (replace(one, relevance=m.relevance, evidence=m.evidence) for one, m in zip(found, matches, strict=True))
    return sorted(ranked, key=lambda each: (-each.relevance, *candidates.order(each)))


def _certain_first(ranked: Sequence[Candidate], constraints: Constraints, today: date) -> list[Candidate]:
    """Put what meets every constraint for certain before what is unverified, unless it is far less relevant."""
    checked = [replace(each, found=check(each.repository, constraints, today)) for each in ranked]
    best = max((each.relevance for each in checked if each.found.unverified), default=0.0)

    def group(each: Candidate) -> int:
        return 1 if each.found.unverified else 0 if each.relevance >= ABOVE_SHARE * best else 2

    return sorted(checked, key=group)


def _with_close_words(ranked: Sequence[Candidate], matcher: Matcher) -> list[Candidate]:
    """Add to the evidence the words that are close in meaning to those of the question, and say what is missing."""
    compared = ((each, *matcher.compare_words(each.repository)) for each in ranked)
    return [replace(each, evidence=(*each.evidence, *close), missing=tuple(gone)) for each, close, gone in compared]
