"""Shortlist: the batches of all sources become distinct papers, and the best of them scoring tasks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from goldpan.contracts import FoundBy, SearchRequest
from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import SEPARATOR_BYTES, task_budget
from goldpan.engine.ranking import NEAREST
from goldpan.engine.stage_values import Match
from goldpan.engine.status_rows import require_a_source
from goldpan.infra.threads import CPU_LOCK
from goldpan.kinds.checks import Check
from goldpan.kinds.papers.constraint_checks import UNVERIFIED_FACTOR, broken_text, check
from goldpan.kinds.papers.deduplication.clusters import JUDGED_SAME
from goldpan.kinds.papers.deduplication.deduplicator import Deduplicator
from goldpan.kinds.papers.deduplication.grouping import Deduplicated, Group, Key, Record, deduplicate
from goldpan.kinds.papers.models import Batch, Candidate, Paper, ScoreTask, Shortlist, Translation
from goldpan.kinds.papers.relevance import liked_ids, rank_by_rules
from goldpan.kinds.papers.scout import look_up_missing, search_without_constraints
from goldpan.kinds.papers.sizes import fitted

BATCH, MAX_BATCHES = 10, 3
"""Papers of one scoring task, and the tasks of a search: one call of the language model after the other."""
SHORTLIST = BATCH * MAX_BATCHES
MAX_RETRIES = 8
"""Calls that find one refused text among ten papers by halves."""
MAX_FOUND = 200
"""Papers of an answer; the rules alone score those after the shortlist."""
TASK_BYTES = 100
"""Between two candidates, and of the other fields of a task."""
LLM_RESERVE_SECONDS = 0.5
"""Left of the stage after the call for the undecided duplicates."""


@dataclass(frozen=True)
class _RankedGroup:
    """A distinct paper, and what the rules say of it."""

    group: Group
    match: Match


def shortlist(
    batches: Sequence[Batch],
    translation: Translation,
    request: SearchRequest,
    dependencies: Dependencies,
    deadline: Deadline,
) -> Shortlist:
    """Deduplicate the papers of all sources, drop what breaks a constraint, and keep the most relevant ones.

    Raises `SourcesFailed` if no source answered, `SourcesLimited` if every source is over its limit, and
    `InvalidRequest` if none of the named sources is configured.
    """
    rows = tuple(batch.status for batch in batches)
    require_a_source(rows)
    records = _records(batches)
    with CPU_LOCK:
        deduplicator = Deduplicator(records, dependencies.llm if translation.llm_calls_left else None, request.config)
        unique = deduplicator.by_rules()
        best, dropped = _filter_and_rank(unique.groups, translation, dependencies)
    if not best and (wider := search_without_constraints(batches, translation, dependencies, deadline)):
        once = translation.model_copy(update={"tasks": ()})
        return shortlist(wider, once, request, dependencies, deadline)
    near = {key for fit in best[: 2 * SHORTLIST] for key in fit.group.members}
    decided = deduplicator.decide(unique, near, deadline.before(LLM_RESERVE_SECONDS))
    left = translation.llm_calls_left - decided.usage.llm_calls
    chosen, others = _regroup(decided.deduplicated, best)
    papers = [group.merged for group in chosen]
    further, errors = look_up_missing(papers, rows, dependencies, deadline, model_follows=left > 0)
    with CPU_LOCK:  # what is rare among the best tells them apart better than what is rare among all
        completed = _with_further(chosen, records, further)
        again, also_dropped = _filter_and_rank(completed, translation, dependencies)
        best, dropped = again + others, dropped + also_dropped
        tasks = _tasks(best[:MAX_FOUND], translation, left)
    omitted = len(best[:MAX_FOUND]) - sum(len(task.candidates) for task in tasks)
    too_long = f"{counted(omitted, 'papers')} left out: the identifiers alone were too long to carry."
    return Shortlist(
        tasks=tasks[:MAX_BATCHES],
        further=tasks[MAX_BATCHES:],
        total_candidates=len(decided.deduplicated.groups),
        sources=rows,
        dropped=dict(dropped),
        usage=decided.usage,
        warnings=(
            *decided.warnings,
            *([too_long] if omitted else ()),
            *(() if best else _nearest(unique.groups, translation, dependencies)),
        ),
        errors=errors,
    )


def _records(batches: Sequence[Batch]) -> list[Record]:
    """Number the papers of each source by their rank there."""
    return [
        Record(f"{batch.status.strategy}:{place}", paper, (FoundBy(strategy=batch.status.strategy, rank=place),))
        for batch in batches
        for place, paper in enumerate(batch.papers, 1)
    ]


def _filter_and_rank(
    groups: Sequence[Group], translation: Translation, dependencies: Dependencies
) -> tuple[list[_RankedGroup], Counter[str]]:
    """Drop the papers that break a constraint, counted by rule, and sort the others by relevance."""
    intent, allowed, dropped = translation.intent, list[tuple[Group, Check]](), Counter[str]()
    for group in groups:
        checked = check(group.merged.paper, intent.constraints)
        if not checked.violated or liked_ids([group.merged], intent):  # which is compared with, and no result
            allowed.append((group, checked))
        else:
            dropped[checked.violated[0]] += 1
    matches = rank_by_rules(intent, [group.merged.paper for group, _ in allowed], dependencies.encoder)
    fits: list[_RankedGroup] = []
    for (group, checked), match in zip(allowed, matches, strict=True):
        found = Match.model_validate(vars(match) | checked._asdict(), extra="ignore")
        fits.append(_RankedGroup(group, found))

    def sort_key(fit: _RankedGroup) -> tuple[float, str, str]:
        order = fit.match.relevance * (UNVERIFIED_FACTOR if fit.match.unverified else 1)
        return (-order, fit.group.merged.paper.title.casefold(), fit.group.merged.id)

    return sorted(fits, key=sort_key), dropped


def _regroup(decided: Deduplicated, best: Sequence[_RankedGroup]) -> tuple[list[Group], list[_RankedGroup]]:
    """Return the groups of the best papers, best first, groups that were joined since then once, and all other ones."""
    group_of = {key: group for group in decided.groups for key in group.members}
    first: dict[Key, _RankedGroup] = {}
    for fit in best:
        group = group_of[fit.group.members[0]]
        first.setdefault(group.members[0], replace(fit, group=group))
    ordered = list(first.values())
    return [fit.group for fit in ordered[: SHORTLIST + BATCH]], ordered[SHORTLIST + BATCH :]


def _with_further(chosen: Sequence[Group], records: Sequence[Record], further: Sequence[Paper]) -> Sequence[Group]:
    """Merge what was looked up by DOI into the chosen papers; it adds fields and no vote, and parts no paper."""
    if not further:
        return chosen
    members = {key for group in chosen for key in group.members}
    added = [Record(f"look-up:{place}", paper) for place, paper in enumerate(further)]
    together = [*(record for record in records if record.key in members), *added]
    judged = [group.members for group in chosen if JUDGED_SAME in group.reasons]
    found = deduplicate(together, judged=judged)
    return [group for group in found.groups if group.members[0] in members]


def _nearest(groups: Sequence[Group], translation: Translation, dependencies: Dependencies) -> Iterator[str]:
    """Name the most relevant paper by its identifier, because its title could say anything, and what it breaks."""
    matches = rank_by_rules(translation.intent, [group.merged.paper for group in groups], dependencies.encoder)
    match, merged = max(zip(matches, groups, strict=True), key=lambda pair: pair[0].relevance, default=(None, None))
    if merged and match and match.relevance:
        broken = check(merged.merged.paper, translation.intent.constraints).violated
        yield from (NEAREST.format(merged.merged.id, broken_text(rule)) for rule in broken[:1])


def _tasks(fits: Sequence[_RankedGroup], translation: Translation, calls: int) -> tuple[ScoreTask, ...]:
    """Make the tasks, best first, of which a state carries the first; each paper is truncated to its share of it."""
    share = task_budget(translation, SHORTLIST) - SEPARATOR_BYTES - TASK_BYTES // BATCH
    whole = (Candidate.model_validate({**dict(fit.match), "merged": fit.group.merged}) for fit in fits)
    candidates = [short for each in whole if (short := fitted(each, share))]
    retries = min(MAX_RETRIES, max(0, calls // MAX_BATCHES - 1))
    parts = [candidates[start : start + BATCH] for start in range(0, len(candidates), BATCH)]
    return tuple(
        ScoreTask(
            id=f"papers:{place}", candidates=tuple(part), ask_llm=place <= min(calls, MAX_BATCHES), retries=retries
        )
        for place, part in enumerate(parts, 1)
    )
