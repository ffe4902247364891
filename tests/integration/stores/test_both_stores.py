"""The cache, the locks and the rate limits, which work alike in SQLite and in DynamoDB."""

import random
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.infra.cache import Entry
from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.source_client import LEASE_SECONDS

from tests.integration.stores.opened import STORES, Opened, opened
from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter, fullest_window

Functions = tuple[Opened, Opened]
BOUND: Limits = {name: (Limit(LEASE_SECONDS, 2),) for name in ("source", "another")}
"""How many calls of two sources may be in flight."""
HOUR, LOCKED = timedelta(hours=1), timedelta(seconds=29)
SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)


def test_many_entries_are_read_at_once(functions: Functions) -> None:
    """Of many keys, also repeated ones, those with an entry are returned as they were written, with their times."""
    writer, reader = functions
    written = {"answer:1": '{"query": "日本語"}'.encode()} | {f"source:{n}": bytes([n]) * 300 for n in range(140)}
    keys = [*written, *(f"source:{number}" for number in range(140, 230))]
    writer.cache.write(written, HOUR)
    expected = {key: Entry(value, START, START + HOUR) for key, value in written.items()}
    assert reader.cache.read([*keys, *keys]) == expected
    assert reader.cache.read([]) == {}


def test_reading_does_not_renew_an_entry(functions: Functions, clock: FakeClock) -> None:
    """An entry that is read again and again is stale after its TTL and expired one day later, but for a new value."""
    writer, reader = functions
    writer.cache.write({"one": b"value", "other": b"old"}, HOUR)
    for minutes in (20, 39, 1):
        assert reader.cache.read(["one"])["one"].is_fresh(clock.now())
        clock.wait(60 * minutes)
    stale = reader.cache.read(["one"])["one"]
    assert (stale.is_fresh(clock.now()), stale.age(clock.now())) == (False, 3600)
    clock.wait(86_400 - 1)
    reader.cache.write({"other": b"new"}, timedelta(minutes=1))
    assert set(reader.cache.read(["one", "other"])) == {"one", "other"}
    clock.wait(1)
    (new,) = writer.cache.read(["one", "other"]).values()
    assert (new.value, new.age(clock.now()), new.is_fresh(clock.now())) == (b"new", 1, True)
    assert new.age(clock.now() - timedelta(seconds=5)) == 0, "the clock of another machine may be ahead"


def test_a_lock_has_one_owner(functions: Functions, clock: FakeClock) -> None:
    """Until it releases it, or the TTL of its last acquisition is over; releasing a lock of another does nothing."""
    one, other = functions
    other.locks.release("q", "other")
    assert one.locks.acquire("q", LOCKED, "one")
    other.locks.release("q", "other")
    assert not other.locks.acquire("q", LOCKED, "other")
    assert other.locks.acquire("another", LOCKED, "other")
    one.locks.release("q", "one")
    assert other.locks.acquire("q", LOCKED, "other")
    assert one.locks.acquire("abandoned", LOCKED, "execution")
    clock.wait(20)
    assert other.locks.acquire("abandoned", LOCKED, "execution")
    clock.wait(28.9)
    assert not one.locks.acquire("abandoned", LOCKED, "next")
    clock.wait(0.1)
    assert one.locks.acquire("abandoned", LOCKED, "next")
    other.locks.release("abandoned", "execution")
    assert not other.locks.acquire("abandoned", LOCKED, "third")


@pytest.mark.parametrize("key", ["minute", "unlimited"])
def test_a_block_holds_for_all(functions: Functions, clock: FakeClock, key: str) -> None:
    """The latest time that one function received holds for the others, with limits and without."""
    one, other = functions
    assert other.rate_limiter.blocked_until(key) is None
    assert other.rate_limiter.acquire(key).granted
    for until in (SOON, LATER, SOON):
        one.rate_limiter.block_until(key, until)
    assert other.rate_limiter.blocked_until(key) == other.rate_limiter.acquire(key).at == LATER
    clock.wait(40)
    assert not other.rate_limiter.acquire(key).granted
    assert other.rate_limiter.acquire(key, latest=LATER).at == LATER
    clock.wait(50)
    assert one.rate_limiter.acquire(key).granted


def test_a_block_that_a_wrong_clock_wrote_is_ignored(functions: Functions, clock: FakeClock) -> None:
    """No source asks for a pause of two days: calls are made, and a pause that a source does ask for is kept."""
    one, other = functions
    clock.wait(172_800)
    one.rate_limiter.block_until("minute", clock.now() + timedelta(minutes=1))
    clock.wait(-172_800)
    assert other.rate_limiter.acquire("minute").granted
    assert other.rate_limiter.blocked_until("minute") is None
    one.rate_limiter.block_until("minute", SOON)
    assert other.rate_limiter.blocked_until("minute") == other.rate_limiter.acquire("minute").at == SOON


def test_a_released_call_may_be_made_by_any_function(functions: Functions, clock: FakeClock) -> None:
    """What was reserved for a call that never reached the source is room again, once; not after its window."""
    one, other = functions
    reservations = [one.rate_limiter.acquire("minute") for _ in range(10)]
    one.rate_limiter.release("minute", reservations[0])
    one.rate_limiter.release("minute", reservations[1], cost=20)
    one.rate_limiter.release("unlimited", reservations[2])
    assert [other.rate_limiter.acquire("minute").granted for _ in range(2)] == [True, False]
    clock.wait(63)
    assert other.rate_limiter.acquire("minute", cost=10).granted
    one.rate_limiter.release("minute", reservations[3])
    assert not one.rate_limiter.acquire("minute").granted


def test_two_functions_share_a_bound(functions: Functions, clock: FakeClock) -> None:
    """A third call waits for the end of one, or until its window has passed; the late end of that frees no other."""
    one, other = (each.rate_limiter.for_calls(BOUND) for each in functions)
    first, late = one.acquire("source"), other.acquire("source")
    assert first.granted
    assert late.granted
    assert [each.acquire("source").granted for each in (one, other)] == [False, False]
    assert other.acquire("another").granted
    one.release("source", first)
    assert [each.acquire("source").granted for each in (other, one)] == [True, False]
    clock.wait(LEASE_SECONDS)
    assert not other.acquire("source").granted
    clock.wait(2)
    assert [other.acquire("source").granted for _ in range(3)] == [True, True, False]
    one.release("source", late)
    assert not one.acquire("source").granted


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("store", STORES)
def test_every_store_counts_alike(store: str, seed: int, tmp_path: Path) -> None:
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
                assert not found.granted or abs((found.at - expected.at).total_seconds()) < 0.1
                granted += [(expected.at.timestamp(), cost)] if expected.granted else []
    assert len(granted) > 5
    assert fullest_window(granted, 60) <= 10
    assert fullest_window(granted, 10) <= 4
