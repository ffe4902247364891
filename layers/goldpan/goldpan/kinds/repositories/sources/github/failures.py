"""Maps GitHub's error responses to exceptions: rate limits with the time to retry at, rejected credentials, faults.

Source: "Rate limits for the REST API" and "Rate limits and query limits for the GraphQL API" in GitHub's documentation:
wait for `retry-after`; else, if no request remains, until `x-ratelimit-reset`; else a minute.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from goldpan.errors import CallFailed, CredentialRejected
from goldpan.infra import source_failures
from goldpan.infra.http import HttpResponse
from goldpan.infra.response_times import from_server, retry_after
from goldpan.kinds.repositories.sources.github.settings import TOKEN_NAMES

DEFAULT_WAIT = timedelta(minutes=1)
MAX_WAIT = timedelta(hours=1, minutes=5)
EPOCH_DIGITS = 10
ABUSE = b"abuse"
"""What GitHub calls its secondary limits in messages, which name no rate limit then."""


def failure_of(
    response: HttpResponse, now: datetime, token_name: str | None = TOKEN_NAMES[0]
) -> CallFailed | CredentialRejected | None:
    """Return the exception for a response's status, None for a success; a rejected token is named by its variable.

    `token_name` is None if none was sent: a GitHub of a company may require one.
    """
    if response.status == source_failures.FORBIDDEN and _is_rate_limit(response):
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


def _is_rate_limit(response: HttpResponse) -> bool:
    is_spent = response.headers.get("x-ratelimit-remaining") == "0"
    return is_spent or "retry-after" in response.headers or ABUSE in response.body.lower()
