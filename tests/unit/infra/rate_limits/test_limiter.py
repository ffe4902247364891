"""Reservations and calls in flight wait within the deadline; a shared limiter has a fallback; warm-ups have a share."""

from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Cancelled, RateLimited, TimedOut
from goldpan.infra.rate_limits import limiter as limiter_module
from goldpan.infra.rate_limits.limiter import RateLimiter, Reservation, wait_for_reservation
from goldpan.infra.rate_limits.limits import Limit, limits_for, rate_limit_key
from goldpan.infra.source_client import InFlightLimit
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.infra.table import BestEffortTable, MemoryTable

from tests.support.fakes import START, FakeClock, cancel
from tests.support.memory_stores import MemoryRateLimiter

SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)
THREE = {"source": (Limit(10, 3),)}
THIRTY = {"source": (Limit(3600, 5000), Limit(60, 30))}


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that moves only when goldpan waits."""
    return FakeClock()


def waited(limiter: RateLimiter, clock: FakeClock, seconds: float, cost: int = 1) -> float:
    """Wait for a reservation; returns for how long."""
    began = clock.now()
    wait_for_reservation(limiter, "source", cost, Deadline.after(seconds, clock))
    return (clock.now() - began).total_seconds()


def granted(limiter: RateLimiter, times: int) -> list[bool]:
    """Reserve a number of calls for now; returns which were granted."""
    return [limiter.acquire("source").granted for _ in range(times)]


def test_a_reservation_is_waited_for_if_it_fits(clock: FakeClock) -> None:
    """Three calls are made at once; the fourth waits, or is refused with its time if that leaves it no second."""
    limiter = MemoryRateLimiter(clock, THREE)
    assert [waited(limiter, clock, 1) for _ in range(3)] == [0, 0, 0]
    for _ in range(5):  # a refused call spends nothing
        with pytest.raises(RateLimited, match="the rate limit of source is reached until 12:00:1") as limited:
            waited(limiter, clock, 11)
        assert START + timedelta(seconds=10) < limited.value.retry_at < START + timedelta(seconds=12)
        assert not limited.value.sent
    assert 10 < waited(limiter, clock, 15) < 12
    assert waited(limiter, clock, 1, cost=2) == 0


def test_a_source_that_is_blocked_during_the_wait(clock: FakeClock) -> None:
    """After a wait no call is made if the source refused another caller during it."""
    limiter = MemoryRateLimiter(clock, THREE)
    until = START + timedelta(seconds=13)
    clock.on_wait = lambda: limiter.block_until("source", until)
    assert waited(limiter, clock, 1, cost=3) == 0
    with pytest.raises(RateLimited, match="source asked not to be called before 12:00:13") as limited:
        waited(limiter, clock, 20)
    assert (limited.value.retry_at, limited.value.sent) == (until, False)
    clock.on_wait, clock.time = lambda: None, until
    assert granted(limiter, 4) == [True] * 3 + [False]


def test_the_limits_hold_while_the_shared_limiter_fails(clock: FakeClock, tmp_path: Path) -> None:
    """A process counts on from what it last saw, also of others; after half a minute it shares limits again."""
    path, counted = tmp_path / "goldpan.sqlite", list[str]()
    file = SqliteFile(path)
    table = SqliteTable(file, clock)
    shared = RateLimiter(table, clock, THREE)
    limiter = RateLimiter(BestEffortTable(table, clock, counted.append), clock, THREE)
    assert granted(limiter, 1) == granted(shared, 1) == [True]
    file.close()
    path.write_bytes(b"this is no database" * 100)
    assert granted(limiter, 3) == [True, True, False]
    limiter.reconcile("source", 0, SOON)
    limiter.block_until("source", LATER)
    assert (limiter.blocked_until("source"), counted) == (LATER, ["RateBudgetFailed"])
    path.unlink()
    clock.wait(30)
    assert (granted(limiter, 1), granted(shared, 1)) == ([False], [True])
    clock.wait(60)
    assert granted(shared, 1) == granted(limiter, 1) == [True]
    limiter.reconcile("source", 0, clock.now() + timedelta(seconds=9))
    assert granted(shared, 1) == [False]
    file.close()


@pytest.mark.parametrize("cost", [0, 2], ids=["a read", "a refusal"])
def test_a_process_counts_on_from_what_others_spent(clock: FakeClock, tmp_path: Path, cost: int) -> None:
    """Whether it saw that in a read, or in a refusal of its own reservation."""
    file = SqliteFile(tmp_path / "goldpan.sqlite")
    table = SqliteTable(file, clock)
    shared = RateLimiter(table, clock, THREE)
    limiter = RateLimiter(BestEffortTable(table, clock, list[str]().append), clock, THREE)
    limiter.blocked_until("source")
    assert granted(shared, 2) == [True] * 2
    assert not limiter.acquire("source", cost).granted if cost else limiter.blocked_until("source") is None
    file.close()
    (tmp_path / "goldpan.sqlite").write_bytes(b"this is no database" * 100)
    assert granted(limiter, 2) == [True, False]
    file.close()


def test_a_call_that_was_never_made_returns_its_cost(clock: FakeClock) -> None:
    """A wait that is cancelled takes nothing from the others, and neither does a warm-up that was not sent."""
    alone, clock.on_wait = MemoryRateLimiter(clock, THREE), cancel
    assert granted(alone, 3) == [True] * 3
    with pytest.raises(Cancelled):
        waited(alone, clock, 20, cost=3)
    assert alone.acquire("source", 3).granted
    _, warm_ups = shared_with_warm_ups(clock, 0.1)
    warm_ups.release("source", warm_ups.acquire("source", 3), 3)
    assert granted(warm_ups, 4) == [True] * 3 + [False]


def shared_with_warm_ups(clock: FakeClock, share: float) -> tuple[RateLimiter, RateLimiter]:
    """Make a rate limiter of 30 calls a minute, and the same for warm-ups."""
    users = MemoryRateLimiter(clock, THIRTY)
    return users, users.with_share(share)


def test_warm_ups_keep_to_their_share(clock: FakeClock) -> None:
    """Of 30 calls seven are left for warm-ups, less what users spent, and of few one; one may wait for its share."""
    _, warm_ups = shared_with_warm_ups(clock, 1 / 30)
    assert warm_ups.acquire("source", latest=LATER).at == START
    assert not warm_ups.acquire("source", latest=START + timedelta(seconds=59)).granted
    clock.wait(30)
    later = warm_ups.acquire("source", latest=clock.now() + timedelta(seconds=50))
    assert later.granted
    assert START + timedelta(seconds=60) < later.at < START + timedelta(seconds=64)
    for share, expected in ((0.01, [True, False]), (0, [False, False])):
        assert granted(shared_with_warm_ups(clock, share)[1], 2) == expected
    users, warm_ups = shared_with_warm_ups(clock, 0.25)
    assert granted(users, 2) == [True] * 2
    assert granted(warm_ups, 6) == [True] * 5 + [False]
    assert granted(users, 24) == [True] * 23 + [False]
    clock.wait(63)
    assert users.acquire("source", 30).granted
    refused = warm_ups.acquire("source")
    assert not refused.granted
    assert refused.at > clock.now() + timedelta(seconds=50)


def test_what_holds_for_users_and_warm_ups(clock: FakeClock) -> None:
    """A cost that the share never holds is refused until tomorrow; what a source reports to a warm-up is for all."""
    users, warm_ups = shared_with_warm_ups(clock, 0.01)
    assert warm_ups.acquire("source", 2, latest=LATER) == Reservation(START + timedelta(days=1), granted=False)
    assert granted(users, 1) == [True]
    warm_ups.reconcile("source", 0, SOON)
    assert granted(users, 1) == [False]
    warm_ups.block_until("source", LATER)
    assert users.blocked_until("source") == warm_ups.blocked_until("source") == LATER
    clock.wait(300)
    users.reconcile("source", 20, clock.now() + timedelta(minutes=10))  # by the limit of the hour
    assert granted(users, 21) == [True] * 20 + [False]
    clock.wait(65)
    assert granted(users, 1) == [False]
    assert warm_ups.acquire("without limits", 100).granted


LIMITS = {"github:rest:token": (Limit(60, 30),), "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000))}


def test_a_key_distinguishes_credentials_without_revealing_them() -> None:
    """Two tokens, and one at two addresses, have two keys without a secret, and the limits of their first words."""
    accesses = [(address, token) for address in ("https://a", "https://b") for token in ("good-token", "other", None)]
    keys = [rate_limit_key("github:graphql", address, token) for address, token in accesses]
    assert len(set(keys)) == 6
    assert not any("good-token" in key or "other" in key or "https" in key for key in keys)
    assert [key.split(":")[2] for key in keys] == ["token", "token", "anonymous"] * 2
    key = rate_limit_key("github:graphql", "https://api.github.com", "good-token")
    assert limits_for(key, LIMITS) == (Limit(3600, 5000), Limit(60, 2000))
    assert limits_for("github:rest:token", LIMITS) == (Limit(60, 30),)
    assert limits_for("github:rest:token-of-another", LIMITS) == limits_for("other:rest:token", LIMITS) == ()


def test_a_call_beyond_the_bound_waits_within_its_deadline(clock: FakeClock) -> None:
    """It is made when another one ends; without one, it is refused a second before its deadline, with a time."""
    limit = InFlightLimit(MemoryRateLimiter(clock), "source", 1)
    first, second = (limit.call("source:token:1", Deadline.after(5, clock)) for _ in range(2))
    with first, pytest.raises(RateLimited, match="source allows 1 call at a time") as refused, second:
        pytest.fail("two calls at once")
    waited = (clock.now() - START).total_seconds()
    assert waited == pytest.approx(4)
    assert not refused.value.sent
    assert (refused.value.retry_at - START).total_seconds() == pytest.approx(12.8, abs=0.8), "its lease ends then"
    assert len(clock.waits) < 60
    with limit.call("source:token:1", Deadline.after(5, clock)), limit.call("source:other", Deadline.after(5, clock)):
        assert (clock.now() - START).total_seconds() == waited


def test_a_clock_that_is_behind_a_little_refuses_no_call(clock: FakeClock) -> None:
    """A machine whose clock is nearly a second ahead has made the call before."""
    table, ahead = MemoryTable(), FakeClock()
    ahead.wait(0.9)
    here, there = (InFlightLimit(RateLimiter(table, each, {}), "source", 2) for each in (clock, ahead))
    with there.call("source", Deadline.after(5, ahead)):
        for _ in range(2):  # the second time it knows of the other call
            with here.call("source", Deadline.after(5, clock)):
                assert clock.waits == []


@pytest.mark.parametrize(("most", "is_granted"), [(1, True), (2, False)])
def test_the_end_of_a_process_is_that_of_one_call(
    clock: FakeClock, monkeypatch: pytest.MonkeyPatch, *, most: int, is_granted: bool
) -> None:
    """Of several, nothing says which were its own."""
    monkeypatch.setattr(limiter_module, "has_ended", lambda _: True)
    calls = MemoryRateLimiter(clock).for_calls({"source": (Limit(12, most),)})
    assert granted(calls, most + 1) == [True] * most + [is_granted]


@pytest.mark.parametrize(("error", "waits"), [(ValueError, 0), (TimedOut, 12.8)])
def test_a_call_that_fails_counts_no_longer(clock: FakeClock, error: type[Exception], waits: float) -> None:
    """A call that was cut at its deadline counts until its window ends: the source may still be working on it."""
    limit = InFlightLimit(MemoryRateLimiter(clock), "source", 1)

    def fail() -> None:
        with limit.call("source", Deadline.after(5, clock)):
            raise error("late")

    with pytest.raises(error):
        fail()
    with limit.call("source", Deadline.after(20, clock)):
        assert (clock.now() - START).total_seconds() == pytest.approx(waits, abs=0.8)
