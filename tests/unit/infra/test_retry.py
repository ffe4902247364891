"""A failed call is repeated once if that may help, and never after the deadline."""

from datetime import timedelta

import pytest
from goldpan import errors
from goldpan.engine.deadlines import Deadline
from goldpan.infra.retry import call_with_retry

from tests.support.fakes import START, FakeClock

Outcome = str | errors.GoldpanError
RESET, AGAIN = errors.Unavailable("reset"), errors.Unavailable("again")


def limited(seconds: float) -> errors.RateLimited:
    """Make a rate limit that ends a number of seconds after the start."""
    return errors.RateLimited("limit", START + timedelta(seconds=seconds))


def attempt(outcomes: list[Outcome], seconds: float, clock: FakeClock) -> tuple[Outcome, int]:
    """Call for those outcomes in turn; returns the last one, and the number of calls."""
    left = list(outcomes)

    def call() -> str:
        outcome = left.pop(0)
        if isinstance(outcome, errors.GoldpanError):
            raise outcome
        return outcome

    try:
        result: Outcome = call_with_retry(call, Deadline.after(seconds, clock), clock)
    except errors.GoldpanError as error:
        result = error
    return result, len(outcomes) - len(left)


@pytest.mark.parametrize(
    ("seconds", "outcomes", "calls", "wait"),
    [
        (10, ["good"], 1, (0, 0)),
        # a rate limit is waited for if it leaves more than a second for the retry
        (10, [limited(-5), "good"], 2, (0, 0)),
        (10, [limited(8.5), "good"], 2, (8.5, 8.5)),
        (10, [limited(9), "never"], 1, (0, 0)),
        # an unavailable source is called again a moment later, if more than a second is left
        (1.01, [RESET, "good"], 2, (0.2, 0.5)),
        (1.0, [RESET, "never"], 1, (0, 0)),
        # the retry is the last call
        (10, [RESET, AGAIN, "never"], 2, (0.2, 0.5)),
        (10, [RESET, limited(1), "never"], 2, (0.2, 0.5)),
        # these would only repeat themselves
        (10, [errors.TimedOut("late"), "never"], 1, (0, 0)),
        (10, [errors.Refused("no"), "never"], 1, (0, 0)),
        (10, [errors.Cancelled("cancelled"), "never"], 1, (0, 0)),
        (10, [errors.CredentialRejected("TOKEN"), "never"], 1, (0, 0)),
        (10, [errors.Unreachable("no network"), "never"], 1, (0, 0)),
    ],
)
def test_calls_and_waits(seconds: float, outcomes: list[Outcome], calls: int, wait: tuple[float, float]) -> None:
    """The last call is returned or raised, after a wait between two limits in seconds."""
    clock = FakeClock()
    assert attempt(outcomes, seconds, clock) == (outcomes[calls - 1], calls)
    assert wait[0] <= sum(clock.waits) <= wait[1]


def test_a_retry_without_room_hides_no_failure() -> None:
    """The first cause is raised where our own limit or the time leaves no call; a cancelled wait ends the call."""
    ours, late = errors.RateLimited("ours", START + timedelta(hours=1), sent=False), errors.TimedOut("late")
    late.sent = False
    for unsent in (ours, late):
        assert attempt([RESET, unsent], 10, FakeClock()) == (RESET, 2)
    cancelled, clock = errors.Cancelled("the search was cancelled"), FakeClock()

    def cancel() -> None:
        raise cancelled

    clock.on_wait = cancel
    assert attempt([limited(2), "never"], 10, clock) == (cancelled, 1)
