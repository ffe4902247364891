"""The rate limits on AWS: one item of a DynamoDB table for each key.

The item holds the cost spent in each part of a window, and the total of all parts. A reservation adds to both, on the
condition that the total leaves room: concurrent reservations need not read each other, so that one update is enough.
Parts that have expired leave the item, and the total, with the next reservation, on the condition that they still hold
what was read.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

from boto3.dynamodb.conditions import Attr, ConditionBase

from goldpan.engine.deadlines import SECOND, Clock, Deadline, from_micros, to_micros
from goldpan.errors import StoreFailed
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable, Item, read_integer
from goldpan.infra.in_flight.dynamodb import DynamoDBCallsInFlight
from goldpan.infra.rate_limits.limits import Limit, Limits, limits_for
from goldpan.infra.rate_limits.port import Reservation
from goldpan.infra.rate_limits.sliding_window import (
    MAX_BLOCK,
    Spent,
    earliest_time,
    is_usable,
    latest_grant,
    unknown_cost,
)

ACQUIRE_SECONDS = 2.0
"""How long a reservation is attempted while others reserve at the same time."""
RECONCILE_ATTEMPTS = 3
RETENTION_SECONDS = 7200
"""How long DynamoDB keeps an item that no longer counts; no source asks for a longer pause."""
BLOCKED = "blocked_until"


@dataclass(frozen=True)
class _Change:
    """A change of an item, and the conditions that must all hold for it."""

    conditions: Sequence[ConditionBase]
    assign: Mapping[str, int]
    add: Mapping[str, int]
    remove: Sequence[str] = ()


class DynamoDBRateLimiter:
    """A rate limiter shared by all functions; safe between threads.

    The last known state of each item is cached. Costs only ever grow, but for parts that expire and for the few that
    are released: so the cached state may refuse a reservation without a call, and never grants one.
    """

    def __init__(self, table: DynamoDBTable, clock: Clock, limits: Limits) -> None:
        self._table, self._clock, self._limits = table, clock, limits
        self._known: dict[str, Spent] = {}
        self.in_flight = DynamoDBCallsInFlight(table, clock)

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve the next possible time, unless it is later than `latest`."""
        limits, deadline = limits_for(key, self._limits), Deadline.after(ACQUIRE_SECONDS, self._clock)
        while deadline.left:
            spent = (limits and self._known.get(key)) or self._read(key)
            now = to_micros(self._clock.now())
            at = earliest_time(spent, limits, cost, now)
            if at > latest_grant(now, latest):
                return Reservation(from_micros(at), granted=False)
            if limits and not self._apply(key, _reservation(spent, limits, cost, at, now)):
                self._clock.wait(random.uniform(0, 0.01))  # noqa: S311 - spreads load, protects nothing
            elif is_usable(at, limits, to_micros(self._clock.now())):
                return Reservation(from_micros(at), granted=True)
        raise StoreFailed("DynamoDB is too slow to count what is spent of a rate limit")

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved, if its parts still are in the item."""
        limits = limits_for(key, self._limits)
        if limits:
            self._apply(key, _return(limits, cost, to_micros(reservation.at)))

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent; of concurrent callers one counts it, and the next response reports it again."""
        limits = limits_for(key, self._limits)
        if not limits or remaining is None or reset_at is None:
            return
        for _ in range(RECONCILE_ATTEMPTS):
            spent = self._known.get(key) or self._read(key)
            now = to_micros(self._clock.now())
            unknown = unknown_cost(spent, limits[0], remaining, to_micros(reset_at), now)
            if unknown is None or self._apply(key, _addition(spent, limits[0], *unknown)):
                return

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time; replace a time that a wrong clock wrote."""
        time, now = to_micros(until), to_micros(self._clock.now())
        longer = _no_block(now) | Attr(BLOCKED).lt(time)
        self._apply(key, _Change([longer], {BLOCKED: time, "ttl": _ttl(time)}, {}))

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block."""
        until = self._read(key).block_at(to_micros(self._clock.now()))
        return from_micros(until) if until else None

    def _apply(self, key: str, change: _Change) -> bool:
        """Change the item if all conditions hold; cache its state in any case."""
        condition = reduce(operator.and_, change.conditions)
        try:
            item = self._table.update(_pk(key), condition, assign=change.assign, add=change.add, remove=change.remove)
        except ConditionFailed as failed:
            self._cache(key, failed.item)
            return False
        if item is None:
            raise StoreFailed("DynamoDB did not return the item that it updated")
        self._cache(key, item)
        return True

    def _read(self, key: str) -> Spent:
        return self._cache(key, self._table.get(_pk(key)))

    def _cache(self, key: str, item: Item) -> Spent:
        with self._table.failures():
            self._known[key] = _read_spent(item)
        return self._known[key]


