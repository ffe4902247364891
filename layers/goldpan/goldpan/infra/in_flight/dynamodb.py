"""The calls in flight on AWS: one item for each key in the table of the rate limits.

The item holds the calls by the second at which they end at the latest, and their total. One update begins a call, on
the condition that the total leaves room, and one ends it. Seconds that have passed leave the item, and the total, with
the next call, on the condition that they still hold what was read.
"""

from __future__ import annotations

import operator
import random
from functools import partial, reduce

from boto3.dynamodb.conditions import Attr, ConditionBase

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import StoreFailed
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable, Item, read_integer
from goldpan.infra.in_flight.port import MAX_LEASE_SECONDS, End

BEGIN_SECONDS = 2.0
"""How long a call is tried to be counted while others begin at the same time."""
RETENTION_SECONDS = 3600
"""How long DynamoDB keeps an item that no longer counts."""
TOTAL, UNTIL = "calls", "until/"
MAX_REMOVED = 20
"""Seconds that one update removes: an expression of DynamoDB has at most 4 KB."""


class DynamoDBCallsInFlight:
    """Counts the calls of all functions; safe between threads.

    The last known state of each item is cached: it says which seconds have passed, so that no read is needed.
    """

    def __init__(self, table: DynamoDBTable, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._known: dict[str, Item] = {}

    def begin(self, key: str, most: int, until: int) -> End | None:
        """Count one more call, and forget those whose time has passed."""
        deadline = Deadline.after(BEGIN_SECONDS, self._clock)
        while deadline.left:
            passed = self._passed(key)
            removed = dict(sorted(passed.items(), key=lambda each: -each[1])[:MAX_REMOVED])
            if self._add(key, most, until, removed):
                return partial(self._end, key, until)
            with self._table.failures():
                full = read_integer(self._known[key], TOTAL) - sum(self._passed(key).values()) >= most
            if full:
                return None
            self._clock.wait(random.uniform(0, 0.01))  # noqa: S311 - spreads load, protects nothing
        raise StoreFailed("DynamoDB is too slow to count the calls in flight")

    def _add(self, key: str, most: int, until: int, removed: dict[str, int]) -> bool:
        room = Attr(TOTAL).not_exists() | Attr(TOTAL).lt(most + sum(removed.values()))
        conditions: list[ConditionBase] = [room, *(Attr(name).eq(calls) for name, calls in removed.items())]
        try:
            item = self._table.update(
                _pk(key),
                reduce(operator.and_, conditions),
                assign={"ttl": until + RETENTION_SECONDS},
                add={TOTAL: 1 - sum(removed.values()), f"{UNTIL}{until}": 1},
                remove=list(removed),
            )
        except ConditionFailed as failed:
            self._known[key] = failed.item
            return False
        self._known[key] = item or {}
        return True

    def _end(self, key: str, until: int) -> None:
        second = f"{UNTIL}{until}"
        try:
            item = self._table.update(_pk(key), Attr(second).gte(1), assign={}, add={TOTAL: -1, second: -1})
        except ConditionFailed:
            return  # its time has passed, and it no longer counts
        self._known[key] = item or {}

    def _passed(self, key: str) -> dict[str, int]:
        """Return the seconds that no longer count, with the calls that they hold."""
        now, item = int(self._clock.now().timestamp()), self._known.get(key, {})
        counted = range(now + 1, now + 2 * MAX_LEASE_SECONDS + 1)
        names = [name for name in item if name.startswith(UNTIL)]
        with self._table.failures():
            return {name: read_integer(item, name) for name in names if int(name.removeprefix(UNTIL)) not in counted}


def _pk(key: str) -> str:
    return f"in-flight#{key}"
