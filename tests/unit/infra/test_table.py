"""The circuit breaker of a table, and what a cache and locks count and hold with it."""

import logging
from datetime import timedelta

import pytest
from goldpan.errors import StoreFailed
from goldpan.infra.table import CircuitBreaker

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache, MemoryLocks

HOUR = timedelta(hours=1)


class Store:
    """A store that fails while it is broken, and counts its calls."""

    calls, broken = 0, True

    def read(self) -> str:
        """Return a value, or fail."""
        self.calls += 1
        if self.broken:
            raise StoreFailed(f"no connection ({self.calls})")
        return "value"


def test_the_circuit_opens_for_30_seconds(caplog: pytest.LogCaptureFixture) -> None:
    """After a failure the fallback serves, without a call; then the store is called again, and may have recovered."""
    clock, store, counted = FakeClock(), Store(), list[str]()
    circuit = CircuitBreaker("cache", "CacheFailed", clock, counted.append)

    def call() -> str:
        return circuit.call(store.read, lambda: "fallback")

    with caplog.at_level(logging.WARNING):
        assert [call() for _ in range(3)] == ["fallback"] * 3
        clock.wait(29.9)
        assert (call(), store.calls, counted) == ("fallback", 1, ["CacheFailed"])
        clock.wait(0.1)
        assert (call(), store.calls, counted) == ("fallback", 2, ["CacheFailed"] * 2)
        clock.wait(30)
        store.broken = False
        assert [call() for _ in range(3)] == ["value"] * 3
    assert [record.getMessage() for record in caplog.records] == [
        f"The cache failed; searches continue without it: no connection ({number})" for number in (1, 2)
    ]


def test_concurrent_failures_are_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Calls that were made before the circuit opened are counted, and logged once; other errors are raised."""
    counted, store = list[str](), Store()
    circuit = CircuitBreaker("cache", "CacheFailed", FakeClock(), counted.append)

    def fail_within_a_call() -> str:
        return circuit.call(store.read, lambda: "inner") and store.read()

    with caplog.at_level(logging.WARNING):
        assert circuit.call(fail_within_a_call, lambda: "outer") == "outer"
    assert (len(counted), len(caplog.records)) == (2, 1)
    with pytest.raises(ZeroDivisionError):
        CircuitBreaker("cache", "CacheFailed", FakeClock(), counted.append).call(lambda: 1 // 0, lambda: 0)


def test_reads_are_counted() -> None:
    """Each key of a read counts as a hit, as stale, or as a miss."""
    clock, counted = FakeClock(), list[str]()
    best_effort = MemoryCache(clock, counted.append)
    best_effort.write({"old": b"value"}, HOUR)
    clock.wait(3600)
    best_effort.write({"new": b"value"}, HOUR)
    assert set(best_effort.read(["new", "old", "other"])) == {"new", "old"}
    assert counted == ["CacheHit", "CacheStale", "CacheMiss"]


def test_an_abandoned_lock_is_free_when_its_search_must_have_ended() -> None:
    """Others wait while the machine of a search can still run, and half a minute at most if it died."""
    clock = FakeClock()
    locks = MemoryLocks(clock)
    assert locks.may_run("a search", "one that dies", 25, timedelta())
    clock.wait(28)
    assert not locks.may_run("a search", "another", 25, timedelta())
    clock.wait(2)
    assert locks.may_run("a search", "another", 60, timedelta())
    clock.wait(61.9)
    assert not locks.may_run("a search", "a third", 25, timedelta(seconds=12.4))
    assert locks.may_run("a search", "a third", 25, timedelta(seconds=12.5))
    clock.wait(0.1)
    assert locks.may_run("a search", "a fourth", 25, timedelta())
