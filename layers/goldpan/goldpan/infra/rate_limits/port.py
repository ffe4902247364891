"""The port of the rate limits: how soon a source may be called, counted over all callers with the same credential."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Clock, Deadline
from goldpan.errors import Cancelled, RateLimited
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.in_flight.port import BestEffortCallsInFlight, CallsInFlight
from goldpan.infra.rate_limits.limits import WARM_UP_PREFIX, Limits, limits_for


@dataclass(frozen=True)
class Reservation:
    """When a call may be made. If not granted, nothing was spent, and that time is later than the caller accepts."""

    at: datetime
    granted: bool
    shared: bool = True
    """Whether it is counted among all processes, not only in this one."""


class RateLimiter(Protocol):
    """Grants reservations in the order of requests; no window of a limit ever holds more than the limit.

    A granted reservation is spent until its window has passed, unless it is released. Keys are those of
    `rate_limit_key`. The methods raise `StoreFailed`.
    """

    @property
    def in_flight(self) -> CallsInFlight:
        """Counts the calls that are being made, in the same store."""

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve the next possible time, unless it is later than `latest` (None: now).

        Raises `ValueError` for a cost that is larger than a limit.
        """

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved for a call that never reached the source; to be called once."""

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent, by what the source reports after a call; never widens a limit."""

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time; an earlier time never replaces a later one."""

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block, which may have passed; None if there was none."""


def wait_for_reservation(limiter: RateLimiter, key: str, cost: int, deadline: Deadline) -> Reservation:
    """Reserve a call and wait for its time. Raises `RateLimited` with that time if the deadline comes first."""
    clock, source = deadline.clock, key.partition(":")[0]
    reservation = limiter.acquire(key, cost, deadline.before(MIN_ATTEMPT_SECONDS).at)
    if not reservation.granted:
        message = f"the rate limit of {source} is reached until {reservation.at:%H:%M:%S} UTC"
        raise RateLimited(message, reservation.at)
    wait = (reservation.at - clock.now()).total_seconds()
    if wait <= 0:
        return reservation
    try:
        clock.wait(wait)
    except Cancelled:
        limiter.release(key, reservation, cost)
        raise
    until = limiter.blocked_until(key)
    if until is None or until <= clock.now():
        return reservation
    limiter.release(key, reservation, cost)
    raise RateLimited(f"{source} asked not to be called before {until:%H:%M:%S} UTC", until)


class BestEffortRateLimiter:
    """A shared rate limiter with a fallback for this process, which keeps to the limits while the shared one fails."""

    def __init__(self, shared: RateLimiter, fallback: RateLimiter, clock: Clock, count: Count) -> None:
        self._shared, self._fallback = shared, fallback
        self._circuit = CircuitBreaker("rate limiter", "RateBudgetFailed", clock, count)
        self.in_flight = BestEffortCallsInFlight(shared.in_flight, fallback.in_flight, self._circuit)

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve a call among all processes, or among those of this process while the shared limiter fails."""
        return self._circuit.call(
            lambda: self._acquire_shared(key, cost, latest),
            lambda: replace(self._fallback.acquire(key, cost, latest), shared=False),
        )

    def _acquire_shared(self, key: str, cost: int, latest: datetime | None) -> Reservation:
        """Reserve a call among all processes, and count it in the fallback, in case the shared limiter fails later."""
        reservation = self._shared.acquire(key, cost, latest)
        if reservation.granted:
            self._fallback.acquire(key, cost, reservation.at)
        return reservation

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved, in this process, and among all if it was counted there."""
        self._fallback.release(key, reservation, cost)
        if reservation.shared:
            self._circuit.call(lambda: self._shared.release(key, reservation, cost), lambda: None)

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent, in both limiters."""
        self._fallback.reconcile(key, remaining, reset_at)
        self._circuit.call(lambda: self._shared.reconcile(key, remaining, reset_at), lambda: None)

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time, in both limiters."""
        self._fallback.block_until(key, until)
        self._circuit.call(lambda: self._shared.block_until(key, until), lambda: None)

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block, by the shared limiter or, while that fails, by the fallback."""
        return self._circuit.call(lambda: self._shared.blocked_until(key), lambda: self._fallback.blocked_until(key))


class WarmUpRateLimiter:
    """A rate limiter for warm-ups, which may spend a share of each limit, so that users never wait for them.

    `limits` are those of `with_warm_up_limits`.
    """

    def __init__(self, limiter: RateLimiter, limits: Limits, clock: Clock) -> None:
        self._limiter, self._limits, self._clock = limiter, limits, clock
        self.in_flight = limiter.in_flight

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve a call in the share and in the limit itself, for the later of both times.

        A cost larger than the share is refused until tomorrow.
        """
        if any(cost > limit.max_cost for limit in limits_for(WARM_UP_PREFIX + key, self._limits)):
            return Reservation(self._clock.now() + timedelta(days=1), granted=False)
        share = self._limiter.acquire(WARM_UP_PREFIX + key, cost, latest)
        if not share.granted:
            return share
        reservation = self._limiter.acquire(key, cost, latest)
        return reservation if reservation.at > share.at else replace(reservation, at=share.at)

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved, to the share and to the limit itself."""
        self._limiter.release(WARM_UP_PREFIX + key, reservation, cost)
        self._limiter.release(key, reservation, cost)

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent of the limit itself."""
        self._limiter.reconcile(key, remaining, reset_at)

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time, neither to users nor to warm-ups."""
        self._limiter.block_until(key, until)

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block."""
        return self._limiter.blocked_until(key)
