"""How much of a limit is spent, counted so that no window of its length ever holds more, wherever the window begins.

What was spent is counted in parts of a window. A part counts until a whole window has passed after its end, and a
margin more. The margin stands for what passes between the moment that a taker writes down and the moment of its call,
and for how far the clocks of two machines differ: half of it for each. All moments are microseconds since 1970, as
whole numbers, so that every store counts alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

PARTS = 30
"""Parts of a window: with more of them less is held back, with fewer of them an item of a store is smaller."""
MAX_MARGIN = 1.0
"""Seconds; a short window has a tenth of itself."""
SECOND = 1_000_000
HORIZON = 60 * SECOND
"""How far ahead a turn may be promised; a part further ahead was written by a clock that is wrong, and is left out."""
MAX_CLOSURE = 3 * 3600 * SECOND
"""No source wants to be left alone for longer; a later time was written by a clock that is wrong, and is left out."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Counts = Mapping[int, int]
"""What was spent in each part."""


def to_micros(moment: datetime) -> int:
    """Give a moment as a whole number."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """Give a whole number as a moment."""
    return _EPOCH + timedelta(microseconds=micros)


def latest_turn(now: int, latest: datetime | None) -> int:
    """Tell the latest turn that may be promised."""
    wished = now if latest is None else to_micros(latest)
    return max(now, min(wished, now + HORIZON))


@dataclass(frozen=True)
class Limit:
    """At most so much in any window of so many seconds."""

    window_seconds: float
    most: int

    @property
    def name(self) -> str:
        """Tell the window's length, as stores write it."""
        return f"{self.window_seconds:g}s"

    @property
    def margin(self) -> int:
        """Tell how long a part counts beyond its window."""
        return int(SECOND * min(MAX_MARGIN, self.window_seconds / 10))

    def part_at(self, moment: int) -> int:
        """Tell which part a moment is in."""
        return moment // self._width

    def begin(self, part: int) -> int:
        """Tell when a part begins."""
        return part * self._width

    def gone_at(self, part: int) -> int:
        """Tell from when on a part no longer counts."""
        return self.begin(part + 1) + self._window + self.margin

    def part_until(self, end: int) -> int:
        """Tell which part counts until then, and least longer."""
        return (end - self._window - self.margin - 1) // self._width

    def counted(self, now: int) -> range:
        """Tell which parts count: the older ones are gone, the later ones were written by a clock that is wrong."""
        ahead = now + HORIZON + self.margin
        return range(self.part_at(now - self._window - self.margin), self.part_at(ahead) + 1)

    @property
    def _window(self) -> int:
        return int(SECOND * self.window_seconds)

    @property
    def _width(self) -> int:
        return max(1, self._window // PARTS)


@dataclass(frozen=True)
class Spent:
    """What one key has spent: in parts, by the name of the limit; and until when its source wants to be left alone."""

    parts: Mapping[str, Counts] = field(default_factory=dict)
    closed_until: int = 0

    def of(self, limit: Limit) -> Counts:
        """Give all parts of a limit, also those that no longer count."""
        return self.parts.get(limit.name, {})

    def counting(self, limit: Limit, now: int) -> Counts:
        """Give the parts that count."""
        counted = limit.counted(now)
        return {part: spent for part, spent in self.of(limit).items() if part in counted}


def turn_at(spent: Spent, limits: Sequence[Limit], cost: int, now: int) -> int:
    """Tell when a cost may be spent at the earliest: when all limits have room for it, and all before it had a turn."""
    closed_until = spent.closed_until if spent.closed_until <= now + MAX_CLOSURE else now
    open_at = max(now, closed_until)
    return max([open_at, *(_room_at(limit, spent.counting(limit, now), cost, open_at) for limit in limits)])


def _room_at(limit: Limit, parts: Counts, cost: int, open_at: int) -> int:
    if cost > limit.most:
        message = f"a cost of {cost} never fits a limit of {limit.most}"
        raise ValueError(message)
    at = max([open_at, *(limit.begin(part) for part in parts)])
    standing = {part: spent for part, spent in parts.items() if limit.gone_at(part) > at}
    held = sum(standing.values())
    for part in sorted(standing):
        if held + cost <= limit.most:
            break
        held -= standing[part]
        at = limit.gone_at(part)
    return at


def in_time(at: int, limits: Sequence[Limit], now: int) -> bool:
    """Tell whether a turn may still be used: one that its store was too slow to give would be counted too early."""
    return all(now - at <= limit.margin // 2 for limit in limits)


def spent_by_others(spent: Spent, limit: Limit, remaining: int, reset_at: int, now: int) -> tuple[int, int] | None:
    """Tell what others spent, as the source counts: which part it is to be counted in, and how much it is.

    The source's window ends at `reset_at`: what others spent in it counts until then. None where we hold as much as
    spent as the source does, or more.
    """
    part = min(limit.part_at(now), limit.part_until(reset_at))
    unknown = limit.most - sum(spent.counting(limit, now).values()) - max(0, remaining)
    if reset_at <= now or unknown <= 0:
        return None
    return part, unknown
