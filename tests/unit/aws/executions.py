"""What executions of one stack share, in this process: whose turn it is, what is remembered, and what is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from goldpan.aws import stages as screening
from goldpan.aws.assemble_messages import AssembleAsked
from goldpan.aws.translator_messages import BeginAsked
from goldpan.aws.turns import begin
from goldpan.contracts import Answer
from goldpan.engine.search import Answers
from goldpan.infra.cache.port import ProcessCache
from goldpan.infra.locks.port import ProcessLocks
from goldpan.kinds.repositories.ports import Dependencies

from tests.support.factories import StillClock
from tests.unit.aws.doors import event

KEY = "answer:1"
REQUEST = '{"query":"Rust web framework"}'


@dataclass
class Counter:
    """Counts in memory."""

    counted: list[tuple[str, str]] = field(default_factory=list)

    def count(self, key: str, request: str) -> None:
        """Count one asking."""
        self.counted.append((key, request))


@dataclass
class World:
    """What all executions share."""

    clock: StillClock = field(default_factory=StillClock)
    counter: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Make the stores."""
        self.flights = ProcessLocks(self.clock)
        self.answers = Answers(ProcessCache(self.clock), self.flights, self.clock)
        self.dependencies = Dependencies(self.clock, answers=self.answers, popularity=self.counter)

    def turn(self, owner: str, *, refresh: bool = False, waited: float = 0, key: str = KEY) -> str:
        """Ask whose turn it is, so many seconds after it was asked for."""
        asked_at = self.clock.now() - timedelta(seconds=waited)
        request = {"query": "React", "max_seconds": 20}
        told = {"stage": "begin", "key": key, "owner": owner, "request": request, "refresh": refresh}
        return begin(BeginAsked.model_validate({**told, "asked_at": asked_at}), self.dependencies).turn

    def keep(self) -> None:
        """Remember an answer, as a search that ends does."""
        self.answers.keep(KEY, Answer(query="React", mode="balanced", answered_at=self.clock.now()))
        self.flights.end(KEY)

    def assemble(self, dependencies: Callable[[], Dependencies] | None = None, **fields: Any) -> Any:
        """Assemble the committed event as the search of the first owner."""
        told = {**event("assemble"), "key": KEY, "owner": "one", "asked": REQUEST, **fields}
        return screening.assemble(AssembleAsked.model_validate(told), dependencies or (lambda: self.dependencies))
