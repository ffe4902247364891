"""Single-flight locks, the same in every store: one owner at a time, and a process that died blocks no one for long."""

from __future__ import annotations

from datetime import timedelta

from tests.integration.stores.opened import Opened
from tests.support.fakes import FakeClock

TTL = timedelta(seconds=29)


def test_one_owner_at_a_time(functions: tuple[Opened, Opened]) -> None:
    """A key is locked for all others; another key is not."""
    one, other = functions
    assert one.locks.acquire("q", TTL, "one")
    assert not other.locks.acquire("q", TTL, "other")
    assert other.locks.acquire("another", TTL, "other")


def test_a_released_lock_is_free(functions: tuple[Opened, Opened]) -> None:
    """A lock can be acquired after its release; releasing a lock that is not held does nothing."""
    one, other = functions
    other.locks.release("q", "other")
    assert one.locks.acquire("q", TTL, "one")
    other.locks.release("q", "other")
    assert not other.locks.acquire("q", TTL, "other")
    one.locks.release("q", "one")
    assert other.locks.acquire("q", TTL, "other")


def test_an_abandoned_lock_expires(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """The lock of an owner that died holds until the end of its TTL, and no longer."""
    one, other = functions
    assert one.locks.acquire("q", TTL, "dead")
    clock.wait(28.9)
    assert not other.locks.acquire("q", TTL, "alive")
    clock.wait(0.1)
    assert other.locks.acquire("q", TTL, "alive")


def test_an_owner_may_acquire_again(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """An execution whose step is retried still owns its lock, for a new TTL."""
    one, other = functions
    assert one.locks.acquire("q", TTL, "execution")
    clock.wait(20)
    assert other.locks.acquire("q", TTL, "execution")
    clock.wait(20)
    assert not one.locks.acquire("q", TTL, "another")


def test_a_late_owner_releases_only_its_own(functions: tuple[Opened, Opened], clock: FakeClock) -> None:
    """An owner whose lock has expired does not release the lock of the next owner."""
    one, other = functions
    assert one.locks.acquire("q", TTL, "late")
    clock.wait(30)
    assert other.locks.acquire("q", TTL, "next")
    one.locks.release("q", "late")
    assert not one.locks.acquire("q", TTL, "third")
