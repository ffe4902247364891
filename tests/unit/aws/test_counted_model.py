"""Failed calls of the language model are counted by stage."""

from __future__ import annotations

import pytest
from goldpan.aws.metrics import COUNTERS
from goldpan.engine.events import Stage
from goldpan.infra.llm.port import CountedModel

from tests.support.factories import QueuedModel
from tests.unit.aws.doors import door, event, sample_ports
from tests.unit.aws.emf import metrics_written
from tests.unit.aws.marked import STAGES


@pytest.mark.parametrize(("stage", "state"), [("translate", "down"), ("score", "down"), ("translate", "up")])
def test_a_failed_call_of_the_model_is_counted_where_it_failed(
    stage: Stage, state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A door whose model is down writes `LlmFailed` by its stage; one whose model answers does not."""
    given, model = event(stage), CountedModel(QueuedModel(down=state == "down"), COUNTERS.add)
    given.get("task", {})["ask_llm"] = True
    door(STAGES[stage], sample_ports(model))(given)
    assert metrics_written(capsys).get("LlmFailed") == ([({"stage": stage}, 1)] if state == "down" else None)
