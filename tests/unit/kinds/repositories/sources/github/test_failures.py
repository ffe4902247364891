"""GitHub's error responses become exceptions, and a rate limit says when to call again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from goldpan.errors import CredentialRejected, Paused, RateLimited, Refused, Unavailable
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


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"} | EXHAUSTED | reset(50), 7),
        ({"retry_after": "\u0663"}, 60),
        ({"retry_after": "Sat, 99 Aug 2026 11:00:00 GMT"}, 60),
        (EXHAUSTED | reset(50), 50),
        (EXHAUSTED | reset(-50), 0),
        ({"x_ratelimit_remaining": "9"} | reset(50), 60),
        (EXHAUSTED, 60),
        ({"retry_after": "Sat, 22 Aug 2026 12:00:20 GMT"}, 20),
        ({}, 60),
        ({"retry_after": "9" * 5000}, 65 * 60),
        (EXHAUSTED | {"x_ratelimit_reset": "9" * 5000}, 60),
        # times that cannot be converted to UTC, or whose zone is unknown
        ({"retry_after": "Fri, 31 Dec 9999 23:59:59 -1200"}, 60),
        # the clock of GitHub is ten minutes ahead, or behind, of this machine's
        (EXHAUSTED | reset(650) | {"date": "Sat, 22 Aug 2026 12:10:00 GMT"}, 50),
        ({"retry_after": "Sat, 22 Aug 2026 11:50:20 GMT", "date": "Sat, 22 Aug 2026 11:50:00 GMT"}, 20),
        (EXHAUSTED | reset(50) | {"date": "9" * 5000}, 50),
    ],
)
def test_the_time_to_call_again(headers: dict[str, str], seconds: float) -> None:
    """Retry-After goes before the reset of an exhausted limit, else a minute; an absurd time ends after 65 minutes.

    A time of GitHub's clock is read by its own Date.
    """
    limit = failure_of(response(429, "slow down", **headers), NOW)
    assert isinstance(limit, RateLimited)
    assert limit.retry_at - NOW == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        (response(200, **EXHAUSTED), type(None), "None"),
        (response(429), RateLimited, "GitHub's rate limit is reached (no message)"),
        (
            response(403, "API rate limit exceeded"),
            RateLimited,
            "GitHub's rate limit is reached (API rate limit exceeded)",
        ),
        (response(403, "abuse detected"), RateLimited, "GitHub's rate limit is reached (abuse detected)"),
        (response(403, "no", **EXHAUSTED), RateLimited, "GitHub's rate limit is reached (no)"),
        (response(401, "Bad credentials"), CredentialRejected, "GITHUB_TOKEN: GitHub rejected it (Bad credentials)"),
        (response(403, "Forbidden", x_ratelimit_remaining="9"), Refused, "GitHub answered 403 (Forbidden)"),
        (response(500), Unavailable, "GitHub answered 500 (no message)"),
        (
            response(503, "busy", retry_after="7"),
            Paused,
            "GitHub answered 503 (busy), to be called again at 12:00:07 UTC",
        ),
        (response(502, "two \n lines" * 100), Unavailable, f"GitHub answered 502 ({('two lines' * 100)[:160]})"),
    ],
)
def test_each_response_has_its_kind(given: HttpResponse, kind: type[Exception], text: str) -> None:
    """A limit is a 429, or a 403 whose message or headers report one; a message has one line of 160 characters."""
    failure = failure_of(given, NOW)
    assert (type(failure), str(failure).partition(" until ")[0]) == (kind, text)
