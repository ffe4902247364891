"""The path `/analyze-repo` of the server."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import Cancelled, CredentialRejected, RateLimited, Unavailable
from goldpan.kinds.repositories.analysis.models import RepositoryFacts
from goldpan_local.server.app import make_app
from goldpan_local.server.searches import Searches

from tests.contract.openapi.contract import as_written
from tests.support.analysis_fakes import FULL_NAME, ListedReader, readers
from tests.support.fakes import START
from tests.support.local import client, problem_of

PATH, BODY = "/analyze-repo", {"repo": FULL_NAME, "query": "Python web framework"}


def runtime(reader: Any = None) -> Runtime:
    """Make the runtime of a server that reads from this reader."""
    clock = WallClock()
    return Runtime(Dependencies(clock, readers=readers(reader)), ("github",), (), clock)


def test_the_response_keeps_the_contract() -> None:
    """It is the analysis of the library."""
    response = client(runtime()).post(PATH, json=BODY)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    as_written("Analysis").validate(response.json())
    assert response.json()["repo"] == FULL_NAME


@pytest.mark.parametrize(
    ("body", "reader", "status", "slug"),
    [
        ({"repo": "flask"}, ListedReader(), 400, "invalid-request"),
        ({"repo": "nobody/nothing"}, ListedReader(), 400, "invalid-request"),
        ({"repo": FULL_NAME, "query": 7}, ListedReader(), 400, "invalid-request"),
        (BODY, ListedReader(failure=RateLimited("no calls", START + timedelta(days=365))), 429, "sources-limited"),
        (BODY, ListedReader(failure=Unavailable("down")), 503, "sources-failed"),
    ],
)
def test_a_failure_is_a_problem(body: Any, reader: ListedReader, status: int, slug: str) -> None:
    """With the status of the contract."""
    response = client(runtime(reader)).post(PATH, json=body)
    assert problem_of(response)["type"] == f"urn:goldpan:problem:{slug}"
    assert response.status_code == status


def test_a_rejected_credential_is_in_the_log_by_name(caplog: pytest.LogCaptureFixture) -> None:
    """The operator has to renew it."""
    reader = ListedReader(failure=CredentialRejected("GITHUB_TOKEN: GitHub rejected it (Bad credentials)"))
    assert client(runtime(reader)).post(PATH, json=BODY).status_code == 500
    assert "No answer is possible: GITHUB_TOKEN: GitHub rejected it" in caplog.text


def test_an_unexpected_error_reveals_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """The log alone has it."""

    class Broken(ListedReader):
        def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
            raise LookupError(f"secret detail {full_name} {deadline}")

    response = client(runtime(Broken())).post(PATH, json=BODY)
    assert (response.status_code, "secret detail" in response.text) == (500, False)
    assert "LookupError: secret detail" in caplog.text


def test_a_server_of_a_catalogue_file_says_that_it_reads_no_github() -> None:
    """Instead of an answer that looks empty."""
    clock = WallClock()
    response = client(Runtime(Dependencies(clock), ("catalogue",), (), clock)).post(PATH, json=BODY)
    assert "GitHub is not among the sources here" in problem_of(response)["detail"]


@dataclass
class WaitingReader:
    """A reader that waits until its clock is cancelled."""

    identity: str = "waiting"
    started: threading.Event = field(default_factory=threading.Event)
    cancelled: threading.Event = field(default_factory=threading.Event)

    def read(self, full_name: str, deadline: Deadline) -> RepositoryFacts:
        """Wait."""
        del full_name
        self.started.set()
        try:
            while True:
                deadline.clock.wait(0.01)
        except Cancelled:
            self.cancelled.set()
            raise


async def post(searches: Searches, disconnect: asyncio.Event) -> None:
    """Send the request as a client that disconnects, which no test client can."""
    messages = [{"type": "http.request", "body": json.dumps(BODY).encode(), "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await disconnect.wait()
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None:
        return None

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": PATH, "headers": headers, "query_string": b""}
    await make_app(searches, None)(scope, receive, send)


def test_an_analysis_ends_when_its_client_leaves() -> None:
    """No call is made without a client."""
    reader = WaitingReader()

    async def leave() -> None:
        disconnect = asyncio.Event()
        sent = asyncio.ensure_future(post(Searches(runtime(reader), 1), disconnect))
        assert await asyncio.to_thread(reader.started.wait, 30)
        disconnect.set()
        await sent

    asyncio.run(leave())
    assert reader.cancelled.wait(30)
