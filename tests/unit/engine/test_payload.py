"""What may travel between stages: how bytes are counted, how texts are truncated, and what each stage keeps within."""

import json
from typing import Any

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.payload import json_size, json_text_size, task_budget, truncate_json, within_bytes
from goldpan.kinds.repositories.models import Batch, Repository, ScoreTask, SearchParams, Translation, Verdict
from goldpan.kinds.repositories.ports import PlanningSource
from goldpan.kinds.repositories.score import rules_only_verdict, score
from goldpan.kinds.repositories.scout import scout
from goldpan.kinds.repositories.shortlist import shortlist
from goldpan.kinds.repositories.translate import translate
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.support.factories import ListedSource, StillClock, batch, params, repository, request, scout_task
from tests.support.hostile import FURTHER, UNITS, HostileModel, HostileSource, filled, strange_words

STATE_LIMIT = 262_144
FREE_BYTES = 40_960
"""Kept free in every state: the cause of a failure alone may have 32 KiB."""
TEXTS = st.text(max_size=300) | st.builds(filled, st.sampled_from(UNITS), st.integers(0, 3000))


def written(value: BaseModel | str) -> int:
    """Count the bytes as the most generous JSON writer writes them: with a space after each comma and colon."""
    plain: Any = value if isinstance(value, str) else value.model_dump(mode="json", exclude_defaults=True)
    return len(json.dumps(plain, ensure_ascii=False).encode())


@given(TEXTS, st.lists(TEXTS, max_size=8), st.integers(0, 10_000), st.none() | st.integers(0, 2**63 - 1))
def test_bytes_are_never_underestimated(text: str, words: list[str], number: int, stars: int | None) -> None:
    """However a value is written as JSON, it takes no more bytes than were counted."""
    found = Repository(full_name=f"a/{text}", description=text, topics=tuple(words), stars=stars)
    status: Any = {"kind": "repositories", "strategy": text, "source": "github", "status": "ok", "detail": text}
    verdict = Verdict(full_name=text, relevance=number / 10_000, reasoning=text, basis="llm", caveats=tuple(words))
    for value in (found, verdict, SearchParams(keywords=tuple(words)), Batch(status=status, candidates=(found,))):
        assert written(value) <= json_size(value)
    empty, alone = (SearchParams(keywords=(word,)) for word in ("", f"{text}:,"))
    assert json_size(alone) - json_size(empty) == json_text_size(f"{text}:,") - json_text_size("")


def test_the_first_members_of_a_list_that_fit_are_kept() -> None:
    """Each takes its own bytes, and a comma and a space; a smaller one may follow one that does not fit."""
    assert within_bytes([("first", 10), ("larger", 9), ("exact", 8)], 22) == ("first", "exact")


def test_an_address_leads_to_the_web_or_nowhere() -> None:
    """Not to a script, whose name a browser reads past blanks; a part of a long one is of no use."""
    kept = ["https://a.org", "HTTP://a.org", "a.org/docs"]
    assert [repository(homepage=f" {each} ").homepage for each in kept] == kept
    lost = ("java\nscript:alert(1)", "java script:alert(1)", "mailto:a@b.org", " ", "a" * 201, None)
    assert not any(repository(homepage=each).homepage for each in lost)


@given(TEXTS, st.integers(2, 3000))
def test_a_text_is_truncated_only_if_it_is_too_large(text: str, limit: int) -> None:
    """The rest is a beginning of the text, in whole characters, within the limit."""
    left = truncate_json(text, limit)
    assert written(left) <= limit
    assert text.startswith(left)
    assert truncate_json(text, written(text)) == text


