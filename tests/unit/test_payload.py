"""What may travel between stages: how bytes are counted, how texts are cut, and what each stage keeps within."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.aws.messages import dump
from goldpan.engine.deadlines import Deadline
from goldpan.engine.payload import REASON_BYTES, RESERVED_BYTES, STATE_BYTES, VERDICT_BYTES, cut, json_size
from goldpan.engine.payload import BATCHES_BYTES, TASKS_BYTES, batches_budget
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Translation, Verdict
from goldpan.kinds.repositories.ports import PlanningSource
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.rank import rules_only_verdict
from goldpan.kinds.repositories.score import score
from goldpan.kinds.repositories.scout import scout
from goldpan.kinds.repositories.translate import translate
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.factories import StillClock, repository, request, scout_task
from tests.unit.aws.hostile import FURTHER, SOURCES, UNITS, HostileModel, HostileSource, filled, strange_words

ROW_BYTES, SKIPPED_BYTES = 4096, 256
"""What a status row may take, in texts that are cut, and that of a source which is not there."""
TEXTS = st.text(max_size=300) | st.builds(filled, st.sampled_from(UNITS), st.integers(0, 3000))


def _as_written(value: object) -> int:
    """Count as the least sparing writer does: with a space after each comma and colon."""
    return len(json.dumps(value, ensure_ascii=False).encode())


@given(TEXTS, st.lists(TEXTS, max_size=8), st.integers(0, 10_000), st.none() | st.integers())
def test_bytes_are_never_counted_too_low(text: str, words: list[str], number: int, stars: int | None) -> None:
    """Whoever writes a value as JSON, it takes no more than was counted."""
    found = Repository(full_name=f"a/{text}", description=text, topics=tuple(words), stars=stars)
    verdict = Verdict(full_name=text, relevance=number / 10_000, reasoning=text, basis="llm", caveats=tuple(words))
    for value in (found, verdict, SearchParams(keywords=tuple(words)), Batch(status=_row(text), candidates=(found,))):
        assert _as_written(dump(value)) <= json_size(value)


def _row(text: str) -> Any:
    return {"kind": "repositories", "strategy": text, "source": "github", "status": "ok", "detail": text}


@given(TEXTS, st.integers(2, 3000))
def test_a_text_is_cut_to_its_bytes_from_its_end(text: str, most: int) -> None:
    """What is left is the beginning of the text, whole characters, and takes no more than it may."""
    left = cut(text, most)
    assert _as_written(left) <= most
    assert text.startswith(left)


@given(TEXTS)
def test_what_fits_is_not_cut(text: str) -> None:
    """A text that may take as much as it does stays as it is."""
    assert cut(text, _as_written(text)) == text


@given(st.lists(TEXTS, max_size=20))
def test_the_batches_and_their_translation_fit_into_one_state(words: list[str]) -> None:
    """However large a translation is, what is left for the batches is never negative, and never too much."""
    translation = Translation(params=SearchParams(keywords=tuple(words)), tasks=())
    room = batches_budget(translation)
    assert 0 <= room <= BATCHES_BYTES
    if json_size(translation) < STATE_BYTES - RESERVED_BYTES:
        assert room + json_size(translation) + RESERVED_BYTES <= STATE_BYTES


def test_the_allowances_fit_together() -> None:
    """The tasks, forty verdicts and what is kept free fit into one state, and so do the batches."""
    assert TASKS_BYTES + 40 * VERDICT_BYTES + RESERVED_BYTES <= STATE_BYTES
    assert BATCHES_BYTES + RESERVED_BYTES <= STATE_BYTES
    assert REASON_BYTES < VERDICT_BYTES


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 150).map(lambda count: " ".join(strange_words(count, 1))[:470])
    | st.builds(filled, st.sampled_from(["ж ", "𠮷 ", "a b c d ", "\u3300 "]), st.integers(3, 470)),
    st.integers(1, 9),
    st.none() | st.sampled_from(UNITS),
)
def test_a_translation_leaves_room_for_every_batch(query: str, names: int, unit: str | None) -> None:
    """Whatever the question and the model say, the status row of every strategy fits beside the translation."""
    model = None if unit is None else HostileModel(keywords=[filled(unit, 60)] * 12, expanded=strange_words(20))
    clock = StillClock()
    dependencies = Dependencies(clock, {"github": PlanningSource(15)}, model)
    asked = request(query=f"{query} React animation", mode="exploratory")
    made = translate(asked, SOURCES[:names], dependencies, Deadline.after(5, clock))
    batches = sum(task.byte_allowance if task.source == "github" else SKIPPED_BYTES for task in made.tasks)
    assert _as_written(dump(made)) + batches <= STATE_BYTES - RESERVED_BYTES
    assert all(task.byte_allowance > ROW_BYTES for task in made.tasks)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(UNITS), st.integers(0, 600), st.integers(0, 2000), st.integers(13_000, 80_000))
def test_a_batch_keeps_to_its_allowance(unit: str, name: int, said: int, allowance: int) -> None:
    """However long names, facts and messages of a source are, its batch takes no more than it may, status and all."""
    clock = StillClock()
    source = HostileSource(unit=unit, name=name, fact=name, said=said, found=20)
    batch = scout(scout_task(allowance=allowance), Dependencies(clock, {"github": source}), Deadline.after(6, clock))
    assert _as_written(dump(batch)) <= allowance
    assert batch.candidates


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(UNITS), st.text(max_size=300), st.integers(0, 1000))
def test_a_verdict_keeps_to_its_bytes(unit: str, text: str, said: int) -> None:
    """By a model, by rules, or failed with many words: a verdict takes no more than is kept free for it."""
    judged = repository("a" * 39 + "/" + "b" * 100, readme=text, **FURTHER)
    evidence = tuple(f"“{filled(unit, 60)}” in the description" for _ in range(8))
    task = ScoreTask(repository=judged, relevance=0.1234, evidence=evidence, found_by=(), ask_llm=True)
    clock = StillClock()
    dependencies = Dependencies(clock, {}, HostileModel(unit, failure=filled(unit, said)))
    for verdict in (score(task, request(), dependencies, Deadline.after(10, clock)), rules_only_verdict(task)):
        assert _as_written(dump(verdict)) <= VERDICT_BYTES


@pytest.mark.parametrize("unit", UNITS)
def test_a_reason_is_cut_and_not_lost(unit: str) -> None:
    """A reason in any script keeps what may travel of it."""
    clock = StillClock()
    task = ScoreTask(repository=repository(), relevance=0.5, found_by=(), ask_llm=True)
    verdict = score(task, request(), Dependencies(clock, {}, HostileModel(unit)), Deadline.after(10, clock))
    assert verdict.basis == "llm"
    assert verdict.reasoning
    assert _as_written(verdict.reasoning) <= REASON_BYTES
