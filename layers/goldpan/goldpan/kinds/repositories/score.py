"""Score: one scoring task becomes a verdict, with its reason, by the language model or by the rules alone."""

import json
from functools import partial
from typing import Annotated

from pydantic import AfterValidator

from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.feedback import asked_fields
from goldpan.engine.payload import REASON_BYTES, truncate_json
from goldpan.engine.scoring import OUT_OF_TIME, ScoreAnswer, judged, matches, reason_and_usage
from goldpan.engine.stage_values import TaskFailure
from goldpan.infra.llm.answers import SCORE, Number, ask_model, on_scale
from goldpan.infra.llm.port import Prompt
from goldpan.kinds.prompts import instructions
from goldpan.kinds.repositories.categories import LISTED
from goldpan.kinds.repositories.models import KIND, ScoreTask, Verdict
from goldpan.kinds.repositories.notices import speaks_to_a_model
from goldpan.kinds.repositories.repository_text import note_of

NO_USAGE = Usage()
TREE_ENTRIES = 40
Score = Annotated[Number, AfterValidator(on_scale(SCORE)), AfterValidator(partial(round, ndigits=1))]


class _RepositoryAnswer(ScoreAnswer):
    documentation: Score | None = None
    ease_of_use: Score | None = None


def score(task: ScoreTask, request: SearchRequest, dependencies: Dependencies, deadline: Deadline) -> Verdict:
    """Score one repository with the language model, or by the rules if there is none, no call is left or it fails."""
    if dependencies.llm is None or not task.ask_llm:
        return rules_only_verdict(task)
    if not deadline.left:
        return rules_only_verdict(task, OUT_OF_TIME)
    within = deadline.within(request.config.llm_timeout_seconds)
    asked = ask_model(_RepositoryAnswer, dependencies.llm, _prompt(task, request), within, request.config.llm_prices)
    if asked.answer is None:
        return rules_only_verdict(task, asked.failure, asked.usage)
    return _verdict(task, asked.answer, request, asked.usage)


def unscored(task: ScoreTask, failure: TaskFailure) -> Verdict:
    """Make the verdict of a scoring task that has no result; a call that had started is counted."""
    return rules_only_verdict(task, *reason_and_usage(failure, asks_llm=task.ask_llm))


def rules_only_verdict(task: ScoreTask, failure: str | None = None, usage: Usage = NO_USAGE) -> Verdict:
    """Make the verdict of the rules alone, from the relevance of the task and its evidence.

    The failure says why the language model has none, and the usage what its call cost.
    """
    name, reason = task.repository.full_name, truncate_json(_reason(task), REASON_BYTES)
    return Verdict(
        full_name=name, relevance=task.relevance, reasoning=reason, basis="rules", usage=usage, failure=failure
    )


def _reason(task: ScoreTask) -> str:
    """Write the evidence of a task as sentences."""
    if not task.asked:
        return "Looked up by its name, without a question to fit."
    listed = [each.removeprefix(LISTED) for each in task.evidence if each.startswith(LISTED)]
    matched = [each for each in task.evidence if not each.startswith(LISTED)]
    sentences = [f"Listed as: {'; '.join(listed)}."] if listed else []
    sentences += [matches(matched)] if matched else []
    default = "None of the question's words occur in its facts; it is close in meaning or kept by its source."
    return " ".join(sentences) or default


def _prompt(task: ScoreTask, request: SearchRequest) -> Prompt:
    """Write the facts as JSON, which fences them as data; one repository a call."""
    system = instructions(KIND, "score")
    user = json.dumps(asked_fields(request) | _facts(task), ensure_ascii=False)
    return Prompt(system=system, user=user, attempts=1 + task.retries, is_untrusted=True)


def _facts(task: ScoreTask) -> dict[str, object]:
    repository = task.repository
    return {
        "listed_as": [one.removeprefix(LISTED) for one in task.evidence if one.startswith(LISTED)],
        "note": note_of(repository),
        "repository": {
            "name": repository.full_name,
            "description": repository.description or "",
            "language": repository.language,
            "topics": repository.topics or (),
            "stars": repository.stars,
            "forks": repository.forks,
            "last_push": repository.pushed_at.date().isoformat() if repository.pushed_at else None,
            "license": repository.license,
            "top_level_files": (repository.tree or ())[:TREE_ENTRIES],
            "readme_excerpt": repository.readme,
            "list_curator_says": repository.curator_text,
        },
    }


def _verdict(task: ScoreTask, answer: _RepositoryAnswer, request: SearchRequest, usage: Usage) -> Verdict:
    is_marked = speaks_to_a_model(task.repository) is not None
    by_rules = rules_only_verdict(task, usage=usage)
    verdict = judged(by_rules, answer, _facts(task), request, is_marked=is_marked)
    scores = {} if is_marked else {"documentation": answer.documentation, "ease_of_use": answer.ease_of_use}
    return verdict.model_copy(update={"reasoning": truncate_json(verdict.reasoning, REASON_BYTES), **scores})
