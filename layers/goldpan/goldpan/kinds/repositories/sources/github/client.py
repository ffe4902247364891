"""A client of GitHub's REST and GraphQL APIs: rate limited, retried once where that helps, its failures named."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import Http, HttpRequest, HttpResponse
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.redaction import one_line, register_address, register_secret
from goldpan.infra.reserved_calls import ReservedCalls
from goldpan.infra.response_times import read_digits
from goldpan.infra.retry import call_with_retry
from goldpan.kinds.repositories.sources.github.failures import failure_of, reset_time, retry_time
from goldpan.kinds.repositories.sources.github.limits import MAX_IN_FLIGHT
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings, is_enterprise

API_VERSION = "2022-11-28"
MOVED = frozenset({301, 302, 307, 308})
MAX_ERRORS, MAX_TYPE = 100, 40
"""Errors of a GraphQL response that are read, and characters of their type."""


class GitHubClient:
    """Calls GitHub at one address with one credential."""

    def __init__(self, settings: GitHubSettings, http: Http, rate_limiter: RateLimiter, clock: Clock) -> None:
        self._base = settings.github_api_url.rstrip("/")
        self._token = settings.github_token.get_secret_value() if settings.github_token else None
        self._token_name = settings.token_name if settings.github_token else None
        self._rate_limiter, self._clock = rate_limiter, clock
        self._calls = ReservedCalls(http, rate_limiter, MAX_IN_FLIGHT, clock)
        register_address(self._base)
        register_secret(self._token or "")

    @property
    def has_token(self) -> bool:
        """Whether a token is set, which GraphQL requires."""
        return self._token is not None

    @property
    def graphql_url(self) -> str:
        """The address of GraphQL: below the REST address at github.com, next to it at GitHub Enterprise Server."""
        base = self._base.removesuffix("/v3") if self._is_enterprise else self._base
        return f"{base}/graphql"

    @property
    def _is_enterprise(self) -> bool:
        return is_enterprise(self._base)

    def get(self, path: str, params: Mapping[str, str], deadline: Deadline) -> object:
        """Search over REST and return the decoded JSON; raises `CallFailed` or `CredentialRejected`."""
        request = HttpRequest("GET", self._base + path, self._headers(), params)
        return call_with_retry(lambda: self._send("rest-search", 1, request, deadline).json(), deadline, self._clock)

    def fetch(
        self, path: str, params: Mapping[str, str], deadline: Deadline, allowed: Collection[int] = ()
    ) -> HttpResponse:
        """Read a resource over REST, also one that has moved; its status is 200 or an allowed one.

        Raises `CallFailed` or `CredentialRejected`.
        """
        response = self._fetch_once(path, params, deadline, {*allowed, *MOVED})
        if response.status in MOVED:
            response = self._fetch_once(self._moved_to(response), params, deadline, allowed)
        return response

    def _fetch_once(
        self, path: str, params: Mapping[str, str], deadline: Deadline, allowed: Collection[int]
    ) -> HttpResponse:
        request = HttpRequest("GET", self._base + path, self._headers(), params)
        return call_with_retry(lambda: self._send("rest-core", 1, request, deadline, allowed), deadline, self._clock)

    def _moved_to(self, response: HttpResponse) -> str:
        """Return the new path. Raises `Unavailable` for one of another server, which must not get the credential."""
        address = response.headers.get("location", "")
        if not address.startswith(f"{self._base}/"):
            raise Unavailable("GitHub sent the call to another server")
        return address.removeprefix(self._base)

    def graphql(
        self, document: str, variables: Mapping[str, object], deadline: Deadline, cost: int = 1
    ) -> tuple[dict[str, object], tuple[str, ...]]:
        """Execute a GraphQL document of this cost in points; return the data, which may be partial, and its errors.

        Raises `CredentialRejected`, or `CallFailed` where there is no data.
        """
        body = {"query": document, "variables": dict(variables)}
        request = HttpRequest("POST", self.graphql_url, self._headers(), body=body)
        return call_with_retry(lambda: self._graphql_once(request, deadline, cost), deadline, self._clock)

    def _graphql_once(
        self, request: HttpRequest, deadline: Deadline, cost: int
    ) -> tuple[dict[str, object], tuple[str, ...]]:
        response = self._send("graphql", cost, request, deadline)
        body = response.json()
        if not isinstance(body, dict):
            raise Unavailable("GitHub's response is not a GraphQL response")
        listed = body.get("errors")
        errors = [error for error in listed[:MAX_ERRORS] if isinstance(error, dict)] if isinstance(listed, list) else []
        if any(error.get("type") in ("RATE_LIMITED", "RATE_LIMIT") for error in errors):
            raise self._graphql_limit(response, one_line(errors[0].get("message")))
        data = body.get("data")
        if not isinstance(data, dict):
            raise Unavailable(f"GitHub's GraphQL response has no data: {_describe(errors[0] if errors else {})}")
        return data, tuple(_describe(error) for error in errors)

    def _send(
        self, limit: str, cost: int, request: HttpRequest, deadline: Deadline, allowed: Collection[int] = ()
    ) -> HttpResponse:
        """Send within the rate limit, and share what the response reports of that limit with all other calls."""
        key = self._rate_limit_key(limit)
        calls = self._rate_limit_key("calls")
        response = self._calls.send(request, deadline, key=key, in_flight_key=calls, cost=cost)
        is_allowed = response.status in allowed
        failure = None if is_allowed else failure_of(response, self._clock.now(), self._token_name)
        if isinstance(failure, RateLimited):
            self._rate_limiter.block_until(key, failure.retry_at)
        else:
            self._reconcile(key, response)
        if failure is not None:
            raise failure
        return response

    def _reconcile(self, key: str, response: HttpResponse) -> None:
        """Count what other programs spent, by the number of calls that GitHub reports as remaining."""
        now, reset = self._clock.now(), reset_time(response, self._clock.now())
        remaining = response.headers.get("x-ratelimit-remaining", "")
        if reset is None or not remaining.isdecimal():
            return
        if read_digits(remaining):
            self._rate_limiter.reconcile(key, read_digits(remaining), reset)
        else:
            self._rate_limiter.block_until(key, retry_time(response, now))

    def _graphql_limit(self, response: HttpResponse, message: str) -> RateLimited:
        until = retry_time(response, self._clock.now())
        self._rate_limiter.block_until(self._rate_limit_key("graphql"), until)
        return RateLimited(f"GitHub's rate limit is reached ({message})", until)

    def _rate_limit_key(self, limit: str) -> str:
        """Name a rate limit; an Enterprise server has none of github.com's, only those that its responses report."""
        host = "github-enterprise" if self._is_enterprise else "github"
        return rate_limit_key(f"{host}:{limit}", self._base, self._token)

    def _headers(self) -> dict[str, str]:
        headers = {
            "accept": "application/vnd.github+json",
            "user-agent": "goldpan",
            "x-github-api-version": API_VERSION,
        }
        return headers | ({"authorization": f"Bearer {self._token}"} if self._token else {})


def _describe(error: Mapping[str, object]) -> str:
    kind = error.get("type")
    named = one_line(kind)[:MAX_TYPE] if isinstance(kind, str) and kind else "error"
    return f"{named}: {one_line(error.get('message'))}"
