"""Whatever GitHub sends, a search has an answer or a documented error: no traceback, and no text that cannot be sent.

FUZZ_EXAMPLES is the number of examples of each kind of body in units of 35; without it, a short form runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import closing
from typing import Any

import httpx2
import pytest
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import TerminalError
from goldpan.infra.http import HttpClient
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from tests.slow.upstream_bodies import HEADERS, WIRE_FAULTS, graphql_bodies, rest_bodies, written
from tests.support.factories import StillClock, request, run
from tests.support.memory_stores import MemoryRateLimiter

pytestmark = [
    pytest.mark.short,
    # A search that ended early may leave a thread that still draws the time of its retry.
    pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies"),
]
EXAMPLES = 35 * int(os.environ.get("FUZZ_EXAMPLES", "2"))
CAMPAIGN = settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
CONFIG = {"coarse_filter": {"min_stars": None, "pushed_within_months": None, "require_readme": False}}
"""Lets through to the answer what would be left out for its facts."""
STATUSES = st.sampled_from([*[200] * 30, 301, 401, 403, 422, 429, 500, 503])


def search(respond: httpx2.MockTransport, token: str | None) -> None:
    """Search through that GitHub: there must be an answer that can be sent, or an error that is documented."""
    clock = StillClock()
    access = GitHubSettings(github_token=SecretStr(token) if token else None)
    with closing(HttpClient(respond)) as http:
        source = GitHub(access, http, MemoryRateLimiter(clock), clock)
        try:
            answer = run(request(config=CONFIG), Dependencies(clock=clock, sources={"github": source}))
        except TerminalError as error:
            json.dumps(str(error)).encode()
            return
    json.loads(answer.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


@given(graphql_bodies(), STATUSES, HEADERS, WIRE_FAULTS)
@CAMPAIGN
def test_graphql(body: Any, status: int, headers: Mapping[str, str], fault: Any) -> None:
    """With a token: the searches, and the details of what they find."""

    def respond(sent: httpx2.Request) -> httpx2.Response:
        variables = json.loads(sent.read())["variables"]
        return response(status, headers, fault(written(for_all(body, variables))))

    search(httpx2.MockTransport(respond), "good-token")


@given(rest_bodies(), STATUSES, HEADERS, WIRE_FAULTS)
@CAMPAIGN
def test_rest(body: Any, status: int, headers: Mapping[str, str], fault: Any) -> None:
    """Without a token: the searches alone."""
    content = fault(written(body))
    search(httpx2.MockTransport(lambda _: response(status, headers, content)), None)


def for_all(body: Any, variables: Mapping[str, object]) -> Any:
    """Answer every search, or every repository, of a document as the first."""
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        return body
    kind, first = ("s", "q0") if "q0" in variables else ("r", "o0")
    count = sum(name[0] == first[0] and name[1:].isdecimal() for name in variables)
    return body | {"data": {f"{kind}{place}": data.get(f"{kind}0") for place in range(count)}}


def response(status: int, headers: Mapping[str, str], content: bytes) -> httpx2.Response:
    """Make a response whose headers and body are what comes over a connection."""
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return httpx2.Response(status, headers=raw, stream=Stream(content))


class Stream(httpx2.SyncByteStream):
    """A body that is not unpacked before it is read."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Any:
        yield self._content
