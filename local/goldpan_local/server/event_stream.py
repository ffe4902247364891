"""Server-sent events of a search: `started`, a `stage` for each finished one, then the `answer` or the `problem`.

The stage `shortlist` has a `preview` of what was found, before its order is known.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from goldpan.contracts import SearchRequest
from goldpan.engine.events import SearchEvent
from goldpan.engine.problem_details import ANSWER_TYPE, Response
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from goldpan_local.server.contract import EVENTS_TYPE
from goldpan_local.server.searches import RunningSearch, Searches

HEADERS = [
    (b"content-type", f"{EVENTS_TYPE}; charset=utf-8".encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy would otherwise hold the events back until the answer
]


def wants_events(http: Request) -> bool:
    """Whether the client accepts events."""
    return EVENTS_TYPE in http.headers.get("accept", "").lower()


class EventStream:
    """An ASGI response that runs a search and sends its events; the search is cancelled if the client disconnects."""

    def __init__(self, searches: Searches, request: SearchRequest, disconnected: asyncio.Future[None]) -> None:
        """Start the search. Raises `HTTPException` if too many wait."""
        self._events: asyncio.Queue[SearchEvent | None] = asyncio.Queue()
        self._searches, self._request, self._disconnected = searches, request, disconnected
        self._search: RunningSearch = searches.start(request, self._events.put_nowait)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events as they come."""
        del scope, receive
        waiting = asyncio.ensure_future(self._searches.wait(self._search, self._disconnected))
        waiting.add_done_callback(lambda _: self._events.put_nowait(None))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            async for name, data in self._messages(waiting):
                body = f"event: {name}\ndata: {data}\n\n".encode()
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._disconnected.cancel()
            self._search.clock.cancel()

    async def _messages(self, waiting: asyncio.Future[Response | None]) -> AsyncIterator[tuple[str, str]]:
        """Yield the name and the data of each event; data is JSON without line breaks."""
        yield "started", json.dumps({"query": self._request.query, "max_seconds": self._request.max_seconds})
        while (event := await self._events.get()) is not None:
            yield "stage", _stage(event)
        response = waiting.result()
        if response is not None:
            yield ("answer" if response.contentType == ANSWER_TYPE else "problem"), response.body


def _stage(event: SearchEvent) -> str:
    times = event.execution_time.model_dump()
    data: dict[str, object] = {"stage": event.stage, "kind": event.kind, "message": event.message}
    data["execution_time_ms"] = times
    if event.stage == "shortlist":
        data["preview"] = [each.model_dump() for each in event.preview]
    return json.dumps(data)
