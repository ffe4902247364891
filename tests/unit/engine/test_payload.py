"""What may travel between stages: how bytes are counted, how texts are truncated, and the budget of each value."""

from __future__ import annotations

import json
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import batches_budget, json_size, task_budget, truncate_json
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Translation, Verdict
from goldpan.kinds.repositories.rank import rules_only_verdict
from goldpan.kinds.repositories.score import score
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.support.factories import StillClock, repository, request
from tests.support.hostile import FURTHER, UNITS, HostileModel, filled

STATE_LIMIT = 262_144
FREE_BYTES = 40_960
"""Kept free in every state: the cause of a failure alone may have 32 KiB."""
TEXTS = st.text(max_size=300) | st.builds(filled, st.sampled_from(UNITS), st.integers(0, 3000))


def written(value: BaseModel | str) -> int:
    """Count the bytes as the most generous JSON writer writes them: with a space after each comma and colon."""
    plain: Any = value if isinstance(value, str) else value.model_dump(mode="json", exclude_defaults=True)
    return len(json.dumps(plain, ensure_ascii=False).encode())


@given(TEXTS, st.lists(TEXTS, max_size=8), st.integers(0, 10_000), st.none() | st.integers())
def test_bytes_are_never_underestimated(text: str, words: list[str], number: int, stars: int | None) -> None:
    """However a value is written as JSON, it takes no more bytes than were counted."""
    found = Repository(full_name=f"a/{text}", description=text, topics=tuple(words), stars=stars)
    status: Any = {"kind": "repositories", "strategy": text, "source": "github", "status": "ok", "detail": text}
    verdict = Verdict(full_name=text, relevance=number / 10_000, reasoning=text, basis="llm", caveats=tuple(words))
    for value in (found, verdict, SearchParams(keywords=tuple(words)), Batch(status=status, candidates=(found,))):
        assert written(value) <= json_size(value)


@given(TEXTS, st.integers(2, 3000))
def test_a_text_is_truncated_only_if_it_is_too_large(text: str, limit: int) -> None:
    """The rest is a beginning of the text, in whole characters, within the limit."""
    left = truncate_json(text, limit)
    assert written(left) <= limit
    assert text.startswith(left)
    assert truncate_json(text, written(text)) == text


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(UNITS), st.text(max_size=300), st.integers(0, 1000))
def test_a_verdict_keeps_to_its_bytes(unit: str, text: str, message: int) -> None:
    """By a model, by the rules, or failed with a long message: a verdict has at most 2 KiB, and keeps its reason."""
    scored = repository("a" * 39 + "/" + "b" * 100, readme=text, **FURTHER)
    evidence = tuple(f"“{filled(unit, 60)}” in the description" for _ in range(8))
    task = ScoreTask(
        id=scored.full_name, repository=scored, relevance=0.1234, evidence=evidence, found_by=(), ask_llm=True
    )
    clock = StillClock()
    dependencies = Dependencies(clock, {}, HostileModel(unit, failure=filled(unit, message)))
    for verdict in (score(task, request(), dependencies, Deadline.after(10, clock)), rules_only_verdict(task)):
        assert written(verdict) <= 2048
        assert verdict.reasoning


def test_the_budget_is_what_the_state_has_left() -> None:
    """256 KiB less 40 KiB and the translation: at most 200 KiB for batches, or 128 KiB for tasks beside 2 KiB each."""
    empty = Translation(params=SearchParams(keywords=()), tasks=())
    large = empty.model_copy(update={"warnings": ("x" * 150_000,)})
    assert (batches_budget(empty), task_budget(empty, 1), task_budget(empty, 4)) == (204_800, 131_072, 32_768)
    free = STATE_LIMIT - FREE_BYTES - json_size(large)
    assert (batches_budget(large), task_budget(large, 10)) == (free, (free - 10 * 2048) // 10)
