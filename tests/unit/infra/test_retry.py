"""A failed call is tried once more where that helps, and never beyond the deadline."""

from __future__ import annotations

from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Cancelled, CredentialRejected, GoldpanError, RateLimited, Refused, TimedOut, Unavailable
from goldpan.infra.retry import call_with_retry

from tests.support.fakes import START, FakeClock


class Outcomes:
    """A call that raises or gives what was queued."""

    def __init__(self, *outcomes: str | GoldpanError) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    def __call__(self) -> str:
        """Give the next outcome."""
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, GoldpanError):
            raise outcome
        return outcome


def limited(seconds: float) -> RateLimited:
    """Make a limit that lasts so long from the start."""
    return RateLimited("limit", START + timedelta(seconds=seconds))


def tried(call: Outcomes, seconds: float = 10) -> tuple[str, list[float]]:
    """Call on a fake clock: the result, and what was waited."""
    clock = FakeClock()
    return call_with_retry(call, Deadline.after(seconds, clock), clock), clock.waits


def test_a_good_call_is_made_once() -> None:
    """A call that succeeds is not repeated, and nothing is waited for."""
    call = Outcomes("good")
    assert tried(call) == ("good", [])
    assert call.calls == 1


@pytest.mark.parametrize("seconds", [0, 1, 8.5])
def test_a_limit_that_fits_is_waited_for(seconds: float) -> None:
    """The wait is as long as the limit asks, to the second."""
    call = Outcomes(limited(seconds), "good")
    assert tried(call) == ("good", [seconds])


@pytest.mark.parametrize("seconds", [9, 9.5, 10, 60])
def test_a_limit_that_does_not_fit_is_raised_at_once(seconds: float) -> None:
    """A limit that leaves no second for another try is raised with its time, without waiting."""
    clock, call = FakeClock(), Outcomes(limited(seconds), "good")
    with pytest.raises(RateLimited) as raised:
        call_with_retry(call, Deadline.after(10, clock), clock)
    assert raised.value.retry_at == START + timedelta(seconds=seconds)
    assert (call.calls, clock.waits) == (1, [])


def test_a_limit_that_is_over_is_not_waited_for() -> None:
    """A come-back time in the past means at once, not a negative wait."""
    assert tried(Outcomes(limited(-5), "good")) == ("good", [0])


def test_a_broken_moment_is_tried_once_more() -> None:
    """After a fault of the outside there is one more try, a moment later."""
    result, (wait,) = tried(Outcomes(Unavailable("reset"), "good"))
    assert result == "good"
    assert 0.2 <= wait <= 0.5


@pytest.mark.parametrize("last", [Unavailable("again"), limited(1), Refused("no")])
def test_one_retry_at_most(last: GoldpanError) -> None:
    """What the second try raises is raised."""
    call = Outcomes(Unavailable("first"), last, "never")
    with pytest.raises(type(last)) as raised:
        tried(call)
    assert raised.value is last
    assert call.calls == 2


@pytest.mark.parametrize(
    "failure", [TimedOut("late"), Refused("no"), Cancelled("given up"), CredentialRejected("GITHUB_TOKEN")]
)
def test_what_does_not_pass_is_not_tried_again(failure: GoldpanError) -> None:
    """A timeout, a refusal and a rejected credential would only repeat themselves."""
    call = Outcomes(failure, "never")
    with pytest.raises(type(failure)):
        tried(call)
    assert call.calls == 1


@pytest.mark.parametrize("seconds", [0.0, 0.9, 1.0])
def test_no_retry_without_time_for_it(seconds: float) -> None:
    """Less than a second is not enough for another try."""
    call = Outcomes(Unavailable("reset"), "never")
    with pytest.raises(Unavailable):
        tried(call, seconds)
    assert call.calls == 1


def test_a_search_given_up_while_waiting() -> None:
    """A wait that is cancelled ends the call."""

    class GivenUp(FakeClock):
        def wait(self, seconds: float) -> None:
            raise Cancelled(f"given up instead of waiting {seconds} s")

    clock, call = GivenUp(), Outcomes(limited(2), "never")
    with pytest.raises(Cancelled):
        call_with_retry(call, Deadline.after(10, clock), clock)
    assert call.calls == 1
