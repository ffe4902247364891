"""Maps GitHub's error responses to exceptions: rate limits with the time to retry at, rejected credentials, faults.

Source: "Rate limits for the REST API" and "Rate limits and query limits for the GraphQL API" in GitHub's documentation:
wait for `retry-after`; else, if no request remains, until `x-ratelimit-reset`; else a minute.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from goldpan.errors import CallFailed, CredentialRejected, RateLimited, Refused, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.redaction import redact

DEFAULT_WAIT = timedelta(minutes=1)
MAX_WAIT = timedelta(hours=1, minutes=5)
MAX_DIGITS = 15


def failure_of(response: HttpResponse, now: datetime) -> CallFailed | CredentialRejected | None:
    """Return the exception for a response's status, None for a success."""
    if response.status == 200:  # noqa: PLR2004
        return None
    message = _message(response)
    if response.status == 401:  # noqa: PLR2004
        return CredentialRejected(f"GITHUB_TOKEN: GitHub rejected it ({message})")
    if response.status == 429 or (response.status == 403 and _is_rate_limit(response, message)):  # noqa: PLR2004
        return RateLimited(f"GitHub's rate limit is reached ({message})", retry_time(response, now))
    if response.status >= 500:  # noqa: PLR2004
        return Unavailable(f"GitHub answered {response.status} ({message})")
    return Refused(f"GitHub answered {response.status} ({message})")


def retry_time(response: HttpResponse, now: datetime) -> datetime:
    """Return when GitHub may be called again, at most `MAX_WAIT` from now: its longest window is an hour."""
    latest = now + MAX_WAIT
    retry_after = _retry_after(response.headers.get("retry-after", ""), now)
    if retry_after is not None:
        return min(max(retry_after, now), latest)
    reset = response.headers.get("x-ratelimit-reset", "")
    if reset.isdecimal() and response.headers.get("x-ratelimit-remaining", "0") == "0":
        return datetime.fromtimestamp(min(max(_integer(reset), now.timestamp()), latest.timestamp()), UTC)
    return now + DEFAULT_WAIT


def _retry_after(text: str, now: datetime) -> datetime | None:
    """Read Retry-After: seconds or, from a proxy before GitHub, a date (RFC 9110, 10.2.3); None if it is neither."""
    if text.isdecimal():
        return now + timedelta(seconds=min(_integer(text), MAX_WAIT.total_seconds()))
    try:
        return parsedate_to_datetime(text).astimezone(UTC)
    except ValueError:
        return None


def _integer(digits: str) -> int:
    """Read an integer by its first digits: `int` refuses thousands of them, and any time limit is smaller."""
    return int(digits[:MAX_DIGITS])


def _is_rate_limit(response: HttpResponse, message: str) -> bool:
    lowered = message.lower()
    return (
        "retry-after" in response.headers
        or response.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in lowered
        or "abuse" in lowered
    )


def _message(response: HttpResponse) -> str:
    """Return GitHub's own message, truncated to a line."""
    try:
        body = response.json()
    except CallFailed:
        return "no message"
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(redact(str(message or "no message")).split())[:160]
