"""The verdict of the rules alone, where no language model scores a repository."""

from __future__ import annotations

from goldpan.contracts import Usage
from goldpan.engine.payload import REASON_BYTES, truncate_json
from goldpan.kinds.repositories.categories import LISTED
from goldpan.kinds.repositories.models import ScoreTask, Verdict

NO_USAGE = Usage()


def rules_only_verdict(task: ScoreTask, failure: str | None = None, usage: Usage = NO_USAGE) -> Verdict:
    """Make the verdict of the rules alone, from the relevance of the task and its evidence.

    The failure says why the language model has none, and the usage what its call cost.
    """
    return Verdict(
        full_name=task.repository.full_name,
        relevance=task.relevance,
        reasoning=truncate_json(_reason(task), REASON_BYTES),
        basis="rules",
        usage=usage,
        failure=failure,
    )


def _reason(task: ScoreTask) -> str:
    """Write the evidence of a task as sentences."""
    if not task.asked:
        return "Looked up as named: there is no question that it could fit."
    listed = [each.removeprefix(LISTED) for each in task.evidence if each.startswith(LISTED)]
    matched = [each for each in task.evidence if not each.startswith(LISTED)]
    sentences = [f"Listed as: {'; '.join(listed)}."] if listed else []
    sentences += [f"Matches {'; '.join(matched)}."] if matched else []
    default = "None of the question's words occur in its facts; it is close in meaning or kept by its source."
    return " ".join(sentences) or default
