"""GitHub's error responses become exceptions, and a rate limit says when to call again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from goldpan.errors import CredentialRejected, RateLimited, Refused, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.sources.github.failures import failure_of

from tests.support.factories import NOW

EXHAUSTED = {"x_ratelimit_remaining": "0"}


def response(status: int, message: str | None = None, **headers: str) -> HttpResponse:
    """Make a response; underscores in a header's name stand for hyphens."""
    body = b"" if message is None else json.dumps({"message": message}).encode()
    return HttpResponse(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def reset(seconds: float) -> dict[str, str]:
    """Write the time of reset, that many seconds from now."""
    return {"x_ratelimit_reset": str(int(NOW.timestamp() + seconds))}


def test_a_success_is_no_failure() -> None:
    """A 200 is a success, also when it was the last that the limit allowed."""
    assert failure_of(response(200, **EXHAUSTED), NOW) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"} | EXHAUSTED | reset(50), 7),
        (EXHAUSTED | reset(50), 50),
        (EXHAUSTED | reset(-50), 0),
        ({"x_ratelimit_remaining": "9"} | reset(50), 60),
        (EXHAUSTED, 60),
        ({"retry_after": "Sat, 22 Aug 2026 12:00:20 GMT"}, 20),
        ({"retry_after": "Sat, 22 Aug 2026 11:00:00 GMT"}, 0),
        ({"retry_after": "Sat, 99 Aug 2026 11:00:00 GMT"}, 60),
        ({"retry_after": "-5"}, 60),
        ({}, 60),
        ({"retry_after": "9" * 5000}, 65 * 60),
        ({"retry_after": "Sat, 22 Aug 2099 12:00:20 GMT"}, 65 * 60),
        (EXHAUSTED | {"x_ratelimit_reset": "9" * 5000}, 65 * 60),
    ],
)
def test_the_time_to_call_again(headers: dict[str, str], seconds: int) -> None:
    """Retry-After goes before the reset of an exhausted limit, else a minute; an absurd time ends after 65 minutes."""
    limit = failure_of(response(429, "slow down", **headers), NOW)
    assert isinstance(limit, RateLimited)
    assert limit.retry_at - NOW == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "limited",
    [
        response(429),
        response(403, "API rate limit exceeded for 127.0.0.1."),
        response(403, "You have triggered an abuse detection mechanism."),
        response(403, "no", retry_after="1"),
        response(403, "no", **EXHAUSTED),
    ],
)
def test_a_rate_limit(limited: HttpResponse) -> None:
    """A 429 is a rate limit, and so is a 403 whose message or headers report one."""
    assert isinstance(failure_of(limited, NOW), RateLimited)


@pytest.mark.parametrize(
    ("failed", "kind", "text"),
    [
        (response(401, "Bad credentials"), CredentialRejected, "GITHUB_TOKEN: GitHub rejected it (Bad credentials)"),
        (response(403, "Forbidden", x_ratelimit_remaining="9"), Refused, "GitHub answered 403 (Forbidden)"),
        (response(422, "Validation Failed"), Refused, "GitHub answered 422 (Validation Failed)"),
        (response(502), Unavailable, "GitHub answered 502 (no message)"),
        (HttpResponse(500, {}, b"<html>"), Unavailable, "GitHub answered 500 (no message)"),
        (response(500, "two \n lines" * 100), Unavailable, f"GitHub answered 500 ({('two lines' * 100)[:160]})"),
    ],
)
def test_other_failures(failed: HttpResponse, kind: type[Exception], text: str) -> None:
    """A failure has the kind of its status, and GitHub's message in one line of at most 160 characters."""
    failure = failure_of(failed, NOW)
    assert type(failure) is kind
    assert str(failure) == text
