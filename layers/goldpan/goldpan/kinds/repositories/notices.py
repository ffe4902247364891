"""The warnings and errors of an answer: what was left out, and what the language model did not judge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldpan.contracts import SearchRequest, SourceStatus
from goldpan.engine.scoring import not_judged
from goldpan.kinds.repositories.candidates import answering_source
from goldpan.kinds.repositories.constraint_texts import dropped_warnings
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.models import CATALOGUE, ScoreTask, Shortlist, Verdict

FEW_RESULTS = 5
"""Below, or below the number that was asked for, an answer says what each rule dropped."""


def dropped_by_rules(
    shortlisted: Shortlist, shown: int, constraints: Constraints, request: SearchRequest
) -> tuple[str, ...]:
    """Say what each rule dropped, if few results are left."""
    if not shortlisted.dropped or shown >= min(FEW_RESULTS, request.max_results):
        return ()
    return dropped_warnings(shortlisted.dropped, constraints, request.config.coarse_filter)


def not_confirmed(shown: Iterable[ScoreTask], rows: Sequence[SourceStatus]) -> tuple[str, ...]:
    """Count in one sentence the results of which the source of today has confirmed nothing, with their oldest day."""
    source = answering_source(rows)
    alone = [task.repository for task in shown if {found.strategy for found in task.found_by} == {"known"}]
    days = [min(each.observed.values()) for each in alone if each.observed]
    if source == CATALOGUE or not days:  # its notice says so of all
        return ()
    noun = "1 result" if len(days) == 1 else f"{len(days)} results"
    return (f"The facts of {noun} are the catalogue's, the oldest of {min(days)}: {source} did not confirm them.",)


def ordered_by_rules(shortlisted: Shortlist, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Count in one sentence what the language model did not score although it was asked to."""
    if not any(task.ask_llm for task in shortlisted.tasks):
        return ()
    names = {task.repository.full_name for task in shortlisted.tasks}
    judged = {verdict.full_name for verdict in verdicts if verdict.basis == "llm"}
    return not_judged(len(names - judged), len(names), "repositories")
