"""Askers on one file: a source that answers when it is let, and a clock on which waiting takes no time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from goldpan.contracts import Answer, SearchRequest
from goldpan.engine import library
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.runtime import Runtime
from goldpan.errors import CallFailed, Cancelled
from goldpan.infra.llm.port import LanguageModel
from goldpan.infra.stores import open_local_stores
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Dependencies, Enriched, Found

PATIENCE = 30.0
REQUEST = SearchRequest(query="React animation library")
FOUND = tuple(
    Repository(full_name=f"example-org/motion-{n}", description="React animation library", stars=900 - n)
    for n in range(5)
)


class SkippingClock(WallClock):
    """The clock of the machine, moved ahead by every wait instead of waiting."""

    def __init__(self, ahead: float = 0.0) -> None:
        super().__init__()
        self.waited = 0.0
        self._ahead = timedelta(seconds=ahead)

    def now(self) -> datetime:
        """Tell the time."""
        return super().now() + self._ahead

    def wait(self, seconds: float) -> None:
        """Let the time pass at once; raises `Cancelled` where the search was given up."""
        if self.cancelled:
            raise Cancelled("the search was given up")
        self.waited += seconds
        self.move(seconds)

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self._ahead += timedelta(seconds=seconds)


class WatchedClock(WallClock):
    """The clock of the machine, which tells a test that somebody waits on it."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = threading.Event()

    def wait(self, seconds: float) -> None:
        """Wait; raises `Cancelled` where the search was given up."""
        self.waiting.set()
        super().wait(seconds)


class GatedSource:
    """A source that answers once its gate is open, or fails then; it counts the searches that reached it."""

    searches_a_question = 15
    notice = None

    def __init__(self, failure: CallFailed | None = None, *, only: int | None = None, is_open: bool = False) -> None:
        self.gate, self.asked = threading.Event(), threading.Event()
        self.calls = 0
        self.deadlines: list[datetime] = []
        self._failure, self._only = failure, only
        self._turn = threading.Lock()
        if is_open:
            self.gate.set()

    def search(self, _searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Wait for the gate, and answer; with `only`, that many calls fail and no more."""
        with self._turn:
            self.calls += 1
            number = self.calls
            self.deadlines.append(deadline.at)
        self.asked.set()
        assert self.gate.wait(PATIENCE)
        if self._failure is not None and (self._only is None or number <= self._only):
            raise self._failure
        return Found((FOUND,), len(FOUND))

    def enrich(self, repositories: Sequence[Repository], _deadline: Deadline) -> Enriched:
        """Know nothing further."""
        return Enriched(tuple(repositories))


def runtime_on(
    file: Path, source: GatedSource, clock: WallClock | None = None, model: LanguageModel | None = None
) -> Runtime:
    """Make what a process of its own would: its own opening of the file, and its own clock."""
    clock = clock or WallClock()
    stores = open_local_stores(file, clock, {})
    dependencies = Dependencies(clock, {"github": source}, model, stores.cache, stores.answers)
    return Runtime(dependencies, ("github",), (), clock, "a test")


def with_clock(runtime: Runtime, clock: WallClock) -> Runtime:
    """Give a runtime to one search, with a clock of its own, as `goldpan serve` does."""
    return replace(runtime, dependencies=replace(runtime.dependencies, clock=clock), clock=clock)


class Asker(threading.Thread):
    """Asks in a thread of its own, and keeps the answer, or what was raised instead."""

    def __init__(self, runtime: Runtime, request: SearchRequest = REQUEST) -> None:
        super().__init__(daemon=True)
        self._runtime, self._request = runtime, request
        self.answer: Answer | None = None
        self.error: Exception | None = None
        self.start()

    def run(self) -> None:
        """Ask."""
        try:
            self.answer = library.search(self._request, runtime=self._runtime)
        except Exception as error:  # noqa: BLE001 - told to the test
            self.error = error

    def ended(self) -> Asker:
        """Wait for the end."""
        self.join(PATIENCE)
        assert not self.is_alive()
        return self

    def told(self) -> Answer:
        """Give the answer; raises what was raised instead."""
        self.ended()
        if self.error is not None:
            raise self.error
        assert self.answer is not None
        return self.answer


def alike(answers: Sequence[Answer]) -> bool:
    """Tell whether all are one answer, but for the mark that it comes from the cache."""
    return len({answer.model_copy(update={"cached": True}).to_json() for answer in answers}) == 1
