"""A client of one source: rate limited, with a bound on its calls in flight, retried once, its failures named.

A call in flight is a reservation of a rate limit that is released when the call ends. That of a call that was cut
counts until its window has passed; so does that of a process that died, unless its source allows one call and it ran on
this machine.
"""

import random
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from goldpan.engine.deadlines import MIN_ATTEMPT_SECONDS, Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, CredentialRejected, RateLimited, TimedOut, Unavailable, Unreachable
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.rate_limits.limiter import RateLimiter, Reservation, wait_for_reservation
from goldpan.infra.rate_limits.limits import Limit, rate_limit_key
from goldpan.infra.redaction import redact_body, register_address, register_secret
from goldpan.infra.source_failures import Access, failure_of

USER_AGENT = "goldpan"
LEASE_SECONDS = 12
"""How long a call counts unless it ends before; a stage has at most ten seconds."""
TOLERANCE = timedelta(seconds=1)
"""The difference between the clocks of two machines that refuses no call."""
SHORTEST_WAIT, LONGEST_WAIT = 0.02, 0.2
"""Seconds between two attempts to count a call that waits for the end of another one."""
Result = TypeVar("Result")


class InFlightLimit:
    """Lets at most `most` calls of a source be in flight; of the threads that wait, one at a time asks the store."""

    def __init__(self, limiter: RateLimiter, source: str, most: int) -> None:
        self._calls = limiter.for_calls({source: (Limit(LEASE_SECONDS, most),)})
        self._source, self._most = source, most
        self._waiting = threading.Lock()

    @contextmanager
    def call(self, key: str, deadline: Deadline) -> Iterator[None]:
        """Count what runs inside as a call, once there is room for it; longer if it is cut. Raises `RateLimited`."""
        counted = self._wait(key, deadline)
        try:
            yield
        except TimedOut:
            raise
        except BaseException:
            self._calls.release(key, counted)
            raise
        self._calls.release(key, counted)

    def _wait(self, key: str, deadline: Deadline) -> Reservation:
        latest, clock, wait = deadline.before(MIN_ATTEMPT_SECONDS), deadline.clock, SHORTEST_WAIT
        counted = self._calls.acquire(key, latest=clock.now() + TOLERANCE)
        if not counted.granted and self._waiting.acquire(timeout=latest.left):
            try:
                while not (counted := self._calls.acquire(key, latest=clock.now() + TOLERANCE)).granted and latest.left:
                    clock.wait(min(latest.left, random.uniform(wait / 2, wait)))  # noqa: S311 - protects nothing
                    wait = min(LONGEST_WAIT, 2 * wait)
            finally:
                self._waiting.release()
        if not counted.granted:
            calls = "1 call" if self._most == 1 else f"{self._most} calls"
            message = f"{self._source} allows {calls} at a time, which others are making"
            raise RateLimited(message, counted.at, sent=False)
        return counted


