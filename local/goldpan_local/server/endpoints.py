"""The paths that search or analyze: each reads its request, and responds from the cache, at the end, or event by event.

What runs takes the place of one search.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from functools import lru_cache, partial

from goldpan.contracts import SearchRequest
from goldpan.contracts.request import require_waiting
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.events import SearchEvent
from goldpan.engine.query_string import parse_query
from goldpan.engine.search import answer_key, run_search
from goldpan.errors import Misconfigured
from goldpan.kinds.papers.sources.library.requests import OPERATIONS
from goldpan.kinds.repositories.analysis.analyze import ANALYZER, analyze
from goldpan.kinds.repositories.analysis.models import AnalyzeRequest
from goldpan.kinds.repositories.names import like_fields, parse_compare_request
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from goldpan_local.server.access import refuse_foreign_page
from goldpan_local.server.background import PREFERENCE, BackgroundSearches, pending_response, prefers_async
from goldpan_local.server.contract import EVENTS_TYPE
from goldpan_local.server.requests import JSON_TYPE, parse_body, parse_strictly, read_body, read_fields
from goldpan_local.server.searches import Searches

COMPARE, LIKE = "/compare", "/like"
KNOWN_BODIES = 256
"""How many parsed bodies are cached: parsing one takes longer than reading its cached answer."""
LIBRARY_SECONDS = 25.0
"""Until when an endpoint for embeddings is asked: words alone then still answer within the limit of a response."""
NOT_STORED = {"cache-control": "no-store"}
EVENT_HEADERS = {**NOT_STORED, "x-accel-buffering": "no"}  # a proxy would otherwise hold the events back


class Endpoints:
    """Each reads a request and responds. Raises `InvalidRequest`, `Misconfigured`, `HTTPException`, `ClientDisconnect`.

    Pages of the origins may search by a link.
    """

    def __init__(self, searches: Searches, origins: tuple[str, ...]) -> None:
        self._searches, self._background, self._origins = searches, BackgroundSearches(searches), origins
        self._read: Callable[[str, bytes], tuple[SearchRequest, str]] = lru_cache(KNOWN_BODIES)(self._read_body)

    async def search(self, http: Request) -> Response:
        """Respond to a search, by a body or a link, a comparison, or a search for what is like a repository."""
        if http.method == "POST":
            request, key = self._read(http.url.path, await read_body(http))
            if request.project_id is not None:  # an import changes it
                key = answer_key(request, self._searches.runtime)
        else:
            refuse_foreign_page(http.headers, self._origins)
            request = parse_query(http.query_params.multi_items())
            key = answer_key(request, self._searches.runtime)
        wants_events = EVENTS_TYPE in http.headers.get("accept", "").lower()
        if not wants_events and http.method == "POST" and prefers_async(http.headers.getlist("prefer")):
            accepted = self._background.start(request)
            started = {"location": accepted.location, "preference-applied": PREFERENCE}
            return pending_response(accepted, started)
        require_waiting(request)
        if wants_events:
            return StreamingResponse(self._messages(request), headers=EVENT_HEADERS, media_type=EVENTS_TYPE)
        if (cached := self._searches.cached(key, request)) is not None:
            return Response(cached, media_type=JSON_TYPE)
        return await self._searches.respond(self._searches.work(request), http)

    async def started_search(self, http: Request) -> Response:
        """Respond with what a search that no client waits for has done, or as it would have to a client that waits."""
        found = self._background.get(http.path_params["id"])
        return Response(found.body, found.status_code, {**found.headers, **NOT_STORED})  # the one that is kept stays

    async def work(self, http: Request) -> Response:
        """Respond with an analysis of a repository, or the user's own papers or passages of them, as the path says."""
        body, path = await read_body(http), http.url.path
        if path not in OPERATIONS:
            analyzed = parse_strictly(body, AnalyzeRequest, ANALYZER.parse)
            on_clock = self._searches.runtime.on_clock
            return await self._searches.respond(
                lambda clock, _: analyze(analyzed, on_clock(clock).dependencies, run_search).to_json(), http
            )
        model, libraries = OPERATIONS[path], self._searches.libraries
        if libraries is None:
            raise Misconfigured("no libraries are configured here")
        request = parse_strictly(body, model, partial(parse_fields, model))
        return await self._searches.respond(
            lambda clock, _: request.run(libraries, Deadline.after(LIBRARY_SECONDS, clock)).model_dump_json(), http
        )

    async def _messages(self, request: SearchRequest) -> AsyncIterator[str]:
        """Yield the events of a search: `started`, a `stage` for each finished one, then the `answer` or the `problem`.

        The stage `shortlist` has a `preview` of what was found, before its order is known. Starlette ends this, and
        with it the search, if the client disconnects.
        """
        events: asyncio.Queue[SearchEvent | None] = asyncio.Queue()
        waiting = asyncio.ensure_future(self._searches.respond(self._searches.work(request, events.put_nowait)))
        waiting.add_done_callback(lambda _: events.put_nowait(None))
        try:
            yield _event("started", json.dumps({"query": request.query, "max_seconds": request.max_seconds}))
            while (event := await events.get()) is not None:
                data: dict[str, object] = {"stage": event.stage, "kind": event.kind, "message": event.message}
                data["execution_time_ms"] = event.execution_time.model_dump()
                if event.stage == "shortlist":
                    data["preview"] = [each.model_dump() for each in event.preview]
                yield _event("stage", json.dumps(data))
            yield _last_event(waiting.result())
        finally:
            waiting.cancel()

    def _read_body(self, path: str, body: bytes) -> tuple[SearchRequest, str]:
        """Read the request of a path, and the key of its answer."""
        if path == COMPARE:
            request = parse_compare_request(read_fields(body))
        else:
            request = parse_body(to_json(like_fields(read_fields(body))) if path == LIKE else body)
        return request, answer_key(request, self._searches.runtime)


def _event(name: str, data: str) -> str:
    """Write a server-sent event; data is JSON without line breaks."""
    return f"event: {name}\ndata: {data}\n\n"


def _last_event(response: Response) -> str:
    """Write the event of an answer or a problem; an event has no header, so that a problem has `retry_after` in it."""
    body, seconds = bytes(response.body).decode(), response.headers.get("retry-after")
    if response.media_type == JSON_TYPE:
        return _event("answer", body)
    return _event("problem", json.dumps({**json.loads(body), **({"retry_after": int(seconds)} if seconds else {})}))
