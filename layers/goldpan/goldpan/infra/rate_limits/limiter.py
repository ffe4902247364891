"""The rate limits: how soon a source may be called, counted over all callers with the same credential.

An item of a table holds, for each key, the cost spent in each part of a window, and the total of all parts. A
reservation adds to both, on the condition that the total leaves room: concurrent reservations need not read each other,
so that one change is enough. Parts that have expired leave the item, and the total, with the next reservation, on the
condition that they still hold what was read.
"""

import random
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, SECOND, Clock, Deadline, from_micros, to_micros
from goldpan.errors import Cancelled, RateLimited, StoreFailed
from goldpan.infra.processes import has_ended
from goldpan.infra.rate_limits.limits import MAX_BLOCK, Limit, Limits, Spent, latest_grant, limits_for
from goldpan.infra.table import Change, Comparison, ConditionFailed, Item, Table, read_integer

ACQUIRE_ATTEMPTS = 100
"""Attempts to reserve, at most 10 ms apart, while others reserve at the same time."""
RECONCILE_ATTEMPTS = 3
RETENTION_SECONDS = 7200
"""How long a table keeps an item that no longer counts; no source asks for a longer pause."""
BLOCKED, PROCESS = "blocked_until", "process"
NEVER = timedelta(days=1)
"""Until when a cost is refused that no window of a limit holds."""


@dataclass(frozen=True)
class Reservation:
    """When a call may be made. If not granted, nothing was spent, and that time is later than the caller accepts."""

    at: datetime
    granted: bool


class RateLimiter:
    """Grants reservations in the order of requests; no window of a limit ever holds more than the limit.

    A granted reservation is spent until its window has passed, unless it is released. Keys are those of
    `rate_limit_key`. Safe between threads. The methods raise `StoreFailed`.

    The last known state of each item is cached. Costs only ever grow, but for parts that expire and for the few that
    are released: so the cached state may refuse a reservation without a call, and never grants one.
    """

    def __init__(self, table: Table, clock: Clock, limits: Limits, process: Callable[[], str] = str) -> None:
        self._table, self._clock, self._limits, self._process = table, clock, limits, process
        self._share, self._counts_calls = 1.0, False
        self._known: dict[str, Spent] = {}

    def with_share(self, share: float) -> Self:
        """Return a limiter that grants nothing while all callers together have spent more than a share of a limit."""
        made = copy(self)
        made._share = share  # noqa: SLF001 - its own copy
        return made

    def for_calls(self, limits: Limits) -> Self:
        """Return a limiter of calls in flight over the same table: each reservation is released when its call ends."""
        made = copy(self)
        made._limits, made._share, made._counts_calls = limits, 1.0, True  # noqa: SLF001 - its own copy
        return made

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve the next time, if it is not after `latest` (None: now)."""
        limits = [limit.of_share(self._share) for limit in limits_for(key, self._limits)]
        if any(cost > limit.max_cost for limit in limits):
            return Reservation(self._clock.now() + NEVER, granted=False)
        is_read = False
        for _ in range(ACQUIRE_ATTEMPTS):
            unread = Spent() if self._counts_calls else None  # the change itself says what the table holds
            spent = (limits and self._known.get(key)) or unread or self._read(key)
            now = to_micros(self._clock.now())
            at = spent.earliest_time(limits, cost, now)
            if at > latest_grant(now, latest):
                if self._counts_calls and not is_read:  # others may have ended theirs, or have been killed
                    self._end_call_of_the_dead(key, self._read(key), limits)
                    is_read = True
                    continue
                return Reservation(from_micros(at), granted=False)
            process = self._process() if self._counts_calls else ""
            if not limits or self._apply(key, _reservation(spent, limits, cost, at, now, process)):
                return Reservation(from_micros(at), granted=True)
            self._clock.wait(random.uniform(0, 0.01))  # noqa: S311 - spreads load, protects nothing
        raise StoreFailed("the store is too slow to count what is spent of a rate limit")

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved for a call that never reached the source; to be called once."""
        limits = limits_for(key, self._limits)
        if limits:
            at = to_micros(reservation.at)
            parts = [(limit, _attribute(limit, limit.part_at(at))) for limit in limits]
            subtract = {name: -cost for limit, part in parts for name in (limit.name, part)}
            held = [[Comparison(part, ">=", cost)] for _, part in parts]  # another process may have removed them
            self._apply(key, Change({}, subtract, conditions=held))

    def reconcile(self, key: str, remaining: int, reset_at: datetime) -> None:
        """Count what others spent, by what the source reports after a call; never widens a limit."""
        limit = next(iter(limits_for(key, self._limits)), None)
        if limit is None:
            return
        for _ in range(RECONCILE_ATTEMPTS):
            spent = self._known.get(key) or self._read(key)
            unknown = spent.unknown_cost(limit, remaining, to_micros(reset_at), to_micros(self._clock.now()))
            if unknown is None:
                return
            part, cost = unknown
            add = {limit.name: cost, _attribute(limit, part): cost}
            unchanged = Comparison(limit.name, "=", sum(spent.all_of(limit).values()))
            if self._apply(key, Change({"ttl": _ttl(limit.expiry_of(part))}, add, conditions=[[unchanged]])):
                return

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time; an earlier time never replaces a later one, unless a wrong clock wrote it."""
        time, now = to_micros(until), to_micros(self._clock.now())
        longer = [Comparison(BLOCKED, ">", now + MAX_BLOCK), Comparison(BLOCKED, "<", time)]
        self._apply(key, Change({BLOCKED: time, "ttl": _ttl(time)}, conditions=[longer]))

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block, which may have passed; None if there was none."""
        until = self._read(key).block_at(to_micros(self._clock.now()))
        return from_micros(until) if until else None

    def _end_call_of_the_dead(self, key: str, spent: Spent, limits: Sequence[Limit]) -> None:
        """End the one call that a limit allows, if the process that made it was killed: its connection is closed."""
        for limit in limits:
            if limit.max_cost == 1 and has_ended(spent.process):
                parts = [_attribute(limit, part) for part in spent.all_of(limit)]
                of_the_dead = [[Comparison(PROCESS, "=", spent.process)]]
                self._apply(key, Change({limit.name: 0}, remove=parts, conditions=of_the_dead))

    def _apply(self, key: str, change: Change) -> bool:
        """Change the item; returns whether its conditions held. Cache its state in any case."""
        try:
            item, is_made = self._table.update(f"rate-limit#{key}", change), True
        except ConditionFailed as failed:
            item, is_made = failed.item, False
        self._known[key] = _read_spent(item)
        return is_made

    def _read(self, key: str) -> Spent:
        self._known[key] = _read_spent(self._table.get(f"rate-limit#{key}"))
        return self._known[key]


