"""The dependencies of a function: made at the first use, dropped before a snapshot, made anew after it."""

import gc
import random
import weakref
from collections.abc import Mapping

import pytest
from goldpan.aws.container import Container
from goldpan.aws.events import LimitedEvent
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Misconfigured
from goldpan.infra.llm.port import LanguageModelFailed, Prompt
from goldpan.infra.llm.spending import LimitedModel
from goldpan.infra.table import MemoryTable, uncounted

from tests.support.factories import QueuedModel


class Maker:
    """Makes dependencies, counts how often, and knows which of its clocks are still referenced."""

    def __init__(self) -> None:
        self.clocks: list[weakref.ref[WallClock]] = []
        self.made, self.failing, self.seconds = 0, False, 100.0

    def __call__(self, _environment: Mapping[str, str]) -> Dependencies:
        """Make dependencies."""
        self.made += 1
        if self.failing:
            raise Misconfigured("LLM_MODEL is not set")
        clock = WallClock()
        self.clocks.append(weakref.ref(clock))
        vars(clock)["itself"] = clock  # a cycle, as in a client of boto3: only a garbage collection frees it
        return Dependencies(clock)

    def container(self) -> Container:
        """Make a container whose time is `seconds`."""
        return Container(self, lambda: self.seconds)

    def referenced(self) -> int:
        """Count the dependencies that are still referenced."""
        gc.collect()
        return sum(clock() is not None for clock in self.clocks)


def test_old_dependencies_are_made_anew() -> None:
    """After 15 minutes, so that a renewed credential is read; a failure is raised until the setting is corrected."""
    make = Maker()
    container = make.container()
    first = container.dependencies()
    make.seconds += 900
    assert container.dependencies() is first
    make.seconds += 1
    make.failing = True
    for _ in range(2):
        with pytest.raises(Misconfigured):
            container.dependencies()
    make.failing = False
    assert container.dependencies() is not first


def test_a_language_model_is_asked_within_the_limit_of_an_event() -> None:
    """Whatever the stage; without an event, nothing says what it may cost."""
    model = LimitedModel(QueuedModel(), MemoryTable(), clock := WallClock(), uncounted)
    container = Container(lambda _: Dependencies(clock, llm=model))
    events = [None, *(LimitedEvent(stage="shortlist", daily_cost_limit=dollars) for dollars in (0.01, 5))]
    models = [container.dependencies(event).llm or model for event in events]
    for limited in models[:2]:
        with pytest.raises(LanguageModelFailed, match="is reached"):
            limited.complete(Prompt("", ""), Deadline.after(5, clock))
    assert models[2].complete(Prompt("", ""), Deadline.after(5, clock)).data


def test_a_restored_copy_makes_its_own_dependencies() -> None:
    """No secret is in the snapshot, and nothing from before is used; a wrong setting fails the next call by name."""
    make = Maker()
    container = make.container()
    container.prime()
    assert (make.made, make.referenced()) == (1, 0)
    container.dependencies()
    assert make.made == 2
    random.seed(1)
    first, _ = random.random(), random.seed(1)
    container.renew()
    assert random.random() != first, "the jitter of all copies would be the same"
    assert make.referenced() == 0
    make.failing = True
    for use in (container.dependencies, container.prime):
        with pytest.raises(Misconfigured, match=r"^LLM_MODEL"):
            use()
