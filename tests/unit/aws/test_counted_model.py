"""A language model whose failures are counted: each failed call once, and nothing else changes."""

from __future__ import annotations

import pytest
from goldpan.infra.llm.port import CountedModel
from goldpan.aws.counts import COUNTS
from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.events import Stage
from goldpan.errors import CredentialRejected, RateLimited, Unavailable
from goldpan.infra.llm.port import Completion, LanguageModelFailed, Prompt

from tests.support.factories import NOW, QueuedModel
from tests.unit.aws.doors import door, event, sample_ports
from tests.unit.aws.emf import metrics_written
from tests.unit.aws.marked import STAGES


class RaisingModel(QueuedModel):
    """A model that raises what it was given."""

    def __init__(self, failure: Exception) -> None:
        super().__init__()
        self.failure = failure

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Fail."""
        del prompt, deadline
        raise self.failure


@pytest.mark.parametrize(("stage", "state"), [("translate", "down"), ("score", "down"), ("translate", "up")])
def test_a_failed_call_of_the_model_is_counted_where_it_failed(
    stage: Stage, state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A door whose model is down writes `LlmFailed` by its stage; one whose model answers does not."""
    given, model = event(stage), CountedModel(QueuedModel(down=state == "down"), COUNTS.add)
    given.get("task", {})["ask_llm"] = True
    door(STAGES[stage], sample_ports(model))(given)
    assert metrics_written(capsys).get("LlmFailed") == ([({"stage": stage}, 1)] if state == "down" else None)


@pytest.mark.parametrize(
    ("failure", "counted"),
    [
        (LanguageModelFailed("blank", Usage(llm_calls=1)), ["LlmFailed"]),
        (LanguageModelFailed("no time was left", Usage()), []),
        (CredentialRejected("LLM_API_KEY: rejected"), ["LlmFailed"]),
        (RateLimited("slow down", NOW), ["LlmFailed"]),
        (Unavailable("down"), ["LlmFailed"]),
        (ZeroDivisionError(), ["LlmFailed"]),
    ],
)
def test_the_failure_of_a_model_is_counted_and_passed_on(failure: Exception, counted: list[str]) -> None:
    """What the model raised is raised as it was, and counted once, unless no call was made at all."""
    names: list[str] = []
    model = CountedModel(RaisingModel(failure), names.append)
    with pytest.raises(type(failure)) as raised:
        model.complete(Prompt("system", "user"), Deadline.after(5, WallClock()))
    assert raised.value is failure
    assert names == counted


def test_a_counted_model_is_the_model() -> None:
    """Its name, which keys and prices hang on, its prompts and its answers are the model's own."""
    inner, names, prompt = QueuedModel(), list[str](), Prompt("judge how well", "user")
    model, deadline = CountedModel(inner, names.append), Deadline.after(5, WallClock())
    assert model.name == inner.name
    assert model.complete(prompt, deadline) == inner.complete(prompt, deadline)
    assert inner.prompts == [prompt, prompt]
    assert names == []
