"""What GitHub's refusals mean: limits with their come-back time, rejected credentials, faults.

After "Rate limits for the REST API" and "Rate limits and query limits for the GraphQL API" in GitHub's documentation:
wait for `retry-after`; else, with no request left, until `x-ratelimit-reset`; else a minute.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from goldpan.errors import CallFailed, CredentialRejected, RateLimited, Refused, Unavailable
from goldpan.infra.http import HttpResponse

A_MINUTE = timedelta(minutes=1)
MAX_WAIT = timedelta(hours=1, minutes=5)
MAX_NUMBER = 15


def failure_of(reply: HttpResponse, now: datetime) -> CallFailed | CredentialRejected | None:
    """Name what a reply's status means; None where it is an answer."""
    if reply.status == 200:  # noqa: PLR2004
        return None
    said = message_of(reply)
    if reply.status == 401:  # noqa: PLR2004
        return CredentialRejected(f"GITHUB_TOKEN: GitHub rejected it ({said})")
    if reply.status == 429 or (reply.status == 403 and _is_limit(reply, said)):  # noqa: PLR2004
        return RateLimited(f"GitHub's rate limit is reached ({said})", come_back(reply, now))
    if reply.status >= 500:  # noqa: PLR2004
        return Unavailable(f"GitHub answered {reply.status} ({said})")
    return Refused(f"GitHub answered {reply.status} ({said})")


def come_back(reply: HttpResponse, now: datetime) -> datetime:
    """Tell when GitHub may be called again; a time beyond an hour is none of its own."""
    latest = now + MAX_WAIT
    asked = _retry_after(reply.headers.get("retry-after", ""), now)
    if asked is not None:
        return min(max(asked, now), latest)
    reset = reply.headers.get("x-ratelimit-reset", "")
    if reset.isdecimal() and reply.headers.get("x-ratelimit-remaining", "0") == "0":
        return datetime.fromtimestamp(min(max(_number(reset), now.timestamp()), latest.timestamp()), UTC)
    return now + A_MINUTE


def _retry_after(text: str, now: datetime) -> datetime | None:
    """Read Retry-After, which is seconds or, where something stands before GitHub, a date (RFC 9110, 10.2.3)."""
    if text.isdecimal():
        return now + timedelta(seconds=min(_number(text), MAX_WAIT.total_seconds()))
    try:
        return parsedate_to_datetime(text).astimezone(UTC)
    except ValueError:
        return None


def _number(digits: str) -> int:
    """Read a whole number; one that is longer than any time stands for a very large one."""
    return int(digits[:MAX_NUMBER])


def _is_limit(reply: HttpResponse, said: str) -> bool:
    spoken = said.lower()
    return (
        "retry-after" in reply.headers
        or reply.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in spoken
        or "abuse" in spoken
    )


def message_of(reply: HttpResponse) -> str:
    """Give GitHub's own words, cut to a line."""
    try:
        body = reply.json()
    except CallFailed:
        return "no message"
    said = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(said or "no message").split())[:160]
