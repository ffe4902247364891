"""Single flight: of several equal pieces of work at once, in any processes, one runs, and the others wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar
from uuid import uuid4

from goldpan.engine.deadlines import Deadline
from goldpan.infra.locks import SingleFlightLocks

Result = TypeVar("Result")
POLL_SECONDS = 0.1
"""The interval at which what waits looks for the result of the other one."""
LOCK_TTL = timedelta(seconds=29)
"""No search lasts longer. The lock of an owner that died expires then; on one machine it is free at once."""
MAX_WAIT_SHARE = 0.5
"""The share of its own time that a search waits for the answer of another one, so that it can still run itself."""


@contextmanager
def single_flight(
    key: str, find: Callable[[], Result | None], locks: SingleFlightLocks, deadline: Deadline
) -> Iterator[Result | None]:
    """Yield what is stored, or what another owner stores while this one waits; None if the work is to be done here.

    The work stores its result, where `find` finds it, while the context is open. After half of the time until the
    deadline it is done here in any case, in the rest. A failure is not shared with those who wait.
    """
    clock, owner, seconds = deadline.clock, uuid4().hex, deadline.left
    started_at, found = clock.now(), find()
    while found is None and not may_run(locks, key, owner, seconds, clock.now() - started_at):
        clock.wait(POLL_SECONDS)
        found = find()
    if found is not None:
        yield found
        return
    try:
        yield find()  # the last owner may have stored it between the two calls above
    finally:
        locks.release(key, owner)


def may_run(locks: SingleFlightLocks, key: str, owner: str, seconds: float, waited: timedelta) -> bool:
    """Return whether to do the work now: if no other owner does, or if half of the time for it has passed."""
    return has_waited_enough(seconds, waited) or locks.acquire(key, LOCK_TTL, owner)


def has_waited_enough(seconds: float, waited: timedelta) -> bool:
    """Return whether half of the time has passed."""
    return waited.total_seconds() >= MAX_WAIT_SHARE * seconds
