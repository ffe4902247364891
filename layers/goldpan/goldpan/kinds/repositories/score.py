"""Score: one scoring task becomes a verdict, with its reason."""

from __future__ import annotations

from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.scoring import OUT_OF_TIME, reason_and_usage
from goldpan.engine.stage_values import TaskFailure
from goldpan.kinds.repositories.models import ScoreTask, Verdict
from goldpan.kinds.repositories.score_llm import score_by_model
from goldpan.kinds.repositories.score_rules import rules_only_verdict


def score(task: ScoreTask, request: SearchRequest, dependencies: Dependencies, deadline: Deadline) -> Verdict:
    """Score one repository with the language model, or by the rules if there is none or no call is left for it."""
    if dependencies.llm is None or not task.ask_llm:
        return rules_only_verdict(task)
    if not deadline.left:
        return rules_only_verdict(task, OUT_OF_TIME)
    return score_by_model(task, request, dependencies.llm, deadline)


def unscored(task: ScoreTask, failure: TaskFailure) -> Verdict:
    """Make the verdict of a scoring task that has no result; a call that had started is counted."""
    return rules_only_verdict(task, *reason_and_usage(failure, asks_llm=task.ask_llm))
