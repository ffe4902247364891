"""GitHub's error responses become exceptions with the time to call again, and quote no secret."""

import json
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, CredentialRejected, Paused, RateLimited, Refused
from goldpan.infra.http import HttpResponse
from goldpan.infra.http_client import HttpClient
from goldpan.infra.redaction import register_secret
from goldpan.kinds.repositories.sources.github.client import GitHubClient, failure_of
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from pydantic import SecretStr

from tests.support.factories import NOW
from tests.support.fakes import FakeClock
from tests.support.memory_stores import memory_connections

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
        (EXHAUSTED | reset(50), 50),
        (EXHAUSTED | reset(-50), 0),
        ({}, 60),
        ({"retry_after": "9" * 5000}, 65 * 60),
        ({"retry_after": "soon"} | EXHAUSTED | reset(5), 60),
        # the clock of GitHub is ten minutes ahead of this machine's
        (EXHAUSTED | reset(650) | {"date": "Sat, 22 Aug 2026 12:10:00 GMT"}, 50),
    ],
)
def test_the_time_to_call_again(headers: dict[str, str], seconds: float) -> None:
    """Retry-After goes before the reset of an exhausted limit, by GitHub's own clock; at most 65 minutes."""
    limit = failure_of(response(429, "slow down", **headers), NOW, None)
    assert isinstance(limit, RateLimited)
    assert limit.retry_at - NOW == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        (response(200, **EXHAUSTED), type(None), "None"),
        (response(429), RateLimited, "GitHub's rate limit is reached (no message)"),
        (response(403, "abuse detected"), RateLimited, "GitHub's rate limit is reached (abuse detected)"),
        (response(403, "wait", retry_after="7"), RateLimited, "GitHub's rate limit is reached (wait)"),
        (response(403, "no", **EXHAUSTED), RateLimited, "GitHub's rate limit is reached (no)"),
        (response(403, "Forbidden", x_ratelimit_remaining="9"), Refused, "GitHub answered 403 (Forbidden)"),
        (response(503, "a", retry_after="7"), Paused, "GitHub answered 503 (a), to be called again at 12:00:07 UTC"),
    ],
)
def test_each_response_has_its_kind(given: HttpResponse, kind: type[Exception], text: str) -> None:
    """A limit is a 429, or a 403 whose message or headers report one."""
    failure = failure_of(given, NOW, "GITHUB_TOKEN")
    assert (type(failure), str(failure).partition(" until ")[0]) == (kind, text)


TOKEN, OF_THE_MODEL = "token-of-github", "key-of-the-model"
SAID = f"You sent {TOKEN} and {OF_THE_MODEL}"
PADDED = "x" * 150 + f" {TOKEN}"
"""Shortened at 160 characters, which must not leave a part of the secret."""


def _broken() -> httpx2.Response:
    raise httpx2.ConnectError(SAID)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: httpx2.Response(401, json={"message": SAID}),
        lambda: httpx2.Response(422, json={"message": PADDED}),
        lambda: httpx2.Response(200, json={"errors": [{"type": SAID, "message": SAID}]}),
        lambda: httpx2.Response(200, json={"errors": [{"type": "RATE_LIMITED", "message": SAID}]}),
        _broken,
    ],
)
def test_no_secret_is_quoted(answer: Callable[[], httpx2.Response]) -> None:
    """The reason is given, with the secrets of all upstreams replaced."""
    register_secret(OF_THE_MODEL)
    clock = FakeClock()
    with closing(HttpClient(httpx2.MockTransport(lambda _: answer()))) as http:
        client = GitHubClient(GitHubSettings(github_token=SecretStr(TOKEN)), memory_connections(http, clock))
        with pytest.raises((CallFailed, CredentialRejected)) as failed:
            client.graphql("query", {}, Deadline.after(5, clock))
    assert not [part for part in ("token-of", OF_THE_MODEL) if part in str(failed.value)]
    assert "[key" in str(failed.value)
