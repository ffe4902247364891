"""Score one repository with a language model: the prompt, and the verdict made from the model's answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from goldpan.contracts import SearchRequest, Usage
from goldpan.contracts.validation_errors import describe_requirement
from goldpan.engine.deadlines import Deadline
from goldpan.engine.payload import REASON_BYTES, truncate_json
from goldpan.errors import CallFailed
from goldpan.infra.llm.port import LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.llm.prices import with_cost
from goldpan.kinds.repositories.models import ScoreTask, Verdict
from goldpan.kinds.repositories.prompts import instructions
from goldpan.kinds.repositories.score import rules_only_verdict
from goldpan.text import words

REASON_CHARS = 300
TREE_ENTRIES = 40
DESCRIPTION_CHARS = 350
QUOTE_NOT_FOUND = "A quote in its reason was not found in its text, and was removed."
MAX_TEXT = 3000
"""Characters of a reason or a quote; the model is asked for a tenth of it."""
SCORE, PERCENT = 10.0, 100.0
"""The scale of the scores, and the one that some models use instead of any other."""


def _no_boolean(value: object) -> object:
    if isinstance(value, bool):
        message = f"a number is needed, not {str(value).lower()}"
        raise ValueError(message)  # noqa: TRY004 - pydantic reports a ValueError alone
    return value


def _on_scale(maximum: float) -> Callable[[float], float]:
    """Return a function that clamps a negative number, and reads a number above 10 as one of 100.

    A number that may be of either scale is refused: to guess would put a repository first that is not.
    """

    def read(value: float) -> float:
        if value <= maximum:
            return max(0.0, value)
        if SCORE < value <= PERCENT:
            return value * maximum / PERCENT
        message = f"{value:g} is not between 0 and {maximum:g}"
        raise ValueError(message)

    return read


_Number = Annotated[float, Field(allow_inf_nan=False), BeforeValidator(_no_boolean)]
_Score = Annotated[_Number, AfterValidator(_on_scale(SCORE))]


class _Judgement(BaseModel):
    """What the language model may return about a repository."""

    model_config = ConfigDict(extra="ignore")

    relevance: Annotated[_Number, AfterValidator(_on_scale(1))]
    documentation: _Score | None = None
    ease_of_use: _Score | None = None
    reasoning: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    quote: Annotated[str, Field(max_length=MAX_TEXT)] | None = None


def score_by_model(task: ScoreTask, request: SearchRequest, model: LanguageModel, deadline: Deadline) -> Verdict:
    """Ask the model; if it fails, the rules-only verdict stands, with the reason and what the call cost."""
    prices = request.config.llm_prices
    try:
        completion = model.complete(_prompt(task, request), deadline.within(request.config.llm_timeout_seconds))
    except LanguageModelFailed as failure:
        return rules_only_verdict(task, str(failure), with_cost(failure.usage, model.name, prices))
    except CallFailed as failure:
        return rules_only_verdict(task, str(failure))
    usage = with_cost(completion.usage, model.name, prices)
    try:
        judgement = _Judgement.model_validate(completion.data)
    except ValidationError as error:
        row = error.errors(include_url=False)[0]
        reason = f"the language model's answer breaks the form: {row['loc'][0]}: {describe_requirement(row)}"
        return rules_only_verdict(task, reason, usage)
    return _verdict(task, judgement, usage)


def _prompt(task: ScoreTask, request: SearchRequest) -> Prompt:
    """Write the facts as JSON, which fences them as data; one repository a call."""
    repository = task.repository
    facts = {
        "question": request.query,
        "repository": {
            "name": repository.full_name,
            "description": (repository.description or "")[:DESCRIPTION_CHARS],
            "language": repository.language,
            "topics": repository.topics,
            "stars": repository.stars,
            "forks": repository.forks,
            "last_push": repository.pushed_at.date().isoformat() if repository.pushed_at else None,
            "license": repository.license,
            "top_level_files": (repository.tree or ())[:TREE_ENTRIES],
            "readme_excerpt": repository.readme,
            "list_curator_says": repository.curator_text,
        },
    }
    system = instructions("score")
    user = json.dumps(facts, ensure_ascii=False)
    return Prompt(system=system, user=user, attempts=1 + task.retries, is_untrusted=True)


def _verdict(task: ScoreTask, judgement: _Judgement, usage: Usage) -> Verdict:
    reason, quote_found = _checked_reason(task, judgement)
    return Verdict(
        full_name=task.repository.full_name,
        relevance=round(judgement.relevance, 4),
        documentation=_rounded(judgement.documentation),
        ease_of_use=_rounded(judgement.ease_of_use),
        reasoning=truncate_json(reason, REASON_BYTES),
        basis="llm",
        caveats=() if quote_found else (QUOTE_NOT_FOUND,),
        usage=usage,
    )


def _checked_reason(task: ScoreTask, judgement: _Judgement) -> tuple[str, bool]:
    """Add the quote to the reason only if the repository's own text contains it, word by word."""
    reason = " ".join(judgement.reasoning.split())
    quote = " ".join((judgement.quote or "").split())
    if not quote:
        return reason[:REASON_CHARS], True
    repository = task.repository
    own = (repository.description, repository.readme, repository.curator_text)
    quoted, text = words(quote), words(" ".join(part or "" for part in own))
    is_contained = bool(quoted) and any(text[i : i + len(quoted)] == quoted for i in range(len(text) - len(quoted) + 1))
    if not is_contained:
        return re.sub(re.escape(quote), "…", reason, flags=re.IGNORECASE)[:REASON_CHARS], False
    reason = reason[:REASON_CHARS]
    return (reason if quote in reason else f"{reason} (“{quote[:REASON_CHARS]}”)"), True


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
