"""What GitHub's refusals mean, and when it may be called again."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from goldpan.errors import CredentialRejected, RateLimited, Refused, Unavailable
from goldpan.infra.http import HttpReply
from goldpan.kinds.repositories.sources.github.failures import MAX_WAIT, failure_of

from tests.unit.infra.fakes import START

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def reply(status: int, message: str | None = None, **headers: str) -> HttpReply:
    """Make a refusal; underscores in a header's name stand for hyphens."""
    body = b"" if message is None else json.dumps({"message": message}).encode()
    return HttpReply(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


def reset(seconds: float) -> str:
    """Write a time of reset."""
    return str(int(START.timestamp() + seconds))


def test_an_answer_is_no_failure() -> None:
    """A 200 is an answer, whatever is left of the limit."""
    assert failure_of(reply(200, x_ratelimit_remaining="0"), START) is None


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "7"}, 7 * SECOND),
        ({"retry_after": "0"}, 0 * SECOND),
        ({"retry_after": "7", "x_ratelimit_remaining": "0", "x_ratelimit_reset": reset(50)}, 7 * SECOND),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset(50)}, 50 * SECOND),
        ({"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset(-50)}, 0 * SECOND),
        ({"x_ratelimit_remaining": "9", "x_ratelimit_reset": reset(50)}, MINUTE),
        ({"x_ratelimit_remaining": "0"}, MINUTE),
        ({"retry_after": "Sat, 22 Aug 2026 12:00:20 GMT"}, 20 * SECOND),
        ({"retry_after": "Sat, 22 Aug 2026 11:00:00 GMT"}, 0 * SECOND),
        ({"retry_after": "Sat, 99 Aug 2026 11:00:00 GMT"}, MINUTE),
        ({"retry_after": "soon"}, MINUTE),
        ({"retry_after": "-5"}, MINUTE),
        ({}, MINUTE),
    ],
)
def test_when_to_come_back(status: int, headers: dict[str, str], wait: timedelta) -> None:
    """Retry-After goes first, then the reset of a spent limit, else a minute."""
    limit = failure_of(reply(status, "You have exceeded a secondary rate limit.", **headers), START)
    assert isinstance(limit, RateLimited)
    assert limit.retry_at - START == wait


@pytest.mark.parametrize(
    "headers",
    [
        {"retry_after": "999999"},
        {"retry_after": "9" * 30},
        {"retry_after": "9" * 5000},
        {"retry_after": "Sat, 22 Aug 2099 12:00:20 GMT"},
        {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "9" * 5000},
        {"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset(10**6)},
        {"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset(0) + "000"},
        {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "9" * 30},
    ],
)
def test_an_absurd_time_is_capped(headers: dict[str, str]) -> None:
    """A time beyond any window of GitHub, or in milliseconds, closes GitHub for an hour and no longer."""
    limit = failure_of(reply(429, "rate limit", **headers), START)
    assert isinstance(limit, RateLimited)
    assert MINUTE <= limit.retry_at - START <= MAX_WAIT


@pytest.mark.parametrize(
    "refused",
    [
        reply(429),
        reply(403, "API rate limit exceeded for 127.0.0.1."),
        reply(403, "You have triggered an abuse detection mechanism."),
        reply(403, "no", retry_after="1"),
        reply(403, "no", x_ratelimit_remaining="0"),
    ],
)
def test_what_is_a_limit(refused: HttpReply) -> None:
    """A 429 always, and a 403 that speaks of a limit or carries its headers."""
    assert isinstance(failure_of(refused, START), RateLimited)


@pytest.mark.parametrize(
    ("status", "message"),
    [(403, "Resource not accessible by token"), (404, "Not Found"), (422, "Validation Failed"), (301, "Moved")],
)
def test_what_is_only_refused(status: int, message: str) -> None:
    """A 403 that is no limit, and any other refusal, is told in GitHub's words."""
    failure = failure_of(reply(status, message, x_ratelimit_remaining="9"), START)
    assert isinstance(failure, Refused)
    assert str(failure) == f"GitHub answered {status} ({message})"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_error_is_unavailable(status: int) -> None:
    """A server error, with or without words, makes GitHub unavailable."""
    assert isinstance(failure_of(reply(status), START), Unavailable)
    assert str(failure_of(HttpReply(status, {}, b"<html>"), START)) == f"GitHub answered {status} (no message)"


def test_a_rejected_token_is_named() -> None:
    """A 401 names the variable to renew."""
    failure = failure_of(reply(401, "Bad credentials"), START)
    assert isinstance(failure, CredentialRejected)
    assert str(failure) == "GITHUB_TOKEN: GitHub rejected it (Bad credentials)"


def test_long_words_are_cut() -> None:
    """What GitHub says is cut to one line."""
    said = str(failure_of(reply(500, "very \n long " * 100), START))
    assert "\n" not in said
    assert len(said) < 200
