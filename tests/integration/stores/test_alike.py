"""Every store counts as one process would: the same turns, whatever is taken, learned and closed."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.infra.rate_limits.port import ProcessRateLimiter
from goldpan.infra.rate_limits.limits import Limit

from tests.integration.stores.opened import STORES, Store, opened
from tests.support.fakes import FakeClock
from tests.support.windows import most_in_a_window

A_MOMENT = timedelta(seconds=0.1)
"""A function that was beaten to it tries again a moment later."""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("store", STORES)
def test_every_store_counts_alike(store: Store, seed: int, tmp_path: Path) -> None:
    """Whatever is taken, learned and closed by two functions, every store gives the turns that one process would."""
    chance, clock = random.Random(seed), FakeClock()
    limits = {"github": (Limit(60, 10), Limit(10, 4))}
    alone = ProcessRateLimiter(clock, limits)
    calls = list[tuple[float, int]]()
    with opened(store, tmp_path, clock, limits) as functions:
        budgets = [alone] if store == "process" else [alone, functions[0].budget, functions[1].budget]
        for _ in range(40):
            clock.wait(chance.choice((0, 0, 0.5, 3, 20)))
            shared, now = chance.choice(budgets[1:] or budgets), clock.now()
            both = (alone, shared) if shared is not alone else (alone,)
            deed, cost, later = chance.random(), chance.randint(1, 3), now + timedelta(seconds=chance.randint(0, 30))
            if deed < 0.1:
                for budget in both:
                    budget.learn("github", cost, later)
            elif deed < 0.15:
                for budget in both:
                    budget.close("github", now + timedelta(seconds=cost))
            else:
                turns = [budget.take("github", cost, later) for budget in both]
                assert len({turn.taken for turn in turns}) == 1
                assert not turns[0].taken or abs(turns[0].at - turns[-1].at) < A_MOMENT
                calls += [(turn.at.timestamp(), cost) for turn in turns[:1] if turn.taken]
    assert len(calls) > 5
    assert most_in_a_window(calls, 60) <= 10
    assert most_in_a_window(calls, 10) <= 4
