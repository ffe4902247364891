"""What a source may still be asked: budgets that all functions share, one for each source and credential."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline, WallClock
from goldpan.errors import RateLimited
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.rate_limits.limits import LIMITS, WARMING, Limits, limits_for
from goldpan.infra.rate_limits.sliding_window import (
    Spent,
    from_micros,
    latest_turn,
    spent_by_others,
    to_micros,
    turn_at,
)


@dataclass(frozen=True)
class Turn:
    """When a call may be made. Where it was not taken, nothing is spent: that time is later than was asked for."""

    at: datetime
    taken: bool


class RateLimiter(Protocol):
    """Hands out turns, first come first served; no window of a limit ever holds more than the limit.

    A turn that was taken is spent, whatever becomes of its taker, until its window has passed. Raises `StoreFailed`.
    """

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn, where it comes at the latest then (now, where nothing is said)."""

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone, None where it never said so."""

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent, by what the source said after a call; never widens a limit."""

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then; an earlier time never shortens a later one."""


def wait_for_reservation(budget: RateLimiter, key: str, cost: int, deadline: Deadline) -> None:
    """Take a turn and wait for it. Raises `RateLimited` with the time where it does not fit the deadline."""
    clock, source = deadline.clock, key.partition(":")[0]
    turn = budget.take(key, cost, deadline.before(MIN_ATTEMPT_SECONDS).at)
    if not turn.taken:
        raise RateLimited(f"the rate limit of {source} is reached until {turn.at:%H:%M:%S} UTC", turn.at)
    wait = (turn.at - clock.now()).total_seconds()
    if wait <= 0:
        return
    clock.wait(wait)
    until = budget.closed_until(key)
    if until is not None and until > clock.now():
        raise RateLimited(f"{source} asked not to be called before {until:%H:%M:%S} UTC", until)


class ProcessRateLimiter:
    """A rate budget of one process; safe between threads."""

    def __init__(self, clock: Clock | None = None, limits: Limits = LIMITS) -> None:
        self._clock, self._limits = clock or WallClock(), limits
        self._spent: dict[str, Spent] = {}
        self._turn = threading.Lock()

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn, where it comes at the latest then."""
        limits = limits_for(key, self._limits)
        with self._turn:
            now, spent = to_micros(self._clock.now()), self._spent.get(key, Spent())
            at = turn_at(spent, limits, cost, now)
            taken = at <= latest_turn(now, latest)
            if taken:
                parts = {limit.name: _added(spent.counting(limit, now), limit.part_at(at), cost) for limit in limits}
                self._spent[key] = Spent(parts, spent.closed_until)
        return Turn(from_micros(at), taken)

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone."""
        until = self._spent.get(key, Spent()).closed_until
        return from_micros(until) if until else None

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent."""
        limits = limits_for(key, self._limits)
        if not limits or remaining is None or reset_at is None:
            return
        with self._turn:
            now, spent, told = to_micros(self._clock.now()), self._spent.get(key, Spent()), limits[0]
            others = spent_by_others(spent, told, remaining, to_micros(reset_at), now)
            if others is not None:
                parts = {**spent.parts, told.name: _added(spent.of(told), *others)}
                self._spent[key] = Spent(parts, spent.closed_until)

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then."""
        with self._turn:
            spent = self._spent.get(key, Spent())
            self._spent[key] = Spent(spent.parts, max(spent.closed_until, to_micros(until)))


def _added(parts: Mapping[int, int], part: int, cost: int) -> dict[int, int]:
    return {**parts, part: parts.get(part, 0) + cost}


class BestEffortRateLimiter:
    """A shared budget; while that cannot be reached, each process keeps to the limits on its own."""

    def __init__(self, shared: RateLimiter, own: RateLimiter, clock: Clock, on_failure: Count) -> None:
        self._shared, self._own = shared, own
        self._tolerance = CircuitBreaker("RateBudget", clock, on_failure)

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn of all, or of this process alone."""
        return self._tolerance.tried(lambda: self._noted(key, cost, latest), lambda: self._own.take(key, cost, latest))

    def _noted(self, key: str, cost: int, latest: datetime | None) -> Turn:
        """Take from all, and note it as one's own: that is what counts where the shared budget then fails."""
        turn = self._shared.take(key, cost, latest)
        if turn.taken:
            self._own.take(key, cost, turn.at)
        return turn

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone, as far as is known."""
        return self._tolerance.tried(lambda: self._shared.closed_until(key), lambda: self._own.closed_until(key))

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent, for all and for this process."""
        self._own.learn(key, remaining, reset_at)
        self._tolerance.tried(lambda: self._shared.learn(key, remaining, reset_at), lambda: None)

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then, in all processes where they can be told, in this one at any rate."""
        self._own.close(key, until)
        self._tolerance.tried(lambda: self._shared.close(key, until), lambda: None)


class WarmUpRateLimiter:
    """A budget as warm-ups may use it: what they take is counted in their share of it too, so that users never starve.

    A cost that the share never holds has no turn today.
    """

    def __init__(self, budget: RateLimiter, limits: Limits, clock: Clock) -> None:
        self._budget, self._limits, self._clock = budget, limits, clock

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn of the share, and then of all; the later of both counts."""
        if any(cost > limit.most for limit in limits_for(WARMING + key, self._limits)):
            return Turn(self._clock.now() + timedelta(days=1), taken=False)
        share = self._budget.take(WARMING + key, cost, latest)
        if not share.taken:
            return share
        turn = self._budget.take(key, cost, latest)
        return turn if turn.at > share.at else Turn(share.at, turn.taken)

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone."""
        return self._budget.closed_until(key)

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent."""
        self._budget.learn(key, remaining, reset_at)

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then."""
        self._budget.close(key, until)
