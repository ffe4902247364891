"""The papers kind as the engine runs it: its pace, and what it says of each finished stage."""

from datetime import timedelta
from typing import Any

from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import SearchEvent
from goldpan.infra.llm.port import Completion, Prompt
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.models import Paper

from tests.support.factories import events
from tests.support.fakes import SPENT, FakeClock
from tests.support.paper_fakes import ListedPapers, paper, request


class SlowModel:
    """A language model whose calls take a number of seconds, and that gives every paper a score of 0.8."""

    name = "slow"

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self.ends: list[float] = []

    def complete(self, prompt: Prompt, deadline: Any) -> Completion:
        """Answer late, within the deadline."""
        self._clock.wait(min(self._seconds, deadline.left))
        self.ends.append(deadline.at.timestamp())
        shown = prompt.user.split('"id": "')[1:]
        rows = [{"id": part.partition('"')[0], "relevance": 0.8, "reasoning": "It fits."} for part in shown]
        return Completion({"results": list(rows)}, SPENT)


def searched(found: list[Paper], seconds: float = 1.0, **fields: Any) -> tuple[list[SearchEvent], Answer, SlowModel]:
    """Search over one source, with a model that takes its time."""
    clock = FakeClock()
    model = SlowModel(clock, seconds)
    reached = Dependencies(clock=clock, sources={"arxiv": ListedPapers(found)}, llm=model)
    seen = events(request(**fields), reached)
    answer = seen[-1].answer
    assert answer is not None
    return seen, answer, model


MANY = [paper(f"Cats {number} graphs", doi=f"10.1000/{number}") for number in range(40)]


def test_each_stage_is_described_by_what_it_did() -> None:
    """As the command shows it while it runs."""
    seen, answer, _ = searched(MANY)
    assert [event.message for event in seen] == [
        "Query translated", "Found 40 paper records", "Shortlisted 30 papers", "Scored 30 papers",
        "Ranked 40 papers", "Answered",
    ]  # fmt: skip
    assert answer.usage.llm_calls == 4
    assert [one.basis for one in answer.sections["papers"].results] == ["llm"] * 30 + ["rules"] * 10


def test_scoring_ends_at_the_target_of_papers() -> None:
    """One call after the other; what is not scored by then keeps its place by the rules, with a warning."""
    start = FakeClock().now()
    config = {"papers_target_seconds": 6, "target_seconds": 3, "llm_timeout_seconds": 20}
    _, answer, model = searched(MANY, seconds=4.0, max_results=25, config=config)
    assert max(model.ends[1:]) <= (start + timedelta(seconds=6)).timestamp()
    (section,) = answer.sections.values()
    assert {row.basis for row in section.results} == {"llm", "rules"}
    assert any("papers were ordered by rules" in warning for warning in answer.warnings)
