"""Rate limits, the same in every store: no window too full, and nothing lost for longer than a window."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.infra.rate_limits.limits import Limit

from tests.integration.stores.opened import STORES, Opened, Store, opened
from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter
from tests.support.windows import fullest_window

Functions = tuple[Opened, Opened]
MINUTE, LONGEST = timedelta(minutes=1), timedelta(seconds=63)
"""A window, and how long a cost counts at most: a window, its thirtieth, and the margin of a second."""
A_MOMENT = timedelta(seconds=0.1)
SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)


def test_two_functions_share_a_limit(functions: Functions, clock: FakeClock) -> None:
    """Ten calls a minute are ten in all; the eleventh is refused with its time."""
    for _ in range(2):
        began = clock.now()
        assert all(functions[place % 2].rate_limiter.acquire("minute").granted for place in range(10))
        for function in functions:
            refused = function.rate_limiter.acquire("minute")
            assert not refused.granted
            assert began + MINUTE < refused.at <= began + LONGEST
        clock.wait(63)
    assert functions[0].rate_limiter.acquire("hour").granted


def test_reservations_are_granted_in_order(functions: Functions, clock: FakeClock) -> None:
    """Callers that wait have times of their own, in the order of their requests, at most ten in any minute."""
    clock.wait(40)
    reservations = [function.rate_limiter.acquire("minute") for function in functions for _ in range(5)]
    for count, pause in ((4, 20), (9, 40)):
        clock.wait(pause)
        latest = clock.now() + MINUTE
        reservations += [functions[place % 2].rate_limiter.acquire("minute", latest=latest) for place in range(count)]
    assert [reservation.granted for reservation in reservations] == [True] * 20 + [False] * 3
    times = [reservation.at.timestamp() for reservation in reservations if reservation.granted]
    assert times == sorted(times)
    assert fullest_window([(time, 1) for time in times], 60) == 10


def test_the_hour_and_the_minute_both_hold(functions: Functions, clock: FakeClock) -> None:
    """A cost counts for the minute and for the hour, and both come back."""
    one, other = functions
    assert one.rate_limiter.acquire("hour", 2000).granted
    assert other.rate_limiter.acquire("hour").at <= START + LONGEST
    for _ in range(2):
        clock.wait(63)
        assert other.rate_limiter.acquire("hour", 1500).granted
    clock.wait(63)
    refused = one.rate_limiter.acquire("hour")
    assert not refused.granted
    assert START + timedelta(hours=1) < refused.at < START + timedelta(hours=1, minutes=3)
    clock.wait(3600)
    assert one.rate_limiter.acquire("hour", 2000).granted


@pytest.mark.parametrize("key", ["minute", "unlimited"])
def test_a_block_holds_for_all(functions: Functions, clock: FakeClock, key: str) -> None:
    """A time that one function received holds for the others, with limits and without."""
    one, other = functions
    assert other.rate_limiter.blocked_until(key) is None
    assert other.rate_limiter.acquire(key).granted
    one.rate_limiter.block_until(key, SOON)
    refused = other.rate_limiter.acquire(key)
    assert (refused.granted, refused.at, other.rate_limiter.blocked_until(key)) == (False, SOON, SOON)
    assert other.rate_limiter.acquire(key, latest=LATER).at == SOON
    clock.wait(30)
    assert one.rate_limiter.acquire(key).granted


def test_an_earlier_block_never_replaces_a_later_one(functions: Functions) -> None:
    """The later of two times holds, whichever was written first."""
    one, other = functions
    for until in (SOON, LATER, SOON):
        one.rate_limiter.block_until("minute", until)
    assert other.rate_limiter.blocked_until("minute") == LATER


def test_what_others_spent_is_counted_once(functions: Functions, clock: FakeClock) -> None:
    """If the source reports three calls left, three are left for all functions, until its window ends."""
    one, other = functions
    assert all(function.rate_limiter.acquire("minute").granted for function in functions)
    for function in functions:
        function.rate_limiter.reconcile("minute", 3, SOON)
        function.rate_limiter.reconcile("minute", 9, SOON)
        function.rate_limiter.reconcile("minute", None, None)
        function.rate_limiter.reconcile("unlimited", 0, LATER)
    reservations = [functions[place % 2].rate_limiter.acquire("minute") for place in range(4)]
    assert [reservation.granted for reservation in reservations] == [True, True, True, False]
    assert SOON <= reservations[3].at <= SOON + timedelta(seconds=3)
    assert one.rate_limiter.acquire("unlimited").granted
    clock.wait(33)
    assert [other.rate_limiter.acquire("minute").granted for _ in range(6)] == [True] * 5 + [False]


def test_old_costs_do_not_count(functions: Functions, clock: FakeClock) -> None:
    """A limit that was spent bit by bit and then left alone is completely available again."""
    one, other = functions
    for _ in range(25):
        assert one.rate_limiter.acquire("minute").granted
        clock.wait(7)
    clock.wait(3 * 86_400)
    assert [other.rate_limiter.acquire("minute").granted for _ in range(11)] == [True] * 10 + [False]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("store", STORES)
def test_every_store_counts_alike(store: Store, seed: int, tmp_path: Path) -> None:
    """Whatever two functions reserve, reconcile and block, a store grants the times that one process alone would."""
    chance, clock = random.Random(seed), FakeClock()
    limits = {"source": (Limit(60, 10), Limit(10, 4))}
    alone, granted = MemoryRateLimiter(clock, limits), list[tuple[float, int]]()
    with opened(store, tmp_path, clock, limits) as functions:
        for _ in range(40):
            clock.wait(chance.choice((0, 0, 0.5, 3, 20)))
            limiter, now = chance.choice(functions).rate_limiter, clock.now()
            action, cost, later = chance.random(), chance.randint(1, 3), now + timedelta(seconds=chance.randint(0, 30))
            if action < 0.1:
                alone.reconcile("source", cost, later)
                limiter.reconcile("source", cost, later)
            elif action < 0.15:
                alone.block_until("source", now + timedelta(seconds=cost))
                limiter.block_until("source", now + timedelta(seconds=cost))
            else:
                expected, found = alone.acquire("source", cost, later), limiter.acquire("source", cost, later)
                assert found.granted == expected.granted
                assert not found.granted or abs(found.at - expected.at) < A_MOMENT
                granted += [(expected.at.timestamp(), cost)] if expected.granted else []
    assert len(granted) > 5
    assert fullest_window(granted, 60) <= 10
    assert fullest_window(granted, 10) <= 4
