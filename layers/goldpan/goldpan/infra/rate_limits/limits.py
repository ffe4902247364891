"""Rate limits, and the sliding window that never holds more than its limit; times are microseconds since 1970."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from goldpan.engine.deadlines import SECOND, to_micros

PARTS = 30
"""Parts of a window: more of them would hold back less, fewer of them would make a stored item smaller."""
MAX_MARGIN = 1.0
"""Seconds; the margin of a short window is a tenth of it."""
MAX_ADVANCE = 60 * SECOND
"""Microseconds; no reservation is granted for later than that from now."""
MAX_BLOCK = 25 * 3600 * SECOND
"""No source asks for a longer pause: a later time was written by a wrong clock, and is ignored."""
Costs = Mapping[int, int]
"""The cost spent in each part."""


@dataclass(frozen=True)
class Limit:
    """At most `max_cost` in any window; costs are counted in parts of the window, numbered since 1970."""

    window_seconds: int
    max_cost: int

    @property
    def name(self) -> str:
        """The name of the window in stores."""
        return f"{self.window_seconds}s"

    @property
    def margin(self) -> int:
        """How long a part counts beyond its window: the call may be made a little later, and clocks differ."""
        return int(SECOND * min(MAX_MARGIN, self.window_seconds / 10))

    def of_share(self, share: float) -> Self:
        """Return a share of this limit, rounded down; one call where that is less, as for a limit of one a second."""
        return replace(self, max_cost=max(1 if share else 0, int(share * self.max_cost)))

    def part_at(self, time: int) -> int:
        """Return the part that contains a time."""
        return time // self._width

    def start_of(self, part: int) -> int:
        """Return when a part begins."""
        return part * self._width

    def expiry_of(self, part: int) -> int:
        """Return from when on a part no longer counts."""
        return self.start_of(part + 1) + self.lasting

    @property
    def lasting(self) -> int:
        """How long a part counts after its end."""
        return SECOND * self.window_seconds + self.margin

    @property
    def _width(self) -> int:
        return SECOND * self.window_seconds // PARTS


Limits = Mapping[str, Sequence[Limit]]
"""Limits by the beginning of a key; the first of a key is the one that the source reports the remainder of."""


def limits_for(key: str, limits: Limits) -> Sequence[Limit]:
    """Return the limits of a key; a source without limits can still be blocked."""
    return next((found for prefix, found in limits.items() if key == prefix or key.startswith(f"{prefix}:")), ())


def rate_limit_key(name: str, address: str, credential: str | None) -> str:
    """Make the key of a limit for one credential at one address; the key reveals neither."""
    access = "anonymous" if credential is None else "token"
    digest = hashlib.sha256(f"{address}\n{credential or ''}".encode()).hexdigest()[:12]
    return f"{name}:{access}:{digest}"


@dataclass(frozen=True)
class Spent:
    """What was spent under one key: costs by the name of the limit, and until when its source must not be called."""

    costs: Mapping[str, Costs] = field(default_factory=dict)
    blocked_until: int = 0
    process: str = ""
    """What made the last reservation of a call in flight, where that may be killed and all see each other."""

    def all_of(self, limit: Limit) -> Costs:
        """Return all parts of a limit, also those that no longer count."""
        return self.costs.get(limit.name, {})

    def counted_of(self, limit: Limit, now: int) -> Costs:
        """Return the parts that count: older ones have expired, later ones were written by a wrong clock."""
        latest = limit.part_at(now + MAX_ADVANCE + limit.margin)
        counted = range(limit.part_at(now - limit.lasting), latest + 1)
        return {part: cost for part, cost in self.all_of(limit).items() if part in counted}

    def block_at(self, now: int) -> int:
        """Return the end of the last block, 0 if there was none or if a wrong clock wrote it."""
        return self.blocked_until if self.blocked_until <= now + MAX_BLOCK else 0

    def earliest_time(self, limits: Sequence[Limit], cost: int, now: int) -> int:
        """Return when a cost that every limit holds may be spent at the earliest."""
        start = max(now, self.block_at(now))
        return max([start, *(_room_at(limit, self.counted_of(limit, now), cost, start) for limit in limits)])

    def unknown_cost(self, limit: Limit, remaining: int, reset_at: int, now: int) -> tuple[int, int] | None:
        """Return what others spent, by what a source reports until `reset_at`: a part to count it in, and a cost."""
        part = limit.part_at(min(now, reset_at - limit.lasting - 1))
        unknown = limit.max_cost - sum(self.counted_of(limit, now).values()) - max(0, remaining)
        return None if reset_at <= now or unknown <= 0 else (part, unknown)


def _room_at(limit: Limit, costs: Costs, cost: int, start: int) -> int:
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
