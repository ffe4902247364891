"""The summary by a language model: sentences about statements that exist, or none.

The model sees the statements, the description and the beginning of the README, fenced as JSON. A sentence that cites no
statement, or an unknown one, or has a number that none of its statements has, is left out and counted.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from goldpan.contracts import Usage
from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.infra.llm.answers import NO_PRICE, ask_model
from goldpan.infra.llm.port import LanguageModel, Prompt
from goldpan.infra.llm.prices import is_priced
from goldpan.kinds.prompts import instructions
from goldpan.kinds.repositories.analysis.models import Point, Statement
from goldpan.kinds.repositories.models import KIND, Repository

MAX_POINTS = 6
UNFOUNDED = "no statement bears them out"
README_CHARS = 1500
MAX_TOKENS, ATTEMPTS = 700, 2
"""One call, and one more if the first is refused for a reason that passes."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)


class _Summary(BaseModel):
    """What the language model may return."""

    summary: list[object] = []
    caveats: list[object] = []


@dataclass(frozen=True)
class Summary:
    """The sentences that hold, the caveats among them and about them, and what the call cost."""

    points: tuple[Point, ...] = ()
    caveats: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


def summarize(
    repository: Repository, statements: Sequence[Statement], query: str | None, model: LanguageModel, deadline: Deadline
) -> Summary:
    """Ask the model for a summary; if it fails, there is none, and a note says why. Raises `CredentialRejected`."""
    asked = ask_model(_Summary, model, _prompt(repository, statements, query), deadline, {})
    if (answer := asked.answer) is None:
        note = f"No summary: the language model did not write one ({asked.failure})."
        return Summary(caveats=(note,), usage=asked.usage)
    known = {statement.id: statement.statement for statement in statements}
    points = _held(answer.summary, known, repository)
    caveats = _held(answer.caveats, known, repository)
    given = len(answer.summary[:MAX_POINTS]) + len(answer.caveats[:MAX_POINTS])
    left_out = given - len(points) - len(caveats)
    notes = [f"{counted(left_out, 'sentences')} of the language model left out: {UNFOUNDED}."] if left_out else []
    notes += [] if is_priced(model.name, {}) else [NO_PRICE.format(model.name)]
    return Summary(points, (*(point.text for point in caveats), *notes), asked.usage)


def _prompt(repository: Repository, statements: Sequence[Statement], query: str | None) -> Prompt:
    """Write the statements as JSON, which fences untrusted text as data."""
    facts = {
        "question": query,
        "repository": {
            "name": repository.full_name,
            "description": repository.description or "",
            "readme_excerpt": (repository.readme or "")[:README_CHARS],
        },
        "statements": [
            {"id": each.id, "dimension": each.dimension, "statement": each.statement} for each in statements
        ],
    }
    user = json.dumps(facts, ensure_ascii=False)
    return Prompt(instructions(KIND, "analyze"), user, max_tokens=MAX_TOKENS, attempts=ATTEMPTS, is_untrusted=True)


def _held(rows: Iterable[object], known: Mapping[str, str], repository: Repository) -> tuple[Point, ...]:
    """Return the sentences whose evidence exists and has their numbers."""
    held = []
    for row in list(rows)[:MAX_POINTS]:
        try:
            point = Point.model_validate(row)
        except ValidationError:
            continue
        if not known.keys() >= {*point.evidence} or _LINK.search(point.text):
            continue
        source = " ".join((repository.full_name, *(known[each] for each in point.evidence)))
        if _numbers(point.text) <= _numbers(source):
            held.append(point)
    return tuple(held)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(text)}
