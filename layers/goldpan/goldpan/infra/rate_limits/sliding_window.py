"""The sliding window: no window of a limit holds more than the limit, wherever the window begins.

All times are microseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from goldpan.engine.deadlines import SECOND, to_micros
from goldpan.infra.rate_limits.limits import MAX_ADVANCE, Limit

MAX_BLOCK = 3 * 3600 * SECOND
"""No source asks for a longer pause: a later time was written by a wrong clock, and is ignored."""
Costs = Mapping[int, int]
"""The cost spent in each part."""


@dataclass(frozen=True)
class Spent:
    """What was spent under one key: costs by the name of the limit, and until when its source must not be called."""

    costs: Mapping[str, Costs] = field(default_factory=dict)
    blocked_until: int = 0

    def all_of(self, limit: Limit) -> Costs:
        """Return all parts of a limit, also those that no longer count."""
        return self.costs.get(limit.name, {})

    def counted_of(self, limit: Limit, now: int) -> Costs:
        """Return the parts that count."""
        counted = limit.counted_parts(now)
        return {part: cost for part, cost in self.all_of(limit).items() if part in counted}

    def block_at(self, now: int) -> int:
        """Return the end of the last block, 0 if there was none or if a wrong clock wrote it."""
        return self.blocked_until if self.blocked_until <= now + MAX_BLOCK else 0


def earliest_time(spent: Spent, limits: Sequence[Limit], cost: int, now: int) -> int:
    """Return when a cost may be spent at the earliest: when all limits have room, and after all earlier reservations.

    Raises `ValueError` for a cost that is larger than a limit.
    """
    start = max(now, spent.block_at(now))
    return max([start, *(_room_at(limit, spent.counted_of(limit, now), cost, start) for limit in limits)])


def _room_at(limit: Limit, costs: Costs, cost: int, start: int) -> int:
    if cost > limit.max_cost:
        message = f"a cost of {cost} never fits a limit of {limit.max_cost}"
        raise ValueError(message)
    time = max([start, *(limit.start_of(part) for part in costs)])
    counting = {part: spent for part, spent in costs.items() if limit.expiry_of(part) > time}
    total = sum(counting.values())
    for part in sorted(counting):
        if total + cost <= limit.max_cost:
            break
        total -= counting[part]
        time = limit.expiry_of(part)
    return time


def latest_grant(now: int, latest: datetime | None) -> int:
    """Return the latest time that a reservation may be granted for, if the caller accepts `latest` (None: now)."""
    wanted = now if latest is None else to_micros(latest)
    return max(now, min(wanted, now + MAX_ADVANCE))


def is_usable(time: int, limits: Sequence[Limit], now: int) -> bool:
    """Whether a reservation may still be used: if its store was too slow, it would be counted too early."""
    return all(now - time <= limit.margin // 2 for limit in limits)


def unknown_cost(spent: Spent, limit: Limit, remaining: int, reset_at: int, now: int) -> tuple[int, int] | None:
    """Compare with what a source reports; return what others spent as a part to count it in, and a cost.

    The source's window ends at `reset_at`: what others spent in it counts until then. Returns None if the source
    counted no more than is known, or its window is over.
    """
    part = min(limit.part_at(now), limit.part_expiring_at(reset_at))
    unknown = limit.max_cost - sum(spent.counted_of(limit, now).values()) - max(0, remaining)
    if reset_at <= now or unknown <= 0:
        return None
    return part, unknown
