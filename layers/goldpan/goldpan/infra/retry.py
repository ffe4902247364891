"""Retries: a failed call is repeated once, if that may help and the deadline allows it."""

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_random

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import CallFailed, RateLimited, TimedOut, Unavailable, Unreachable

Result = TypeVar("Result")
ATTEMPTS = 2
_BACKOFF = wait_random(0.2, 0.5)


def call_with_retry(call: Callable[[], Result], deadline: Deadline, clock: Clock, *, paid: bool = False) -> Result:
    """Call, and once more after a rate limit that ends in time, or a moment after `Unavailable` unless it is paid for.

    Raises what the last call raised that was sent: a retry for which our own limit has no room hides no failure of the
    upstream. A rate limit that ends after the deadline is raised at once, with its time.
    """
    failures = list[CallFailed]()

    def attempt() -> Result:
        try:
            return call()
        except CallFailed as failure:
            failures.append(failure)
            raise

    retrying = Retrying(
        stop=stop_after_attempt(ATTEMPTS),
        wait=lambda state: _seconds_to_wait(state, clock),
        retry=retry_if_exception(lambda error: _may_help(error, deadline, clock, paid=paid)),
        sleep=clock.wait,
        reraise=True,
    )
    try:
        return retrying(attempt)
    except (RateLimited, TimedOut) as last:
        raise next((failure for failure in reversed(failures) if failure.sent), last) from None


def _seconds_to_wait(state: RetryCallState, clock: Clock) -> float:
    """Return the seconds until the time that a rate limit names, else a moment."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, RateLimited):
        return max(0.0, (error.retry_at - clock.now()).total_seconds())
    return _BACKOFF(state)


def _may_help(error: BaseException, deadline: Deadline, clock: Clock, *, paid: bool) -> bool:
    if isinstance(error, RateLimited):
        wait = (error.retry_at - clock.now()).total_seconds()
        return wait + MIN_ATTEMPT_SECONDS < deadline.left
    was_cut = isinstance(error, Unavailable) and not isinstance(error, Unreachable)
    return was_cut and not paid and deadline.left > MIN_ATTEMPT_SECONDS
