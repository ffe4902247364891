"""Score: one scoring task becomes a verdict, with its reason."""

from __future__ import annotations

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import REASON_BYTES, truncate_json
from goldpan.engine.stage_values import TaskFailure
from goldpan.kinds.repositories.models import ScoreTask, Verdict

OUT_OF_TIME = "the time for scoring was up"
LOST = "the function that scores did not answer"
NO_USAGE = Usage()


def score(task: ScoreTask, request: SearchRequest, dependencies: Dependencies, deadline: Deadline) -> Verdict:
    """Score one repository with the language model, or by the rules if there is none or no call is left for it."""
    if dependencies.llm is None or not task.ask_llm:
        return rules_only_verdict(task)
    if not deadline.left:
        return rules_only_verdict(task, OUT_OF_TIME)
    from goldpan.kinds.repositories.score_llm import score_by_model  # noqa: PLC0415 - with a model only

    return score_by_model(task, request, dependencies.llm, deadline)


def unscored(task: ScoreTask, failure: TaskFailure) -> Verdict:
    """Make the verdict of a scoring task that has no result; a call that had started is counted."""
    started = task.ask_llm and failure.failure == "timeout"
    reason = LOST if failure.failure == "lost" else OUT_OF_TIME
    return rules_only_verdict(task, reason, Usage(llm_calls=int(started)))


def rules_only_verdict(task: ScoreTask, failure: str | None = None, usage: Usage = NO_USAGE) -> Verdict:
    """Make the verdict of the rules alone, from the relevance of the task and its evidence.

    The failure says why the language model has none, and the usage what its call cost.
    """
    if not task.asked:
        reason = "Compared as named: there is no question that it could fit."
    elif task.evidence:
        reason = f"Matches {'; '.join(task.evidence)}."
    else:
        reason = "None of the question's words occur in its facts; it is close in meaning or kept by its source."
    return Verdict(
        full_name=task.repository.full_name,
        relevance=task.relevance,
        reasoning=truncate_json(reason, REASON_BYTES),
        basis="rules",
        usage=usage,
        failure=failure,
    )
