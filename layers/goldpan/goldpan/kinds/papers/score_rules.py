"""The scores of papers by the rules alone."""

from __future__ import annotations

from goldpan.contracts import Usage
from goldpan.engine.payload import truncate_json
from goldpan.kinds.papers.models import Candidate, PaperVerdict, ScoreTask, Verdict

REASON_BYTES = 500
"""The maximum of the reason of one paper: thirty verdicts fit into a state beside their papers."""
NO_USAGE = Usage()


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
