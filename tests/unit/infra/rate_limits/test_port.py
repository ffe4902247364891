"""Reservations are waited for if the deadline allows it; the shared limiter has a fallback; warm-ups have a share."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited, StoreFailed
from goldpan.infra.rate_limits.limits import Limit, with_warm_up_limits
from goldpan.infra.rate_limits.port import (
    BestEffortRateLimiter,
    RateLimiter,
    Reservation,
    WarmUpRateLimiter,
    wait_for_reservation,
)

from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter

SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)
THREE = {"source": (Limit(10, 3),)}
THIRTY = {"source": (Limit(60, 30),)}


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that moves only when goldpan waits."""
    return FakeClock()


def waited(limiter: RateLimiter, clock: FakeClock, seconds: float, cost: int = 1) -> float:
    """Wait for a reservation; returns for how long."""
    began = clock.now()
    wait_for_reservation(limiter, "source", cost, Deadline.after(seconds, clock))
    return (clock.now() - began).total_seconds()


def test_a_reservation_that_fits_is_waited_for(clock: FakeClock) -> None:
    """Three calls are made at once, the fourth ten seconds after the first."""
    limiter = MemoryRateLimiter(clock, THREE)
    assert [waited(limiter, clock, 1) for _ in range(3)] == [0, 0, 0]
    assert 10 < waited(limiter, clock, 15) < 12


def test_a_reservation_that_does_not_fit_is_raised(clock: FakeClock) -> None:
    """A reservation that leaves no second for the call is raised with its time, and spends nothing."""
    limiter = MemoryRateLimiter(clock, THREE)
    assert waited(limiter, clock, 1, cost=3) == 0
    for _ in range(5):
        with pytest.raises(RateLimited, match="the rate limit of source is reached until 12:00:1") as limited:
            waited(limiter, clock, 11)
        assert START + timedelta(seconds=10) < limited.value.retry_at < START + timedelta(seconds=12)
    clock.wait(12)
    assert waited(limiter, clock, 1, cost=3) == 0


