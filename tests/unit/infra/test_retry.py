"""A failed call is repeated once if that may help, and never after the deadline."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import (
    Cancelled,
    CredentialRejected,
    GoldpanError,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
    Unreachable,
)
from goldpan.infra.retry import call_with_retry

from tests.support.fakes import START, FakeClock


class Outcomes:
    """A call that raises or returns what was queued."""

    def __init__(self, *outcomes: str | GoldpanError) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    def __call__(self) -> str:
        """Return the next outcome, or raise it."""
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, GoldpanError):
            raise outcome
        return outcome


def limited(seconds: float) -> RateLimited:
    """Make a rate limit that ends so many seconds after the start."""
    return RateLimited("limit", START + timedelta(seconds=seconds))


def tried(call: Outcomes, seconds: float = 10) -> tuple[str, list[float]]:
    """Call on a fake clock; returns the result, and the waits."""
    clock = FakeClock()
    return call_with_retry(call, Deadline.after(seconds, clock), clock), clock.waits


def test_a_good_call_is_made_once() -> None:
    """A call that succeeds is not repeated."""
    call = Outcomes("good")
    assert tried(call) == ("good", [])
    assert call.calls == 1


@pytest.mark.parametrize(("seconds", "wait"), [(-5, 0), (0, 0), (1, 1), (8.5, 8.5)])
def test_a_limit_that_fits_is_waited_for(seconds: float, wait: float) -> None:
    """The wait lasts until the limit ends; a limit that has ended is not waited for."""
    assert tried(Outcomes(limited(seconds), "good")) == ("good", [wait])


@pytest.mark.parametrize("seconds", [9, 10, 60])
def test_a_limit_that_does_not_fit_is_raised_at_once(seconds: float) -> None:
    """A limit that leaves no second for the retry is raised with its time, without a wait."""
    clock, call = FakeClock(), Outcomes(limited(seconds), "good")
    with pytest.raises(RateLimited) as raised:
        call_with_retry(call, Deadline.after(10, clock), clock)
    assert raised.value.retry_at == START + timedelta(seconds=seconds)
    assert (call.calls, clock.waits) == (1, [])


def test_an_unavailable_source_is_called_once_more() -> None:
    """The retry comes a moment later."""
    result, (wait,) = tried(Outcomes(Unavailable("reset"), "good"))
    assert result == "good"
    assert 0.2 <= wait <= 0.5


@pytest.mark.parametrize("last", [Unavailable("again"), limited(1), Refused("no")])
def test_there_is_one_retry_at_most(last: GoldpanError) -> None:
    """What the retry raises is raised."""
    call = Outcomes(Unavailable("first"), last, "never")
    with pytest.raises(type(last)) as raised:
        tried(call)
    assert raised.value is last
    assert call.calls == 2


@pytest.mark.parametrize(
    "failure",
    [TimedOut("late"), Refused("no"), Cancelled("cancelled"), CredentialRejected("TOKEN"), Unreachable("no network")],
)
def test_other_failures_are_not_retried(failure: GoldpanError) -> None:
    """A timeout, a refusal, a rejected credential and a missing network would only repeat themselves."""
    call = Outcomes(failure, "never")
    with pytest.raises(type(failure)):
        tried(call)
    assert call.calls == 1


@pytest.mark.parametrize("seconds", [0.0, 0.9, 1.0])
def test_a_retry_needs_more_than_a_second(seconds: float) -> None:
    """Less than a second before the deadline nothing is retried."""
    call = Outcomes(Unavailable("reset"), "never")
    with pytest.raises(Unavailable):
        tried(call, seconds)
    assert call.calls == 1


def test_a_search_that_is_cancelled_during_the_wait() -> None:
    """A cancelled wait ends the call."""

    class CancelledClock(FakeClock):
        def wait(self, seconds: float) -> None:
            raise Cancelled(f"cancelled instead of waiting {seconds} s")

    clock, call = CancelledClock(), Outcomes(limited(2), "never")
    with pytest.raises(Cancelled):
        call_with_retry(call, Deadline.after(10, clock), clock)
    assert call.calls == 1
