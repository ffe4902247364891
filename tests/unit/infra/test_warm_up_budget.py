"""Warm-ups spend a share of each limit, and never more of the limit itself than users leave."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.infra.rate_limits.limits import LIMITS, WARMING, limits_for, with_warm_up_limits
from goldpan.infra.rate_limits.port import ProcessRateLimiter, WarmUpRateLimiter
from goldpan.infra.rate_limits.limits import Limit

from tests.support.fakes import START, FakeClock

KEY = "github:rest-search:token:abc"
LONG = timedelta(seconds=50)


def budgets(share: float) -> tuple[FakeClock, ProcessRateLimiter, WarmUpRateLimiter]:
    """Make a budget, and the same as warm-ups may use it."""
    clock, limits = FakeClock(), with_warm_up_limits(LIMITS, share)
    budget = ProcessRateLimiter(clock, limits)
    return clock, budget, WarmUpRateLimiter(budget, limits, clock)


def test_every_limit_has_its_share() -> None:
    """A share of a limit is rounded down, for every window, and the limits themselves stay."""
    limits = with_warm_up_limits(LIMITS, 0.25)
    assert {name: limits[name] for name in LIMITS} == LIMITS
    assert limits_for(WARMING + "github:graphql:token:abc", limits) == (Limit(3600, 1250), Limit(60, 500))
    assert limits_for(WARMING + KEY, limits) == (Limit(60, 7),)


def test_warm_ups_stop_at_their_share() -> None:
    """Of 30 turns warm-ups get seven; users still have all the others at once."""
    _, budget, warming = budgets(0.25)
    assert [warming.take(KEY).taken for _ in range(8)] == [True] * 7 + [False]
    assert [budget.take(KEY).taken for _ in range(24)] == [True] * 23 + [False]


def test_warm_ups_get_nothing_where_users_spent_all() -> None:
    """A share is no right: where the limit itself is spent, a warm-up has no turn."""
    _, budget, warming = budgets(0.5)
    for _ in range(30):
        budget.take(KEY)
    turn = warming.take(KEY)
    assert not turn.taken
    assert turn.at > START + LONG


def test_a_turn_is_the_later_of_both() -> None:
    """A warm-up that may wait gets its turn when its own share has room again."""
    clock, _, warming = budgets(1 / 30)
    assert warming.take(KEY, latest=START + LONG).at == START
    turn = warming.take(KEY, latest=clock.now() + timedelta(seconds=59))
    assert not turn.taken
    clock.wait(30)
    turn = warming.take(KEY, latest=clock.now() + timedelta(seconds=50))
    assert turn.taken
    assert turn.at > START + timedelta(seconds=60)


@pytest.mark.parametrize("share", [0, 0.01])
def test_a_share_that_holds_nothing_has_no_turn(share: float) -> None:
    """A cost that the share never holds is refused, not waited for."""
    _, budget, warming = budgets(share)
    assert not warming.take(KEY, latest=START + LONG).taken
    assert budget.take(KEY).taken


def test_what_a_source_says_is_for_all() -> None:
    """A source that asked to be left alone is left alone by both, whoever was told."""
    _, budget, warming = budgets(0.5)
    warming.close(KEY, START + LONG)
    assert budget.closed_until(KEY) == warming.closed_until(KEY) == START + LONG
    warming.learn("github:graphql:token:abc", 0, START + LONG)
    assert not budget.take("github:graphql:token:abc").taken


def test_a_source_without_limits_has_no_share() -> None:
    """Where nothing is documented, a warm-up is as free as a user."""
    _, _, warming = budgets(0.25)
    assert all(warming.take("github-enterprise:graphql:token:abc").taken for _ in range(100))
