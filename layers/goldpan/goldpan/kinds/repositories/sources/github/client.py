"""A client of GitHub's REST and GraphQL APIs: rate limited, retried once where that helps, its failures named.

Source: "Rate limits for the REST API" and "Rate limits and query limits for the GraphQL API" in GitHub's documentation:
wait for `retry-after`; else, if no request remains, until `x-ratelimit-reset`; else a minute.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Connections
from goldpan.errors import CallFailed, CredentialRejected, RateLimited, Unavailable
from goldpan.infra import source_failures
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import from_server, read_digits, retry_after
from goldpan.infra.source_client import SourceClient, call_with_retry
from goldpan.kinds.repositories.sources.github.mapping import at, members, text_or_none
from goldpan.kinds.repositories.sources.github.settings import MAX_IN_FLIGHT, TOKEN_NAMES, GitHubSettings, is_enterprise

API_VERSION = "2022-11-28"
MOVED = frozenset({301, 302, 307, 308})
DEFAULT_WAIT = timedelta(minutes=1)
MAX_WAIT = timedelta(hours=1, minutes=5)
EPOCH_DIGITS = 10
LAST_SECOND = 10**EPOCH_DIGITS - 1
ABUSE = b"abuse"
"""What GitHub calls its secondary limits in messages, which name no rate limit then."""
MAX_ERRORS, MAX_TYPE = 100, 40
"""Errors of a GraphQL response that are read, and characters of their type."""
Data = tuple[dict[str, object], tuple[str, ...]]
"""The data of a GraphQL response, which may be partial, and its errors."""


class GitHubClient(SourceClient):
    """Calls GitHub at one address with one credential."""

    def __init__(self, settings: GitHubSettings, connections: Connections) -> None:
        url = settings.github_api_url.rstrip("/")
        token = settings.github_token.get_secret_value() if settings.github_token else None
        headers = {"accept": "application/vnd.github+json", "x-github-api-version": API_VERSION}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        # an Enterprise server has none of github.com's limits, only those that its responses report
        name = "github-enterprise" if is_enterprise(url) else "github"
        super().__init__(name, url, connections, key=token, headers=headers, max_in_flight=MAX_IN_FLIGHT)
        self.has_token = token is not None
        """Whether a token is set, which GraphQL requires."""
        self.graphql_url = f"{url.removesuffix('/v3') if is_enterprise(url) else url}/graphql"
        """Below the REST address at github.com, next to it at GitHub Enterprise Server."""
        self._token_name = settings.token_name if token else None

    def fetch(
        self, path: str, params: Mapping[str, str], deadline: Deadline, allowed: Collection[int] = ()
    ) -> HttpResponse:
        """Read a resource over REST, also a moved one; its status is 200 or an allowed one. Raises as `send`."""
        response = self.send(path, params, deadline, limit="rest-core", allowed={*allowed, *MOVED})
        if response.status not in MOVED:
            return response
        address = response.headers.get("location", "")
        if not address.startswith(f"{self._base}/"):  # it must not get the credential
            raise Unavailable("GitHub sent the call to another server")
        path = address.removeprefix(self._base)
        return self.send(path, params, deadline, limit="rest-core", allowed=allowed)

    def remaining(self, deadline: Deadline) -> str:
        """Return in words what is left of the limits, "" without any. Raises as `send`, also if nothing is left."""
        response = self.send("/rate_limit", {}, deadline, allowed=(source_failures.NOT_FOUND,))
        rows = at(response.json(), "resources") if response.status == source_failures.OK else None
        named = {"graphql": "GraphQL points"} if self.has_token else {"search": "searches", "core": "other calls"}
        left = {said: row for name, said in named.items() if isinstance(row := at(rows, name), dict)}
        said = ", ".join(f"{row.get('remaining')} of {row.get('limit')} {name}" for name, row in left.items())
        spent = [
            row["reset"] for row in left.values() if row.get("remaining") == 0 and isinstance(row.get("reset"), int)
        ]
        if spent:
            raise RateLimited(f"{said} left", datetime.fromtimestamp(min(max(spent), LAST_SECOND), UTC))
        return f"{said} left" if said else ""

    def graphql(self, document: str, variables: Mapping[str, object], deadline: Deadline, cost: int = 1) -> Data:
        """Execute a GraphQL document of this cost in points.

        Raises `CredentialRejected`, or `CallFailed` where there is no data.
        """
        body = {"query": document, "variables": dict(variables)}
        request = HttpRequest("POST", self.graphql_url, self._headers, body=body)
        return call_with_retry(lambda: self._graphql_once(request, deadline, cost), deadline)

    def _graphql_once(self, request: HttpRequest, deadline: Deadline, cost: int) -> Data:
        response = self._send_once(request, deadline, cost, "graphql")
        body = response.json()
        if not isinstance(body, dict):
            raise Unavailable("GitHub's response is not a GraphQL response")
        errors = members(body.get("errors"))[:MAX_ERRORS]
        if any(error.get("type") in ("RATE_LIMITED", "RATE_LIMIT") for error in errors):
            until = retry_time(response, self._clock.now())
            self._rate_limiter.block_until(self._rate_limit_key("graphql"), until)
            raise RateLimited(f"GitHub's rate limit is reached ({one_line(errors[0].get('message'))})", until)
        data = body.get("data")
        if not isinstance(data, dict):
            raise Unavailable(f"GitHub's GraphQL response has no data: {_describe(errors[0] if errors else {})}")
        return data, tuple(_describe(error) for error in errors)

    def _failure_of(self, response: HttpResponse) -> CallFailed | CredentialRejected | None:
        return failure_of(response, self._clock.now(), self._token_name)

    def _note_remaining(self, key: str, response: HttpResponse) -> None:
        now, reset = self._clock.now(), reset_time(response, self._clock.now())
        remaining = response.headers.get("x-ratelimit-remaining", "")
        if reset is None or not remaining.isdecimal():
            return
        if read_digits(remaining):
            self._rate_limiter.reconcile(key, read_digits(remaining), reset)
        else:
            self._rate_limiter.block_until(key, retry_time(response, now))


def _describe(error: Mapping[str, object]) -> str:
    kind = one_line(text_or_none(error.get("type")) or "error")
    return f"{kind[:MAX_TYPE]}: {one_line(error.get('message'))}"


def failure_of(response: HttpResponse, now: datetime, token_name: str | None) -> CallFailed | CredentialRejected | None:
    """Return the exception for a status, None for a success; a rejected token is named, None if none was sent."""
    is_spent = response.headers.get("x-ratelimit-remaining") == "0"
    is_limit = is_spent or "retry-after" in response.headers or ABUSE in response.body.lower()
    if response.status == source_failures.FORBIDDEN and is_limit:
        response = replace(response, status=429)
    is_unauthorized = response.status == source_failures.UNAUTHORIZED
    wait = retry_time(response, now) - now
    access = source_failures.Access("GitHub", token_name if is_unauthorized else None, wait, MAX_WAIT)
    failure = source_failures.failure_of(response, access, now)
    if is_unauthorized and token_name is None:
        return CredentialRejected(f"{TOKEN_NAMES[0]} is not set: GitHub requires it ({failure})")
    return failure


def retry_time(response: HttpResponse, now: datetime) -> datetime:
    """Return when GitHub may be called again, at most `MAX_WAIT` from now: its longest window is an hour."""
    again = retry_after(response.headers, now, MAX_WAIT)
    if again is not None:
        return again
    reset = reset_time(response, now)
    if reset is not None and response.headers.get("x-ratelimit-remaining", "0") == "0":
        return reset
    return now + DEFAULT_WAIT


def reset_time(response: HttpResponse, now: datetime) -> datetime | None:
    """Return when the window of the rate limit ends, by GitHub's own clock; None if that is no time."""
    reset = response.headers.get("x-ratelimit-reset", "")
    if not reset.isdecimal() or len(reset) > EPOCH_DIGITS:
        return None
    moment = datetime.fromtimestamp(int(reset), UTC)
    return from_server(moment, response.headers, now, MAX_WAIT)
