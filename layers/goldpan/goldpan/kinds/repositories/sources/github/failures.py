"""Maps GitHub's error responses to exceptions: rate limits with the time to retry at, rejected credentials, faults.

Source: "Rate limits for the REST API" and "Rate limits and query limits for the GraphQL API" in GitHub's documentation:
wait for `retry-after`; else, if no request remains, until `x-ratelimit-reset`; else a minute.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from goldpan.errors import CallFailed, CredentialRejected, RateLimited, Refused
from goldpan.infra.http import HttpResponse
from goldpan.infra.redaction import one_line
from goldpan.infra.response_times import from_server, retry_after
from goldpan.infra.source_failures import describe_outage
from goldpan.kinds.repositories.sources.github.settings import TOKEN_NAMES

DEFAULT_WAIT = timedelta(minutes=1)
MAX_WAIT = timedelta(hours=1, minutes=5)
EPOCH_DIGITS = 10
OF_A_LIMIT = ("rate limit", "abuse")


def failure_of(
    response: HttpResponse, now: datetime, token_name: str | None = TOKEN_NAMES[0]
) -> CallFailed | CredentialRejected | None:
    """Return the exception for a response's status, None for a success; a rejected token is named by its variable.

    `token_name` is None if none was sent: a GitHub of a company may require one.
    """
    if response.status == 200:  # noqa: PLR2004
        return None
    message = _message(response)
    if response.status == 401:  # noqa: PLR2004
        missing = f"{TOKEN_NAMES[0]} is not set: GitHub requires it ({message})"
        return CredentialRejected(f"{token_name}: GitHub rejected it ({message})" if token_name else missing)
    if response.status == 429 or (response.status == 403 and _is_rate_limit(response, message)):  # noqa: PLR2004
        return RateLimited(f"GitHub's rate limit is reached ({message})", retry_time(response, now))
    if response.status >= 500:  # noqa: PLR2004
        return describe_outage(response, f"GitHub answered {response.status} ({message})", MAX_WAIT, now)
    return Refused(f"GitHub answered {response.status} ({message})")


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


def _is_rate_limit(response: HttpResponse, message: str) -> bool:
    is_spent = response.headers.get("x-ratelimit-remaining") == "0"
    return is_spent or "retry-after" in response.headers or any(said in message.lower() for said in OF_A_LIMIT)


def _message(response: HttpResponse) -> str:
    """Return GitHub's own message, truncated to a line."""
    try:
        body = response.json()
    except CallFailed:
        return "no message"
    message = body.get("message") if isinstance(body, dict) else None
    return one_line(message)
