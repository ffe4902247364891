"""Score: one task of at most ten papers becomes a verdict, with a reason for each paper."""

from __future__ import annotations

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import truncate_json
from goldpan.engine.stage_values import TaskFailure
from goldpan.kinds.papers.models import Candidate, PaperVerdict, ScoreTask, Verdict

OUT_OF_TIME = "the time for scoring was up"
LOST = "the function that scores did not answer"
REASON_BYTES = 500
"""The maximum of the reason of one paper: thirty verdicts fit into a state beside their papers."""
NO_USAGE = Usage()


def score(task: ScoreTask, request: SearchRequest, dependencies: Dependencies, deadline: Deadline) -> Verdict:
    """Score papers with the language model, or by the rules if there is none or no call is left for them."""
    if dependencies.llm is None or not task.ask_llm:
        return rules_only(task)
    if not deadline.left:
        return rules_only(task, OUT_OF_TIME)
    from goldpan.kinds.papers.score_llm import score_by_model  # noqa: PLC0415 - with a model only

    return score_by_model(task, request, dependencies.llm, deadline)


def unscored(task: ScoreTask, failure: TaskFailure) -> Verdict:
    """Make the verdict of a scoring task that has no result; a call that had started is counted."""
    started = task.ask_llm and failure.failure == "timeout"
    reason = LOST if failure.failure == "lost" else OUT_OF_TIME
    return rules_only(task, reason, Usage(llm_calls=int(started)))


def rules_only(task: ScoreTask, failure: str | None = None, usage: Usage = NO_USAGE) -> Verdict:
    """Make the verdict of the rules alone.

    The failure says why the language model has none, and the usage what its call cost.
    """
    return Verdict(papers=tuple(map(rules_only_paper, task.candidates)), usage=usage, failure=failure)


def rules_only_paper(candidate: Candidate) -> PaperVerdict:
    """Score one paper by the rules: its relevance, with the words that it rests on."""
    if candidate.evidence:
        reason = f"Matches {'; '.join(candidate.evidence)}."
    else:
        reason = "None of the question's words occur in its title or abstract; its source found it."
    return PaperVerdict(
        id=candidate.merged.id,
        relevance=candidate.relevance,
        reasoning=truncate_json(reason, REASON_BYTES),
        basis="rules",
    )
