"""A translation is remembered for a quarter of an hour, under all that would change it."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.contracts import SearchRequest, Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Unavailable
from goldpan.infra.cache.port import TTL, ProcessCache
from goldpan.kinds.repositories.models import Translation
from goldpan.kinds.repositories.ports import Dependencies
from goldpan.kinds.repositories.question import llm as model_translator
from goldpan.kinds.repositories.question.rules import translate_by_rules
from goldpan.kinds.repositories.translate import translate

from tests.unit.infra.fakes import FakeClock, FakeModel
from tests.unit.infra.test_translate import GOOD, QUESTION

BAD: dict[str, object] = {"keywords": 3}


class CachedValue:
    """A model, a cache and a clock that outlive a search."""

    def __init__(self, *says: dict[str, object] | Exception) -> None:
        self.clock, self.model = FakeClock(), FakeModel(says or [GOOD] * 9)
        self.cache = ProcessCache(self.clock)

    def translate(self, query: str = QUESTION, *, model: FakeModel | None = None, **more: Any) -> Translation:
        """Translate a question."""
        request = SearchRequest.model_validate({"query": query, **more})
        dependencies = Dependencies(clock=self.clock, llm=model or self.model, cache=self.cache)
        return translate(request, ("github",), dependencies, Deadline.after(5, self.clock))


def test_the_model_is_asked_once_a_quarter_of_an_hour() -> None:
    """The same question is read once; what is remembered costs no call, and leaves them all to scoring."""
    memory = CachedValue()
    first, second = memory.translate(), memory.translate()
    assert second.params == first.params
    assert (first.usage.llm_calls, second.usage) == (1, Usage())
    assert (first.scoring_calls, second.scoring_calls) == (39, 40)
    memory.clock.wait(TTL["translation"].total_seconds() - 1)
    memory.translate()
    assert len(memory.model.prompts) == 1
    memory.clock.wait(1)
    memory.translate()
    assert len(memory.model.prompts) == 2


def test_what_changes_a_translation_is_in_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another question, mode, model or prompt is another reading; what only later stages read is not."""
    memory, other = CachedValue(), FakeModel([GOOD], name="another")
    memory.translate()
    memory.translate(max_results=3, max_seconds=20)
    assert len(memory.model.prompts) == 1
    memory.translate("Vue animation library")
    memory.translate(mode="exploratory")
    memory.translate(model=other)
    monkeypatch.setattr(model_translator, "instructions", lambda name: f"Answer in JSON: {name} {{expansions}}")
    memory.translate()
    assert (len(memory.model.prompts), len(other.prompts)) == (4, 1)


@pytest.mark.parametrize("failure", [BAD, Unavailable("down")])
def test_a_failure_is_not_remembered(failure: dict[str, object] | Exception) -> None:
    """Where the model failed, rules read the question, and the model is asked again the next time."""
    memory = CachedValue(failure, GOOD)
    assert memory.translate().warnings
    told = memory.translate()
    assert (told.warnings, told.params.topics) == ((), ("react", "animation"))


def test_garbage_is_not_a_reading() -> None:
    """What another version wrote under the key is as nothing."""
    memory = CachedValue()
    memory.translate()
    (key,) = memory.cache._entries
    memory.cache.write({key: b'{"keywords": "react"}'}, TTL["translation"])
    assert memory.translate().usage.llm_calls == 1


def test_without_calls_nothing_is_read() -> None:
    """A search that may make no call is read by rules, whatever is remembered."""
    memory = CachedValue()
    memory.translate()
    assert memory.translate(max_llm_calls=0).params == translate_by_rules(QUESTION, "balanced")