@settings(max_examples=15)
@given(
    st.integers(1, 150).map(lambda count: " ".join(strange_words(count, 1))[:470])
    | st.builds(filled, st.sampled_from(["ж ", "𠮷 ", "a b c d ", "\u3300 "]), st.integers(3, 470)),
    st.none() | st.sampled_from(UNITS),
)
def test_a_translation_and_all_its_batches_fit_into_one_state(query: str, unit: str | None) -> None:
    """Whatever the question and the model hold, the allowances leave room, and each is enough for a status row."""
    model = None if unit is None else HostileModel(keywords=[filled(unit, 60)] * 12, expanded=strange_words(20))
    clock = StillClock()
    dependencies = Dependencies(clock, {"github": PlanningSource(15)}, model)
    asked = request(query=f"{query} React animation", mode="exploratory", sources=["github", "catalogue"])
    made: Translation = translate(asked, ("github", "catalogue"), dependencies, Deadline.after(5, clock))
    batches = sum(task.byte_allowance if task.source == "github" else 256 for task in made.tasks)
    assert written(made) + batches <= STATE_LIMIT - FREE_BYTES
    room = min(204_800, STATE_LIMIT - FREE_BYTES - json_size(made))
    assert room - 9 * len(made.tasks) < batches <= room, "what is free is used"
    assert all(task.byte_allowance > 4096 for task in made.tasks if task.source == "github")


@settings(max_examples=15)
@given(st.sampled_from(UNITS), st.integers(0, 600), st.integers(0, 2000), st.integers(13_000, 80_000))
def test_a_batch_keeps_to_its_allowance(unit: str, name: int, message: int, allowance: int) -> None:
    """However long the names, facts and messages of a source are, its batch fits, and it is not empty."""
    clock = StillClock()
    source = HostileSource(unit=unit, name=name, fact=name, said=message, found=20)
    made = scout(scout_task(allowance=allowance), Dependencies(clock, {"github": source}), Deadline.after(6, clock))
    assert written(made) <= allowance
    assert made.candidates


@settings(max_examples=10)
@given(st.integers(0, 4000), st.integers(0, 3000), st.integers(1, 40), st.integers(0, 40_000))
@example(4000, 3000, 40, 40_000)
def test_a_shortlist_and_its_verdicts_fit_into_one_state(readme: int, entries: int, size: int, said: int) -> None:
    """However long READMEs, file lists, names and the translation are, the tasks fit beside one full verdict each."""
    facts: dict[str, Any] = {"readme": "ж" * readme, "tree": ("x" * 200,) * entries, "topics": ("t" * 50,) * 20}
    large = [repository(f"example-org/r{n}", **facts) for n in range(40)]
    clock, translation = StillClock(), Translation(params=params(), tasks=(), warnings=("x" * said,))
    made = shortlist(
        [batch("stars", *large)],
        translation,
        request(config={"shortlist_size": size, "readme_chars": 4000}),
        Dependencies(clock, {"github": ListedSource()}),
        Deadline.after(4, clock),
    )
    assert len(made.tasks) == size
    assert sum(written(task) for task in made.tasks) <= 131_072
    carried = made.model_copy(update={"further": ()})
    each = max(task_budget(translation, size), written(carried) // size)
    assert written(translation) + size * (each + 2048) <= STATE_LIMIT - FREE_BYTES


@settings(max_examples=40)
@given(st.sampled_from(UNITS), st.text(max_size=300), st.integers(0, 1000))
def test_a_verdict_keeps_to_its_bytes(unit: str, text: str, message: int) -> None:
    """By a model, by the rules, or failed with a long message: a verdict has at most 2 KiB, and keeps its reason."""
    scored = repository("a" * 39 + "/" + "b" * 100, readme=text, **FURTHER)
    evidence = tuple(f"“{filled(unit, 60)}” in the description" for _ in range(8))
    of_rules: dict[str, Any] = {"relevance": 0.1234, "evidence": evidence, "found_by": ()}
    task = ScoreTask(id=scored.full_name, repository=scored, ask_llm=True, **of_rules)
    clock = StillClock()
    dependencies = Dependencies(clock, {}, HostileModel(unit, failure=filled(unit, message)))
    for verdict in (score(task, request(), dependencies, Deadline.after(10, clock)), rules_only_verdict(task)):
        assert written(verdict) <= 2048
        assert verdict.reasoning
