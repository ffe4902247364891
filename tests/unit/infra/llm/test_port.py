"""Failed calls of the language model are counted once, and nothing else changes."""

from __future__ import annotations

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected, Unavailable
from goldpan.infra.llm.port import CountedModel, LanguageModelFailed, Prompt

from tests.support.fakes import FakeClock, FakeModel

PROMPT = Prompt("system", "user")


@pytest.mark.parametrize(
    ("failure", "counted"),
    [
        (LanguageModelFailed("blank", Usage(llm_calls=1)), ["LlmFailed"]),
        (LanguageModelFailed("no time was left", Usage()), []),
        (CredentialRejected("LLM_API_KEY: rejected"), ["LlmFailed"]),
        (Unavailable("down"), ["LlmFailed"]),
        (ZeroDivisionError(), ["LlmFailed"]),
    ],
)
def test_a_failure_is_counted_and_raised(failure: Exception, counted: list[str]) -> None:
    """What the model raises is raised unchanged, and counted unless no call was made."""
    names: list[str] = []
    model = CountedModel(FakeModel([failure]), names.append)
    with pytest.raises(type(failure)) as raised:
        model.complete(PROMPT, Deadline.after(5, FakeClock()))
    assert raised.value is failure
    assert names == counted


def test_a_completion_is_passed_through() -> None:
    """The name, the prompt and the completion are those of the model."""
    inner, names = FakeModel([{"a": 1}], name="own-model"), list[str]()
    model = CountedModel(inner, names.append)
    assert model.name == "own-model"
    assert model.complete(PROMPT, Deadline.after(5, FakeClock())).data == {"a": 1}
    assert (inner.prompts, names) == ([PROMPT], [])