class SourceClient:
    """Calls one source at one address with one key, or without."""

    def __init__(  # noqa: PLR0913 - what differs between the sources
        self,
        name: str,
        base_url: str,
        connections: Connections,
        *,
        title: str = "",
        key: str | None = None,
        key_variable: str | None = None,
        headers: Mapping[str, str] | None = None,
        max_in_flight: int = 10,
        default_wait: timedelta = timedelta(minutes=1),
        longest_wait: timedelta = timedelta(hours=1),
        is_paid: bool = False,
    ) -> None:
        self._name, self._base, self._key = name, base_url.rstrip("/"), key
        self._headers = {"user-agent": USER_AGENT, **(headers or {})}
        self._is_paid = is_paid
        self._access = Access(title or name, key_variable if key else None, default_wait, longest_wait)
        self._rate_limiter, self._clock = connections.rate_limiter, connections.clock
        self._http = connections.http()
        self._in_flight = InFlightLimit(self._rate_limiter, name, max_in_flight)
        register_address(self._base)
        register_secret(key or "")

    def send(  # noqa: PLR0913 - as above
        self,
        path: str,
        params: Mapping[str, str],
        deadline: Deadline,
        *,
        body: object = None,
        cost: int = 1,
        limit: str | None = None,
        allowed: Collection[int] = (),
    ) -> HttpResponse:
        """Send a GET request, or a POST request with a body of JSON; the status is 200 or an allowed one.

        `limit` names the rate limit, where a source has several. Raises `CallFailed` or `CredentialRejected`.
        """
        method = "GET" if body is None else "POST"
        request = HttpRequest(method, self._base + path, self._headers, params, body)
        return call_with_retry(
            lambda: self._send_once(request, deadline, cost, limit, allowed), deadline, paid=self._is_paid
        )

    def reconcile(self, limit: str, remaining: int, reset_in: int) -> None:
        """Count what other programs spent of a limit, by what remains of it for `reset_in` seconds."""
        reset_at = self._clock.now() + timedelta(seconds=reset_in)
        self._rate_limiter.reconcile(self._rate_limit_key(limit), remaining, reset_at)

    def _send_once(
        self, request: HttpRequest, deadline: Deadline, cost: int, limit: str | None, allowed: Collection[int] = ()
    ) -> HttpResponse:
        """Send within the rate limit; a limit that the source reports holds for all other calls."""
        key = self._rate_limit_key(limit)
        response = self._reserve_and_send(request, deadline, key, cost)
        failure = None if response.status in allowed else self._failure_of(response)
        if isinstance(failure, RateLimited):
            self._rate_limiter.block_until(key, failure.retry_at)
        else:
            self._note_remaining(key, response)
        if failure is not None:
            raise failure
        return response

    def _reserve_and_send(self, request: HttpRequest, deadline: Deadline, key: str, cost: int) -> HttpResponse:
        """Send when the limit of the key allows it; what is reserved is given back if the request was not sent."""
        with self._in_flight.call(self._rate_limit_key("calls"), deadline):
            # Reserved only once the call may be made: a reservation must not expire while the call waits for its turn.
            reservation = wait_for_reservation(self._rate_limiter, key, cost, deadline)
            try:
                response = self._http.send(request, deadline)
            except CallFailed as failed:
                if not failed.sent:
                    self._rate_limiter.release(key, reservation, cost)
                raise
        body = redact_body(response.body)
        return response if body is response.body else replace(response, body=body)

    def _failure_of(self, response: HttpResponse) -> CallFailed | CredentialRejected | None:
        """Return the exception for a response's status, None for a success."""
        return failure_of(response, self._access, self._clock.now())

    def _note_remaining(self, key: str, response: HttpResponse) -> None:
        """Count what other programs spent of a limit, where every response of a source says what remains."""

    def _rate_limit_key(self, limit: str | None) -> str:
        return rate_limit_key(f"{self._name}:{limit}" if limit else self._name, self._base, self._key)


def call_with_retry(call: Callable[[], Result], deadline: Deadline, *, paid: bool = False) -> Result:
    """Call, and once more after a rate limit that ends in time, or a moment after `Unavailable` unless it is paid for.

    Raises what the last call raised that was sent: a retry for which our own limit has no room hides no failure of the
    upstream. A rate limit that ends after the deadline is raised at once, with its time.
    """
    try:
        return call()
    except RateLimited as limited:
        first: CallFailed = limited
        wait = (limited.retry_at - deadline.clock.now()).total_seconds()
        if wait + MIN_ATTEMPT_SECONDS >= deadline.left:
            raise
    except Unavailable as failed:
        first, wait = failed, random.uniform(0.2, 0.5)  # noqa: S311 - spreads load, protects nothing
        if paid or isinstance(failed, Unreachable) or deadline.left <= MIN_ATTEMPT_SECONDS:
            raise
    deadline.clock.wait(max(0.0, wait))
    try:
        return call()
    except (RateLimited, TimedOut) as last:
        raise (first if first.sent and not last.sent else last) from None
