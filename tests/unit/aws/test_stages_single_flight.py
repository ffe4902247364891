"""One search for all executions with the same request: the decision at its start, and the record at its end."""

import json
import logging
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from goldpan.aws.assembly import assemble
from goldpan.aws.container import Container
from goldpan.aws.events import AssembleEvent, BeginEvent
from goldpan.aws.stages import begin
from goldpan.contracts import parse_request
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Misconfigured, Overloaded
from goldpan.infra.table import BestEffortUpdates, CircuitBreaker, MemoryTable
from goldpan.kind_table import KINDS
from goldpan.kinds.answer import Answer

from tests.support import toy_kind
from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache, MemoryLocks

KEY, TEXT = "search:1", '{"query":"kite"}'
REQUEST = {"query": "kite", "kinds": ["toys"], "max_seconds": 20}
FAILED = {"kind": "toys", "failure": {"Error": "SourcesFailed", "Cause": "toy_box: down"}}


@dataclass
class Executions:
    """What all executions share: clock, cache, locks and counters."""

    clock: FakeClock = field(default_factory=FakeClock)

    def __post_init__(self) -> None:
        """Make the stores, in memory."""
        self.locks = MemoryLocks(self.clock)
        cache = MemoryCache(self.clock)
        self.answers = AnswerCache(cache, self.clock)
        self._asked = MemoryTable()
        self.popularity = BestEffortUpdates(self._asked, CircuitBreaker("", "", self.clock, list[str]().append))
        self.dependencies = Dependencies(self.clock, cache=cache, locks=self.locks, popularity=self.popularity)
        self.shared: Dependencies | None = self.dependencies

    @property
    def counted(self) -> list[object]:
        """The requests that were counted."""
        return [item["request"] for item in self._asked._items.values()]

    def begin(self, owner: str, *, waited: float = 0, key: str = KEY, **fields: Any) -> str:
        """Decide for an execution that started that many seconds ago."""
        requested_at = self.clock.now() - timedelta(seconds=waited)
        event = {"key": key, "owner": owner, "request": REQUEST, "requested_at": requested_at, **fields}
        result = begin(BeginEvent.model_validate({"stage": "begin", **event}), self.dependencies)
        assert result.kinds == ("toys",)
        return result.decision

    def store(self) -> None:
        """Cache an answer, as a search does at its end."""
        answer = Answer(query="kite", mode="balanced", answered_at=self.clock.now())
        self.answers.put(KEY, parse_request(REQUEST), answer)

    def stored(self) -> Answer | None:
        """Return the cached answer."""
        return self.answers.get(KEY, parse_request(REQUEST))

    def assemble(self, **fields: Any) -> Any:
        """Assemble the result of the first execution."""
        result = {"kind": "toys", "section": None}
        outcome = {"kind": "toys", "request": REQUEST, "result": result}
        event = {"stage": "assemble", "request": "", "outcomes": [outcome], "key": KEY, "owner": "one", **fields}
        parsed = AssembleEvent.model_validate({"request_text": TEXT, **event})
        return assemble(parsed, self.shared)


@pytest.fixture
def executions(monkeypatch: pytest.MonkeyPatch) -> Executions:
    """Share empty stores; the kind is a small one."""
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)
    return Executions()


def test_one_searches_and_the_others_wait(executions: Executions) -> None:
    """Until the lock is released; without a key or a cache nothing can be shared, so none waits."""
    assert [executions.begin(owner) for owner in ("one", "two", "one")] == ["search", "wait", "search"]
    executions.locks.release(KEY, "one")
    assert executions.begin("two") == "search"
    assert [executions.begin("one", key=""), executions.begin("two", key="")] == ["search", "search"]
    executions.dependencies = Dependencies(executions.clock)
    assert [executions.begin("one"), executions.begin("two")] == ["search", "search"]


def test_an_answer_that_was_just_stored_is_read(executions: Executions) -> None:
    """By no holder of a lock, and not again if it cannot be read; a warm-up reads only one newer than itself."""
    executions.store()
    assert [executions.begin("two"), executions.begin("three")] == ["read", "read"]
    assert executions.begin("two", last_decision="read") == "search"
    executions.locks.release(KEY, "two")
    executions.clock.wait(1)
    assert executions.begin("one", refresh=True, waited=0.5) == "search"
    executions.locks.release(KEY, "one")
    assert executions.begin("two", refresh=True, waited=2) == "read"


def test_an_answer_is_cached_and_counted(executions: Executions) -> None:
    """It is marked as cached, its request is counted, and its lock is released."""
    executions.begin("one")
    returned = json.loads(executions.assemble().body)
    cached = executions.stored()
    assert cached is not None
    assert json.loads(cached.to_json()) == returned | {"cached": True}
    assert executions.counted == [TEXT]
    assert executions.begin("two") == "read"


def test_a_terminal_error_is_neither_cached_nor_counted(executions: Executions) -> None:
    """It releases the lock, so that the next execution searches."""
    executions.begin("one")
    assert executions.assemble(outcomes=[FAILED]).statusCode == 503
    assert (executions.stored(), executions.counted) == (None, [])
    assert executions.begin("two") == "search"


def test_a_defect_releases_the_lock(executions: Executions, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next execution searches at once."""
    executions.begin("one")
    monkeypatch.setattr(executions.popularity, "update", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        executions.assemble()
    assert executions.begin("two") == "read"


@pytest.mark.parametrize("error", [Misconfigured("LLM_MODEL is not set"), Overloaded("LLM_MODEL: SSM is throttled")])
def test_dependencies_that_fail_hide_neither_the_answer_nor_the_error(
    executions: Executions, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """Without stores nothing is cached, and the log says why."""

    def misconfigured(_environment: object) -> Dependencies:
        raise error

    with caplog.at_level(logging.WARNING):
        executions.shared = Container(misconfigured).try_dependencies()
        assert executions.assemble().statusCode == 200
        assert "toy_box: down" in executions.assemble(outcomes=[FAILED]).body
    assert str(error) in caplog.text
