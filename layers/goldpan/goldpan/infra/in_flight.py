"""The bound on calls in flight: how many calls a source gets at the same time from all processes that share a store."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from math import ceil

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import RateLimited, StoreFailed, TimedOut
from goldpan.infra.table import Change, Comparison, ConditionFailed, Item, Table, if_alone, read_integer

MARGIN_SECONDS = 2
"""How long a call counts beyond its deadline, unless it ends: for clocks that differ, and for what was cut there."""
MAX_LEASE_SECONDS = 60
"""No call lasts longer: what is counted beyond that was written by a wrong clock, and is ignored."""
BEGIN_SECONDS = 2.0
"""How long a call is tried to be counted while others begin at the same time."""
RETENTION_SECONDS = 3600
"""How long a table keeps an item that no longer counts."""
TOTAL, UNTIL = "calls", "until/"
MAX_REMOVED = 20
"""Seconds that one change removes: an expression of DynamoDB has at most 4 KB."""
SHORTEST_WAIT, LONGEST_WAIT = 0.02, 0.2
"""Seconds between two questions to the store whether another call has ended."""
End = Callable[[], None]
"""Ends the call that was counted."""


class CallsInFlight:
    """Counts calls in flight in one item for each key; safe between threads. Its functions raise `StoreFailed`.

    The item holds the calls by the second at which they end at the latest, and their total. One change begins a call,
    on the condition that the total leaves room, and one ends it; that of a process that dies counts until its second.
    Seconds that have passed leave the item, and the total, with the next call, on the condition that they still hold
    what was read. The last known state of each item says which seconds have passed, so that no read is needed.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._known: dict[str, Item] = {}

    def begin(self, key: str, most: int, until: int) -> End | None:
        """Count one more call until it ends, or until that second since 1970; None if `most` are in flight."""
        deadline = Deadline.after(BEGIN_SECONDS, self._clock)
        while deadline.left:
            passed = self._passed(key)
            removed = dict(sorted(passed.items(), key=lambda each: -each[1])[:MAX_REMOVED])
            if (counted := self._add(key, most, until, removed)) is not None:
                return partial(self._end, key, until, counted)
            if read_integer(self._known[key], TOTAL) - sum(self._passed(key).values()) >= most:
                return None
            self._clock.wait(random.uniform(0, 0.01))  # noqa: S311 - spreads load, protects nothing
        raise StoreFailed("the store is too slow to count the calls in flight")

    def _add(self, key: str, most: int, until: int, removed: Mapping[str, int]) -> Item | None:
        ended = sum(removed.values())
        room = Comparison(TOTAL, "<", most + ended)
        change = Change(
            assign={"ttl": until + RETENTION_SECONDS},
            add={TOTAL: 1 - ended, f"{UNTIL}{until}": 1},
            remove=list(removed),
            conditions=[[room], *([Comparison(name, "=", calls)] for name, calls in removed.items())],
        )
        return self._apply(key, change)

    def _end(self, key: str, until: int, counted: Item) -> None:
        """End a call, unless its time has passed, so that it no longer counts."""
        second = f"{UNTIL}{until}"
        counts = [[Comparison(second, ">=", 1)], *if_alone(counted)]
        self._apply(key, Change({}, {TOTAL: -1, second: -1}, conditions=counts))

    def _apply(self, key: str, change: Change) -> Item | None:
        """Change the item, and return it; None if a condition does not hold."""
        try:
            self._known[key] = self._table.update(f"in-flight#{key}", change)
        except ConditionFailed as failed:
            self._known[key] = failed.item
            return None
        return self._known[key]

    def _passed(self, key: str) -> dict[str, int]:
        """Return the seconds that no longer count, with the calls that they hold."""
        now, item = int(self._clock.now().timestamp()), self._known.get(key, {})
        counted = {f"{UNTIL}{second}" for second in range(now + 1, now + 2 * MAX_LEASE_SECONDS + 1)}
        return {name: read_integer(item, name) for name in item if name.startswith(UNTIL) and name not in counted}


class InFlightLimit:
    """Lets at most so many calls be in flight at once; safe between threads.

    Of the threads that wait, one at a time asks the store: a hundred that ask would block it for all others.
    """

    def __init__(self, calls: CallsInFlight, most: int, clock: Clock) -> None:
        self._calls, self._most, self._clock = calls, most, clock
        self._waiting = threading.Lock()

    @contextmanager
    def call(self, key: str, deadline: Deadline) -> Iterator[None]:
        """Wait until one more call may be made, and count what runs inside as one. Raises `RateLimited`.

        A call that is cut at its deadline counts a little longer: the source may still be working on it.
        """
        end = self._wait(key, deadline)
        try:
            yield
        except TimedOut:
            raise
        except BaseException:
            end()
            raise
        end()

    def _wait(self, key: str, deadline: Deadline) -> End:
        latest = deadline.before(MIN_ATTEMPT_SECONDS)
        end = None if self._waiting.locked() else self._begin(key, deadline)
        if end is None and self._waiting.acquire(timeout=latest.left):
            try:
                end = self._ask_until(latest, key, deadline)
            finally:
                self._waiting.release()
        if end is None:
            calls = "1 call" if self._most == 1 else f"{self._most} calls"
            message = f"{key.partition(':')[0]} allows {calls} at a time, which others are making"
            raise RateLimited(message, self._clock.now() + timedelta(seconds=1))
        return end

    def _ask_until(self, latest: Deadline, key: str, deadline: Deadline) -> End | None:
        wait = SHORTEST_WAIT
        while (end := self._begin(key, deadline)) is None and latest.left:
            self._clock.wait(min(latest.left, random.uniform(wait / 2, wait)))  # noqa: S311 - protects nothing
            wait = min(LONGEST_WAIT, 2 * wait)
        return end

    def _begin(self, key: str, deadline: Deadline) -> End | None:
        longest = min(deadline.left + MARGIN_SECONDS, MAX_LEASE_SECONDS)
        return self._calls.begin(key, self._most, ceil(self._clock.now().timestamp() + longest))