def test_a_source_that_is_blocked_during_the_wait(clock: FakeClock) -> None:
    """After a wait no call is made if another caller was refused in the meantime."""

    class BlockedWhileWaiting(FakeClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            limiter.block_until("source", LATER)

    clock = BlockedWhileWaiting()
    limiter = MemoryRateLimiter(clock, THREE)
    assert waited(limiter, clock, 1, cost=3) == 0
    with pytest.raises(RateLimited, match="source asked not to be called before 12:01:30") as limited:
        waited(limiter, clock, 20)
    assert limited.value.retry_at == LATER


class BreakingRateLimiter:
    """A rate limiter that cannot be reached while it is broken."""

    def __init__(self, limiter: RateLimiter) -> None:
        self.limiter, self.broken, self.calls = limiter, False, 0

    def _reach(self) -> RateLimiter:
        self.calls += 1
        if self.broken:
            raise StoreFailed("no connection")
        return self.limiter

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve a call."""
        return self._reach().acquire(key, cost, latest)

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent."""
        self._reach().reconcile(key, remaining, reset_at)

    def block_until(self, key: str, until: datetime) -> None:
        """Block."""
        self._reach().block_until(key, until)

    def blocked_until(self, key: str) -> datetime | None:
        """Return the last block."""
        return self._reach().blocked_until(key)


def test_the_fallback_keeps_to_the_limits(clock: FakeClock) -> None:
    """While the shared limiter fails, a process counts what it spent itself, before the failure too."""
    shared, counted = BreakingRateLimiter(MemoryRateLimiter(clock, THREE)), list[str]()
    limiter = BestEffortRateLimiter(shared, MemoryRateLimiter(clock, THREE), clock, counted.append)
    assert limiter.acquire("source").granted
    assert shared.limiter.acquire("source").granted
    shared.broken = True
    assert [limiter.acquire("source").granted for _ in range(3)] == [True, True, False]
    limiter.reconcile("source", 0, SOON)
    limiter.block_until("source", LATER)
    assert limiter.blocked_until("source") == LATER
    assert (counted, shared.calls) == (["RateBudgetFailed"], 2)


def test_the_shared_limiter_counts_again_after_half_a_minute(clock: FakeClock) -> None:
    """A shared limiter that recovered grants, reconciles and blocks again."""
    shared = BreakingRateLimiter(MemoryRateLimiter(clock, THREE))
    limiter = BestEffortRateLimiter(shared, MemoryRateLimiter(clock, THREE), clock, list[str]().append)
    shared.broken = True
    assert limiter.acquire("source").granted
    shared.broken = False
    clock.wait(30)
    assert limiter.acquire("source", 1).granted
    limiter.reconcile("source", 0, clock.now() + timedelta(seconds=9))
    assert not shared.limiter.acquire("source").granted
    limiter.block_until("source", LATER)
    assert limiter.blocked_until("source") == shared.limiter.blocked_until("source") == LATER


def shared_with_warm_ups(clock: FakeClock, share: float) -> tuple[RateLimiter, RateLimiter]:
    """Make a rate limiter of 30 calls a minute, and the same for warm-ups."""
    limits = with_warm_up_limits(THIRTY, share)
    users = MemoryRateLimiter(clock, limits)
    return users, WarmUpRateLimiter(users, limits, clock)


def test_warm_ups_stop_at_their_share(clock: FakeClock) -> None:
    """Of 30 calls warm-ups get seven; users get all the others."""
    users, warm_ups = shared_with_warm_ups(clock, 0.25)
    assert [warm_ups.acquire("source").granted for _ in range(8)] == [True] * 7 + [False]
    assert [users.acquire("source").granted for _ in range(24)] == [True] * 23 + [False]


def test_warm_ups_get_nothing_if_users_spent_all(clock: FakeClock) -> None:
    """A share is not reserved: if the limit itself is spent, a warm-up is refused."""
    users, warm_ups = shared_with_warm_ups(clock, 0.5)
    assert users.acquire("source", 30).granted
    refused = warm_ups.acquire("source")
    assert not refused.granted
    assert refused.at > START + timedelta(seconds=50)


def test_a_warm_up_waits_for_its_share(clock: FakeClock) -> None:
    """A warm-up that may wait is granted the time at which its share has room again."""
    _, warm_ups = shared_with_warm_ups(clock, 1 / 30)
    assert warm_ups.acquire("source", latest=LATER).at == START
    assert not warm_ups.acquire("source", latest=START + timedelta(seconds=59)).granted
    clock.wait(30)
    later = warm_ups.acquire("source", latest=clock.now() + timedelta(seconds=50))
    assert later.granted
    assert START + timedelta(seconds=60) < later.at < START + timedelta(seconds=64)


@pytest.mark.parametrize("share", [0, 0.01])
def test_a_cost_larger_than_the_share_is_refused(clock: FakeClock, share: float) -> None:
    """A cost that the share never holds is refused until tomorrow."""
    users, warm_ups = shared_with_warm_ups(clock, share)
    assert warm_ups.acquire("source", latest=LATER) == Reservation(START + timedelta(days=1), granted=False)
    assert users.acquire("source").granted


def test_what_a_source_reports_is_for_users_and_warm_ups(clock: FakeClock) -> None:
    """A block and a remainder that were reported to a warm-up hold for users too."""
    users, warm_ups = shared_with_warm_ups(clock, 0.5)
    warm_ups.reconcile("source", 0, SOON)
    assert not users.acquire("source").granted
    warm_ups.block_until("source", LATER)
    assert users.blocked_until("source") == warm_ups.blocked_until("source") == LATER


def test_a_source_without_limits_is_free_for_warm_ups(clock: FakeClock) -> None:
    """A warm-up is as free as a user if a source has no limits."""
    _, warm_ups = shared_with_warm_ups(clock, 0.25)
    assert all(warm_ups.acquire("other").granted for _ in range(100))
