"""Turns within a budget: waited for where they fit the deadline, else reported with their time."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited
from goldpan.infra.rate_limits.limits import LIMITS, limits_for, rate_limit_key
from goldpan.infra.rate_limits.port import ProcessRateLimiter, Turn, wait_for_reservation
from goldpan.infra.rate_limits.limits import Limit

from tests.support.fakes import START, FakeClock

SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)
THREE = {"source": (Limit(10, 3),)}


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that only moves when told."""
    return FakeClock()


@pytest.fixture
def budget(clock: FakeClock) -> ProcessRateLimiter:
    """Make a budget of three in ten seconds."""
    return ProcessRateLimiter(clock, THREE)


def waited(budget: ProcessRateLimiter, clock: FakeClock, seconds: float, cost: int = 1) -> float:
    """Wait for a turn, and tell for how long."""
    began = clock.now()
    wait_for_reservation(budget, "source", cost, Deadline.after(seconds, clock))
    return (clock.now() - began).total_seconds()


def test_a_turn_that_fits_is_waited_for(budget: ProcessRateLimiter, clock: FakeClock) -> None:
    """Three calls are made at once, the fourth when the first is ten seconds ago."""
    assert [waited(budget, clock, 1) for _ in range(3)] == [0, 0, 0]
    assert 10 < waited(budget, clock, 15) < 12


def test_a_turn_that_does_not_fit_is_reported(budget: ProcessRateLimiter, clock: FakeClock) -> None:
    """A turn that leaves no second for the call is reported with its time, and costs nothing."""
    assert waited(budget, clock, 1, cost=3) == 0
    for _ in range(5):
        with pytest.raises(RateLimited, match="the rate limit of source is reached until 12:00:1") as limited:
            waited(budget, clock, 11)
        assert START + timedelta(seconds=10) < limited.value.retry_at < START + timedelta(seconds=12)
    clock.wait(12)
    assert waited(budget, clock, 1, cost=3) == 0


def test_a_source_that_closes_meanwhile(clock: FakeClock) -> None:
    """Who waits for a turn does not call where somebody else was refused meanwhile."""

    class ClosingBudget(ProcessRateLimiter):
        def closed_until(self, key: str) -> datetime | None:
            self.close(key, LATER)
            return super().closed_until(key)

    budget = ClosingBudget(clock, THREE)
    assert waited(budget, clock, 1, cost=3) == 0
    with pytest.raises(RateLimited, match="source asked not to be called before 12:01:30") as limited:
        waited(budget, clock, 20)
    assert limited.value.retry_at == LATER


def test_threads_share_a_budget() -> None:
    """Of fifty threads that take at once, three get a turn."""
    budget = ProcessRateLimiter(limits=THREE)
    turns: list[Turn] = []
    threads = [threading.Thread(target=lambda: turns.append(budget.take("source"))) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(turn.taken for turn in turns) == 3


def test_threads_share_the_latest_time() -> None:
    """Of many threads that close a source at once the latest time holds."""
    budget = ProcessRateLimiter()
    moments = [START + timedelta(seconds=number) for number in range(64)]
    threads = [threading.Thread(target=budget.close, args=("github", moment)) for moment in moments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.closed_until("github") == moments[-1]


@pytest.mark.parametrize(
    ("budget", "credential", "limits"),
    [
        ("github:rest-search", None, [(60, 10)]),
        ("github:rest-search", "good-token", [(60, 30)]),
        ("github:graphql", "good-token", [(3600, 5000), (60, 2000)]),
        ("github-enterprise:graphql", "good-token", []),
        ("github:rest-searching", None, []),
    ],
)
def test_the_documented_limits(budget: str, credential: str | None, limits: list[tuple[int, int]]) -> None:
    """GitHub's documented limits are the defaults, by what is called and with which credential."""
    key = rate_limit_key(budget, "https://api.github.com", credential)
    assert [(limit.window_seconds, limit.most) for limit in limits_for(key, LIMITS)] == limits


def test_a_key_tells_credentials_apart_without_telling_them() -> None:
    """Two tokens have two budgets, and so has one token at two addresses; no key holds a token."""
    asked = [
        (address, token) for address in ("https://a", "https://b") for token in ("good-token", "other-token", None)
    ]
    keys = [rate_limit_key("github:graphql", address, token) for address, token in asked]
    assert len(set(keys)) == 6
    assert not any("token:good" in key or "good-token" in key or "https" in key for key in keys)
