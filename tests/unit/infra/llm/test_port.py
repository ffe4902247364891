"""Failed calls of the language model are counted once, and nothing else changes."""

from __future__ import annotations

import pytest
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CredentialRejected
from goldpan.infra.llm.port import CountedModel, LanguageModelFailed, Prompt

from tests.support.fakes import FakeClock, FakeModel

PROMPT, DEADLINE = Prompt("system", "user"), Deadline.after(5, FakeClock())


def test_failed_calls_are_counted() -> None:
    """A failure is raised unchanged, and counted unless no call was made; a completion is passed through."""
    failures = [
        LanguageModelFailed("blank", Usage(llm_calls=1)),
        CredentialRejected("LLM_API_KEY: rejected"),
        ZeroDivisionError(),
        LanguageModelFailed("no time was left", Usage()),
    ]
    inner, counted = FakeModel([*failures, {"a": 1}], name="own-model"), list[str]()
    model = CountedModel(inner, counted.append)
    for failure in failures:
        with pytest.raises(type(failure)) as raised:
            model.complete(PROMPT, DEADLINE)
        assert raised.value is failure
    assert (model.complete(PROMPT, DEADLINE).data, model.name) == ({"a": 1}, "own-model")
    assert (inner.prompts, counted) == ([PROMPT] * 5, ["LlmFailed"] * 3)
