"""One search for all executions with the same request: the decision at its start, and the record at its end."""

import logging
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
from goldpan.kind_table import KINDS
from goldpan.kinds.answer import Answer

from tests.support import toy_kind
from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache, MemoryLocks

KEY = "search:1"
REQUEST = {"query": "kite", "kinds": ["toys"], "max_seconds": 20}
FAILED = {"kind": "toys", "failure": {"Error": "SourcesFailed", "Cause": "toy_box: down"}}


class Executions:
    """What all executions share: clock, cache and locks."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.cache, self.locks = MemoryCache(self.clock), MemoryLocks(self.clock)
        self.dependencies = Dependencies(self.clock, cache=self.cache, locks=self.locks)
        self.shared: Dependencies | None = self.dependencies

    def begin(self, owner: str, *, waited: float = 0, key: str = KEY, **fields: Any) -> str:
        """Decide for an execution that started that many seconds ago."""
        requested_at = self.clock.now() - timedelta(seconds=waited)
        event = {"key": key, "owner": owner, "request": REQUEST, "requested_at": requested_at, **fields}
        result = begin(BeginEvent.model_validate({"stage": "begin", **event}), self.dependencies)
        assert result.kinds == ("toys",)
        return result.decision

    def assemble(self, **fields: Any) -> Any:
        """Assemble the result of the first execution."""
        result = {"kind": "toys", "section": None}
        outcome = {"kind": "toys", "request": REQUEST, "result": result}
        event = {"stage": "assemble", "request": "", "outcomes": [outcome], "key": KEY, "owner": "one", **fields}
        return assemble(AssembleEvent.model_validate(event), self.shared)


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
    answer = Answer(query="kite", mode="balanced", answered_at=executions.clock.now())
    AnswerCache(executions.cache, executions.clock).put(KEY, parse_request(REQUEST), answer)
    assert [executions.begin("two"), executions.begin("three")] == ["read", "read"]
    assert executions.begin("two", last_decision="read") == "search"
    executions.locks.release(KEY, "two")
    executions.clock.wait(1)
    assert executions.begin("one", refresh=True, waited=0.5) == "search"
    executions.locks.release(KEY, "one")
    assert executions.begin("two", refresh=True, waited=1) == "read"


def test_a_defect_releases_the_lock(executions: Executions, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next execution searches at once."""
    executions.begin("one")
    monkeypatch.setattr(executions.cache, "write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        executions.assemble()
    assert executions.begin("two") == "search"


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
