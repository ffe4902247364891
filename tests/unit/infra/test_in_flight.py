"""A call beyond the bound waits within its deadline; the bound holds while the shared store fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited, TimedOut
from goldpan.infra.in_flight import CallsInFlight, InFlightLimit
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.infra.stores import shared_rate_limiter

from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter

NOW = int(START.timestamp())


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that moves only when goldpan waits."""
    return FakeClock()


def limit_of(most: int, clock: FakeClock) -> InFlightLimit:
    """Make a bound."""
    return InFlightLimit(MemoryRateLimiter(clock).in_flight, most, clock)


def test_a_call_beyond_the_bound_waits_within_its_deadline(clock: FakeClock) -> None:
    """It is made when another one ends; without one, it is refused a second before its deadline, with a time."""
    limit = limit_of(1, clock)
    first, second = (limit.call("source:token:1", Deadline.after(5, clock)) for _ in range(2))
    with first, pytest.raises(RateLimited, match="source allows 1 call at a time") as refused, second:
        pytest.fail("two calls at once")
    waited = (clock.now() - START).total_seconds()
    assert waited == pytest.approx(4)
    assert (refused.value.retry_at - clock.now()).total_seconds() == 1
    assert len(clock.waits) < 60
    with limit.call("source:token:1", Deadline.after(5, clock)), limit.call("source:other", Deadline.after(5, clock)):
        assert (clock.now() - START).total_seconds() == waited


@pytest.mark.parametrize(("error", "waits"), [(ValueError, 0), (TimedOut, 7)])
def test_a_call_that_fails_counts_no_longer(clock: FakeClock, error: type[Exception], waits: float) -> None:
    """A call that was cut at its deadline counts two seconds longer: the source may still be working on it."""
    limit = limit_of(1, clock)

    def fail() -> None:
        with limit.call("source", Deadline.after(5, clock)):
            raise error

    with pytest.raises(error):
        fail()
    with limit.call("source", Deadline.after(20, clock)):
        assert (clock.now() - START).total_seconds() == pytest.approx(waits, abs=0.2)


def test_the_bound_holds_while_the_shared_store_fails(clock: FakeClock, tmp_path: Path) -> None:
    """A process counts on from what it last saw, until the calls of others end; then all count together again."""
    file, other = SqliteFile(tmp_path / "goldpan.sqlite"), SqliteFile(tmp_path / "goldpan.sqlite")
    counted = list[str]()
    here = shared_rate_limiter(SqliteTable(file, clock), clock, counted.append, {}).in_flight
    elsewhere = CallsInFlight(SqliteTable(other, clock), clock)
    first = here.begin("source", 2, NOW + 60)
    assert first
    assert elsewhere.begin("source", 2, NOW + 8)
    assert here.begin("source", 2, NOW + 60) is None
    with file.transaction() as connection:
        connection.execute("ALTER TABLE items RENAME TO away")
    assert (here.begin("source", 2, NOW + 60), counted) == (None, ["RateBudgetFailed"])
    clock.wait(8)
    second = here.begin("source", 2, NOW + 60)
    assert second
    assert here.begin("source", 2, NOW + 60) is None
    with file.transaction() as connection:
        connection.execute("ALTER TABLE away RENAME TO items")
    clock.wait(30)
    second()
    assert elsewhere.begin("source", 2, NOW + 60)
    assert here.begin("source", 2, NOW + 60) is None
    first()
    assert here.begin("source", 2, NOW + 60)
