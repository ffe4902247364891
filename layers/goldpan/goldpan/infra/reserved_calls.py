"""Calls of a source within its limits: reserved before they are sent, and given back if they were not."""

from __future__ import annotations

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed
from goldpan.infra.http import Http, HttpRequest, HttpResponse
from goldpan.infra.in_flight import InFlightLimit
from goldpan.infra.rate_limits.limiter import RateLimiter, wait_for_reservation


class ReservedCalls:
    """Sends requests to one source, of which at most so many are in flight at once; safe between threads."""

    def __init__(self, http: Http, rate_limiter: RateLimiter, max_in_flight: int, clock: Clock) -> None:
        self._http, self._rate_limiter = http, rate_limiter
        self._in_flight = InFlightLimit(rate_limiter.in_flight, max_in_flight, clock)

    def send(
        self, request: HttpRequest, deadline: Deadline, *, key: str, in_flight_key: str, cost: int = 1
    ) -> HttpResponse:
        """Send when the limit of the key allows it; the response may have any status. Raises `CallFailed`."""
        with self._in_flight.call(in_flight_key, deadline):
            # Reserved only once the call may be made: a reservation must not expire while the call waits for its turn.
            reservation = wait_for_reservation(self._rate_limiter, key, cost, deadline)
            try:
                return self._http.send(request, deadline)
            except CallFailed as failed:
                if not failed.sent:
                    self._rate_limiter.release(key, reservation, cost)
                raise
