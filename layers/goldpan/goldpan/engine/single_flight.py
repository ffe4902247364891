"""Single flight: of several equal pieces of work at once, in any processes, one runs, and the others wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

if TYPE_CHECKING:
    from goldpan.engine.answers import AnswerCache
    from goldpan.engine.deadlines import Deadline

Result = TypeVar("Result")
POLL_SECONDS = 0.1
"""The interval at which what waits looks for the result of the other one."""


@contextmanager
def single_flight(
    key: str, find: Callable[[], Result | None], answers: AnswerCache, deadline: Deadline
) -> Iterator[Result | None]:
    """Yield what is stored, or what another owner stores while this one waits; None if the work is to be done here.

    The work stores its result, where `find` finds it, while the context is open. After half of the time until the
    deadline it is done here in any case, in the rest. A failure is not shared with those who wait.
    """
    clock, owner, seconds = deadline.clock, uuid4().hex, deadline.left
    started_at, found = clock.now(), find()
    while found is None and not answers.acquire(key, owner, seconds, started_at):
        clock.wait(POLL_SECONDS)
        found = find()
    if found is not None:
        yield found
        return
    try:
        yield find()  # the last owner may have stored it between the two calls above
    finally:
        answers.release(key, owner)