def wait_for_reservation(limiter: RateLimiter, key: str, cost: int, deadline: Deadline) -> Reservation:
    """Reserve a call and wait for its time. Raises `RateLimited` with that time if the deadline comes first."""
    clock, source = deadline.clock, key.partition(":")[0]
    reservation = limiter.acquire(key, cost, deadline.before(MIN_ATTEMPT_SECONDS).at)
    if not reservation.granted:
        message = f"the rate limit of {source} is reached until {reservation.at:%H:%M:%S} UTC"
        raise RateLimited(message, reservation.at, sent=False)
    if reservation.at <= clock.now():
        return reservation
    try:
        clock.wait((reservation.at - clock.now()).total_seconds())
    except Cancelled:
        limiter.release(key, reservation, cost)
        raise
    until = limiter.blocked_until(key)
    if until is None or until <= clock.now():
        return reservation
    limiter.release(key, reservation, cost)
    raise RateLimited(f"{source} asked not to be called before {until:%H:%M:%S} UTC", until, sent=False)


def _reservation(  # noqa: PLR0913, PLR0917 - what a reservation is
    spent: Spent, limits: Sequence[Limit], cost: int, at: int, now: int, process: str
) -> Change:
    """Spend a cost at a time, if there is room by then, and remove the parts that no longer count."""
    conditions = [[Comparison(BLOCKED, "<=", at), Comparison(BLOCKED, ">", now + MAX_BLOCK)]]
    add, remove = dict[str, int](), list[str]()
    for limit in limits:
        counted = spent.counted_of(limit, now)
        expired = {part: held for part, held in spent.all_of(limit).items() if part not in counted}
        expiring = {part: held for part, held in counted.items() if limit.expiry_of(part) <= at}
        removed = sum(expired.values())
        room = limit.max_cost - cost + removed + sum(expiring.values())
        read = {**expired, **expiring}
        conditions += [[Comparison(_attribute(limit, part), "=", held)] for part, held in read.items()]
        conditions.append([Comparison(limit.name, "<=", room)])
        add |= {limit.name: cost - removed, _attribute(limit, limit.part_at(at)): cost}
        remove += [_attribute(limit, part) for part in expired]
    expiry = max(limit.expiry_of(limit.part_at(at)) for limit in limits)
    return Change({"ttl": _ttl(expiry)} | ({PROCESS: process} if process else {}), add, remove, conditions)


def _attribute(limit: Limit, part: int) -> str:
    return f"{limit.name}/{part}"


def _ttl(expiry: int) -> int:
    """Return when the item may be deleted, in seconds since 1970."""
    return expiry // SECOND + RETENTION_SECONDS


def _read_spent(item: Item) -> Spent:
    costs: dict[str, dict[int, int]] = {}
    for attribute in item:
        window, separator, part = attribute.partition("/")
        if separator and part.isdecimal():
            costs.setdefault(window, {})[int(part)] = read_integer(item, attribute)
    return Spent(costs, read_integer(item, BLOCKED), str(item.get(PROCESS, "")))
