"""The server's application in this process, over sources that the tests make."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

from goldpan.contracts import Source
from goldpan.engine.deadlines import WallClock
from goldpan.engine.runtime import Runtime
from goldpan.kinds.repositories.ports import Dependencies, RepositorySource
from goldpan_local.serve.application import application
from goldpan_local.serve.searches import Searches
from goldpan_local.serve.settings import ServerSettings
from httpx2 import Response
from starlette.testclient import TestClient

from tests.contract.openapi.contract import as_written
from tests.unit.local.made import catalogue

QUESTION = {"query": "React animation library"}
Event = dict[str, Any]


def runtime(source: RepositorySource | None = None, fallback: RepositorySource | None = None) -> Runtime:
    """Make a runtime that asks a source in the place of GitHub, and another one where that fails."""
    sources: dict[str, RepositorySource] = {"github": source or catalogue()}
    behind: tuple[Source, ...] = ()
    if fallback is not None:
        sources["catalogue"], behind = fallback, ("catalogue",)
    clock = WallClock()
    return Runtime(Dependencies(clock=clock, sources=sources), ("github",), behind, clock)


def serving(used: Runtime | None = None, keys: str = "", at_once: int = 64) -> TestClient:
    """Make a client of the server."""
    settings = ServerSettings.from_environment({"GOLDPAN_API_KEYS": keys})
    return TestClient(application(Searches(used or runtime(), at_once), settings.keys()))


def problem_of(response: Response) -> dict[str, Any]:
    """Read the problem details of a response, which keep the contract and name the response's own status."""
    assert response.headers["content-type"] == "application/problem+json"
    details: dict[str, Any] = response.json()
    as_written("Problem").validate(details)
    assert details["status"] == response.status_code
    return details


def called(
    searches: Searches, receive: Callable[[], Coroutine[Any, Any, Event]], path: str = "/search"
) -> Coroutine[Any, Any, list[Event]]:
    """Call the application by hand, for clients that do what no library does; gives what was sent."""
    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b"", "root_path": ""}
    sent = list[Event]()

    async def send(event: Any) -> None:
        sent.append(event)

    async def call() -> list[Event]:
        await application(searches, None)(scope, receive, send)
        return sent

    return call()


def leaving(after: asyncio.Event, body: bytes = json.dumps(QUESTION).encode()) -> Callable[[], Any]:
    """Make a client that sends its question, and leaves after something happened."""
    events: list[Event] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Event:
        if events:
            return events.pop()
        await after.wait()
        return {"type": "http.disconnect"}

    return receive
