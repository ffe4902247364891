"""Single-flight locks: how long an abandoned one lasts."""

from datetime import timedelta

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryLocks

AT_ONCE = timedelta()


def test_an_abandoned_lock_is_free_when_its_search_must_have_ended() -> None:
    """Others wait while the machine of a search can still run, and half a minute at most if it died."""
    clock = FakeClock()
    locks = MemoryLocks(clock)
    assert locks.may_run("a search", "one that dies", 25, AT_ONCE)
    clock.wait(28)
    assert not locks.may_run("a search", "another", 25, AT_ONCE)
    clock.wait(2)
    assert locks.may_run("a search", "another", 25, AT_ONCE)
