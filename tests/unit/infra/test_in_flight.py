"""A call beyond the bound waits within its deadline."""

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited, TimedOut
from goldpan.infra.in_flight import InFlightLimit

from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter


@pytest.fixture
def clock() -> FakeClock:
    """Make a clock that moves only when goldpan waits."""
    return FakeClock()


def limit_of(most: int, clock: FakeClock) -> InFlightLimit:
    """Make a bound."""
    return InFlightLimit(MemoryRateLimiter(clock), "source", most, clock)


def test_a_call_beyond_the_bound_waits_within_its_deadline(clock: FakeClock) -> None:
    """It is made when another one ends; without one, it is refused a second before its deadline, with a time."""
    limit = limit_of(1, clock)
    first, second = (limit.call("source:token:1", Deadline.after(5, clock)) for _ in range(2))
    with first, pytest.raises(RateLimited, match="source allows 1 call at a time") as refused, second:
        pytest.fail("two calls at once")
    waited = (clock.now() - START).total_seconds()
    assert waited == pytest.approx(4)
    assert (refused.value.retry_at - START).total_seconds() == pytest.approx(12.8, abs=0.8), "its lease ends then"
    assert len(clock.waits) < 60
    with limit.call("source:token:1", Deadline.after(5, clock)), limit.call("source:other", Deadline.after(5, clock)):
        assert (clock.now() - START).total_seconds() == waited


@pytest.mark.parametrize(("error", "waits"), [(ValueError, 0), (TimedOut, 12.8)])
def test_a_call_that_fails_counts_no_longer(clock: FakeClock, error: type[Exception], waits: float) -> None:
    """A call that was cut at its deadline counts until its window ends: the source may still be working on it."""
    limit = limit_of(1, clock)

    def fail() -> None:
        with limit.call("source", Deadline.after(5, clock)):
            raise error

    with pytest.raises(error):
        fail()
    with limit.call("source", Deadline.after(20, clock)):
        assert (clock.now() - START).total_seconds() == pytest.approx(waits, abs=0.8)
