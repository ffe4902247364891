"""Whatever GitHub, or a proxy before it, repeats in a response, no secret of this process is quoted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import httpx2
import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, CredentialRejected
from goldpan.infra.http_client import HttpClient
from goldpan.infra.redaction import register_secret
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from pydantic import SecretStr

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryRateLimiter

TOKEN, OF_THE_MODEL = "token-of-github", "key-of-the-model"
SAID = f"You sent {TOKEN} and {OF_THE_MODEL}"
PADDED = "x" * 150 + f" {TOKEN}"
"""Shortened at 160 characters, which must not leave a part of the secret."""


def _broken() -> httpx2.Response:
    raise httpx2.ConnectError(SAID)


@pytest.mark.parametrize(
    "answer",
    [
        *(
            lambda status=status: httpx2.Response(status, json={"message": SAID})
            for status in (401, 403, 422, 429, 500)
        ),
        lambda: httpx2.Response(422, json={"message": PADDED}),
        lambda: httpx2.Response(200, json={"errors": [{"type": SAID, "message": SAID}]}),
        lambda: httpx2.Response(200, json={"errors": [{"type": "RATE_LIMITED", "message": SAID}]}),
        lambda: httpx2.Response(200, headers={"content-type": SAID}, content=b"no JSON"),
        _broken,
    ],
)
def test_no_secret_is_quoted(answer: Callable[[], httpx2.Response]) -> None:
    """The reason is given, with the secrets of all upstreams replaced."""
    register_secret(OF_THE_MODEL)
    clock = FakeClock()
    with closing(HttpClient(httpx2.MockTransport(lambda _: answer()))) as http:
        client = GitHubClient(GitHubSettings(github_token=SecretStr(TOKEN)), http, MemoryRateLimiter(clock), clock)
        with pytest.raises((CallFailed, CredentialRejected)) as failed:
            client.graphql("query", {}, Deadline.after(5, clock))
    assert not [part for part in ("token-of", OF_THE_MODEL) if part in str(failed.value)]
    assert "[key" in str(failed.value)
