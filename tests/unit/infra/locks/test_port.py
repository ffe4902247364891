"""Single-flight locks never fail a search."""

from __future__ import annotations

from datetime import timedelta

from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.locks.port import BestEffortLocks

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryLocks

TTL = timedelta(seconds=29)


class BrokenLocks:
    """Locks that cannot be reached."""

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Fail."""
        raise StoreFailed(f"no connection for {key} {ttl} {owner}")

    def release(self, key: str, owner: str) -> None:
        """Fail."""
        raise StoreFailed(f"no connection for {key} {owner}")


def test_without_locks_every_search_runs() -> None:
    """A lock that cannot be reached is acquired and released all the same; each failed call is counted."""
    clock, counted = FakeClock(), list[str]()
    locks = BestEffortLocks(BrokenLocks(), clock, counted.append)
    assert locks.acquire("q", TTL, "one")
    clock.wait(30)
    locks.release("q", "one")
    assert counted == ["FlightsFailed", "FlightsFailed"]


def test_with_locks_one_search_runs() -> None:
    """Locks that work are passed through."""
    clock = FakeClock()
    locks = BestEffortLocks(MemoryLocks(clock), clock, list[str]().append)
    assert [locks.acquire("q", TTL, "one"), locks.acquire("q", TTL, "two")] == [True, False]
    locks.release("q", "one")
    assert locks.acquire("q", TTL, "two")
