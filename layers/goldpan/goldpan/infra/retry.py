"""Retries: a failed call is repeated once, if that may help and the deadline allows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_base, wait_random

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import RateLimited, Unavailable, Unreachable

Result = TypeVar("Result")
ATTEMPTS = 2
_BACKOFF = wait_random(0.2, 0.5)


def call_with_retry(call: Callable[[], Result], deadline: Deadline, clock: Clock) -> Result:
    """Call, and once more after a rate limit that ends in time, or a moment after `Unavailable`.

    Raises what the last call raised. A rate limit that ends after the deadline is raised at once, with its time.
    """
    retrying = Retrying(
        stop=stop_after_attempt(ATTEMPTS),
        wait=_UntilRetryAt(clock),
        retry=retry_if_exception(lambda error: _may_help(error, deadline, clock)),
        sleep=clock.wait,
        reraise=True,
    )
    return retrying(call)


class _UntilRetryAt(wait_base):
    """Waits until the time that a rate limit names, else for a moment."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __call__(self, retry_state: RetryCallState) -> float:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        if isinstance(error, RateLimited):
            return max(0.0, (error.retry_at - self._clock.now()).total_seconds())
        return _BACKOFF(retry_state)


def _may_help(error: BaseException, deadline: Deadline, clock: Clock) -> bool:
    if isinstance(error, RateLimited):
        wait = (error.retry_at - clock.now()).total_seconds()
        return wait + MIN_ATTEMPT_SECONDS < deadline.left
    return isinstance(error, Unavailable) and not isinstance(error, Unreachable) and deadline.left > MIN_ATTEMPT_SECONDS
