"""Stores that cannot be reached never fail a search: a warning, a count, and the search goes on without them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import pytest
from goldpan.infra.cache.port import BestEffortCache, CacheFailed, Entry, ProcessCache
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.locks.port import BestEffortLocks, ProcessLocks
from goldpan.infra.rate_limits.port import BestEffortRateLimiter, ProcessRateLimiter, Turn
from goldpan.infra.rate_limits.limits import Limit

from tests.support.fakes import START, FakeClock

LIFE = timedelta(minutes=15)
SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)
THREE = {"source": (Limit(10, 3),)}


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that only moves when told."""
    return FakeClock()


class BrokenCache:
    """A cache that cannot be reached."""

    def __init__(self) -> None:
        self.calls = 0

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Fail."""
        self.calls += 1
        raise CacheFailed(f"nobody there for {len(keys)} keys")

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Fail."""
        self.calls += 1
        raise CacheFailed(f"nobody there for {len(entries)} entries of {life}")


def test_a_broken_cache_is_an_empty_one(caplog: pytest.LogCaptureFixture) -> None:
    """A cache that cannot be reached reads as empty, with one warning and one count a search, and costs one call."""
    clock, broken, counted = FakeClock(), BrokenCache(), list[str]()
    forgiving = BestEffortCache(broken, clock, counted.append)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert forgiving.read(["key"]) == {}
            forgiving.write({"key": b"value"}, LIFE)
    assert (broken.calls, counted) == (1, ["CacheFailed"])
    assert [record.getMessage() for record in caplog.records] == [
        "Cache failed, searches go on without it: nobody there for 1 keys"
    ]
    clock.wait(30)
    forgiving.write({"key": b"value"}, LIFE)
    assert (broken.calls, len(counted), len(caplog.records)) == (2, 2, 2)


def test_a_good_cache_is_passed_through() -> None:
    """A cache that works works."""
    clock = FakeClock()
    forgiving = BestEffortCache(ProcessCache(clock), clock, list[str]().append)
    forgiving.write({"key": b"value"}, LIFE)
    assert forgiving.read(["key", "other"])["key"].value == b"value"


def test_without_flights_each_finds_its_own_answer() -> None:
    """Where nobody can tell who is answering, everyone does; where somebody can, one does."""

    class BrokenFlights:
        def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
            raise StoreFailed(f"nobody there for {key} {life} {owner}")

        def end(self, key: str, owner: str = "") -> None:
            raise StoreFailed(f"nobody there for {key} {owner}")

    clock, counted = FakeClock(), list[str]()
    forgiving = BestEffortLocks(BrokenFlights(), clock, counted.append)
    assert forgiving.begin("q", LIFE)
    clock.wait(30)
    forgiving.end("q")
    assert counted == ["FlightsFailed", "FlightsFailed"]
    working = BestEffortLocks(ProcessLocks(clock), clock, counted.append)
    assert [working.begin("q", LIFE), working.begin("q", LIFE)] == [True, False]
    working.end("q")
    assert working.begin("q", LIFE)


class BrokenBudget:
    """A shared budget that cannot be reached while it is broken."""

    def __init__(self, budget: ProcessRateLimiter) -> None:
        self.budget = budget
        self.broken = False
        self.calls = 0

    def _reached(self) -> ProcessRateLimiter:
        self.calls += 1
        if self.broken:
            raise StoreFailed("nobody there")
        return self.budget

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take a turn."""
        return self._reached().take(key, cost, latest)

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when it is closed."""
        return self._reached().closed_until(key)

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Learn."""
        self._reached().learn(key, remaining, reset_at)

    def close(self, key: str, until: datetime) -> None:
        """Close."""
        self._reached().close(key, until)


def test_without_the_shared_budget_each_keeps_to_the_limits(clock: FakeClock) -> None:
    """Where the shared budget fails, a process goes on within the limits by what it spent itself."""
    shared, counted = BrokenBudget(ProcessRateLimiter(clock, THREE)), list[str]()
    budget = BestEffortRateLimiter(shared, ProcessRateLimiter(clock, THREE), clock, counted.append)
    assert budget.take("source").taken
    assert shared.budget.take("source").taken
    shared.broken = True
    assert [budget.take("source").taken for _ in range(3)] == [True, True, False]
    budget.learn("source", 0, SOON)
    budget.close("source", LATER)
    assert budget.closed_until("source") == LATER
    assert (counted, shared.calls) == (["RateBudgetFailed"], 2)


def test_the_shared_budget_is_asked_again_when_it_may_be_back(clock: FakeClock) -> None:
    """A shared budget that came back counts again half a minute later."""
    shared = BrokenBudget(ProcessRateLimiter(clock, THREE))
    budget = BestEffortRateLimiter(shared, ProcessRateLimiter(clock, THREE), clock, list[str]().append)
    shared.broken = True
    assert budget.take("source").taken
    shared.broken = False
    clock.wait(30)
    assert budget.take("source", 3).taken
    assert not shared.budget.take("source").taken
    budget.learn("source", 0, clock.now() + timedelta(seconds=9))
    budget.close("source", LATER)
    assert shared.budget.closed_until("source") == LATER
