"""Retries: a failed call is repeated once, if that may help and the deadline allows it."""

import random
from collections.abc import Callable
from typing import TypeVar

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import CallFailed, RateLimited, TimedOut, Unavailable, Unreachable

Result = TypeVar("Result")


def call_with_retry(call: Callable[[], Result], deadline: Deadline, clock: Clock, *, paid: bool = False) -> Result:
    """Call, and once more after a rate limit that ends in time, or a moment after `Unavailable` unless it is paid for.

    Raises what the last call raised that was sent: a retry for which our own limit has no room hides no failure of the
    upstream. A rate limit that ends after the deadline is raised at once, with its time.
    """
    try:
        return call()
    except RateLimited as limited:
        first: CallFailed = limited
        wait = (limited.retry_at - clock.now()).total_seconds()
        if wait + MIN_ATTEMPT_SECONDS >= deadline.left:
            raise
    except Unavailable as failed:
        first, wait = failed, random.uniform(0.2, 0.5)  # noqa: S311 - spreads load, protects nothing
        if paid or isinstance(failed, Unreachable) or deadline.left <= MIN_ATTEMPT_SECONDS:
            raise
    clock.wait(max(0.0, wait))
    try:
        return call()
    except (RateLimited, TimedOut) as last:
        raise (first if first.sent and not last.sent else last) from None