def _reservation(spent: Spent, limits: Sequence[Limit], cost: int, at: int, now: int) -> _Change:
    """Spend a cost at a time, if there still is room, and remove the parts that no longer count.

    Parts that expire until then make room: they must hold what was read when that time was chosen.
    """
    conditions, add, remove = [_no_block(now) | Attr(BLOCKED).lte(at)], dict[str, int](), list[str]()
    for limit in limits:
        counted = spent.counted_of(limit, now)
        expired = {part: held for part, held in spent.all_of(limit).items() if part not in counted}
        expiring = {part: held for part, held in counted.items() if limit.expiry_of(part) <= at}
        removed = sum(expired.values())
        room = limit.max_cost - cost + removed + sum(expiring.values())
        conditions += [Attr(_attribute(limit, part)).eq(held) for part, held in {**expired, **expiring}.items()]
        conditions += [Attr(limit.name).not_exists() | Attr(limit.name).lte(room)]
        add |= {limit.name: cost - removed, _attribute(limit, limit.part_at(at)): cost}
        remove += [_attribute(limit, part) for part in expired]
    expiry = max(limit.expiry_of(limit.part_at(at)) for limit in limits)
    return _Change(conditions, {"ttl": _ttl(expiry)}, add, remove)


def _no_block(now: int) -> ConditionBase:
    """Require that there is no block, or that a wrong clock wrote it."""
    return Attr(BLOCKED).not_exists() | Attr(BLOCKED).gt(now + MAX_BLOCK)


def _return(limits: Sequence[Limit], cost: int, at: int) -> _Change:
    """Subtract a cost from the parts that it was spent in; another function may have removed them since."""
    parts = [(limit, _attribute(limit, limit.part_at(at))) for limit in limits]
    subtract = {name: -cost for limit, part in parts for name in (limit.name, part)}
    return _Change([Attr(part).gte(cost) for _, part in parts], {}, subtract)


def _addition(spent: Spent, limit: Limit, part: int, cost: int) -> _Change:
    """Add what others spent, if the total is still the one that it was computed from."""
    total = sum(spent.all_of(limit).values())
    unchanged = Attr(limit.name).eq(total)
    condition = unchanged if total else unchanged | Attr(limit.name).not_exists()
    add = {limit.name: cost, _attribute(limit, part): cost}
    return _Change([condition], {"ttl": _ttl(limit.expiry_of(part))}, add)


def _pk(key: str) -> str:
    return f"rate-limit#{key}"


def _attribute(limit: Limit, part: int) -> str:
    return f"{limit.name}/{part}"


def _ttl(expiry: int) -> int:
    """Return when DynamoDB may delete the item, in seconds since 1970."""
    return expiry // SECOND + RETENTION_SECONDS


def _read_spent(item: Item) -> Spent:
    costs: dict[str, dict[int, int]] = {}
    for attribute in item:
        window, separator, part = attribute.partition("/")
        if separator:
            costs.setdefault(window, {})[int(part)] = read_integer(item, attribute)
    return Spent(costs, read_integer(item, BLOCKED))
