"""The verdict of the rules alone, where no language model scores a repository."""

from __future__ import annotations

from goldpan.contracts import Usage
from goldpan.engine.payload import REASON_BYTES, truncate_json
from goldpan.kinds.repositories.models import ScoreTask, Verdict

NO_USAGE = Usage()


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
