"""Searches that clients do not wait for: each has an id, under which its stages and then its response are read."""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from uuid import uuid4

from goldpan.contracts import SearchRequest
from goldpan.contracts.progress import Accepted, FinishedStage, Progress
from goldpan.engine.events import SearchEvent
from goldpan.errors import NotFound
from goldpan.infra.cache import TTL
from starlette.responses import Response

from goldpan_local.server.requests import JSON_TYPE, error_response
from goldpan_local.server.searches import MAX_SECONDS, QUEUE_SECONDS, Searches

PREFERENCE = "respond-async"
"""The preference of RFC 7240 by which a client does not wait."""
UNKNOWN_SEARCH = "No search has this id, or its answer was removed: it is kept for 15 minutes."
POLL_SECONDS = "1"
MAX_KEPT = 256
"""How many responses are kept: one has up to some hundred kilobytes."""


class BackgroundSearches:
    """Starts searches, and keeps their responses as long as answers are cached; for the thread of the event loop."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._by_id: dict[str, tuple[list[FinishedStage], asyncio.Task[Response]]] = {}

    def start(self, request: SearchRequest) -> Accepted:
        """Start a search; of too many that have ended, the oldest is dropped."""
        ended = [name for name, (_, response) in self._by_id.items() if response.done()]
        if len(ended) >= MAX_KEPT:
            del self._by_id[ended[0]]
        search_id, stages = str(uuid4()), list[FinishedStage]()
        self._by_id[search_id] = stages, asyncio.create_task(self._run(request, search_id, stages))
        return Accepted(id=search_id, location=f"/search/{search_id}")

    def get(self, search_id: str) -> Response:
        """Return the response of a search, or what it has done if it still runs, or that the id is unknown."""
        if search_id not in self._by_id:
            return error_response(NotFound(UNKNOWN_SEARCH))
        stages, response = self._by_id[search_id]
        return response.result() if response.done() else pending_response(Progress(stages=tuple(stages)))

    async def _run(self, request: SearchRequest, search_id: str, stages: list[FinishedStage]) -> Response:
        def finish(event: SearchEvent) -> None:
            if event.kind is None:
                return
            at = datetime.now(UTC)
            row = FinishedStage(stage=event.stage, kind=event.kind, message=event.message, at=at, preview=event.preview)
            stages.append(row)

        longest = max(MAX_SECONDS, request.max_seconds + QUEUE_SECONDS)
        response = await self._searches.respond(self._searches.work(request, finish), seconds=longest)
        asyncio.get_running_loop().call_later(TTL["answer"].total_seconds(), self._by_id.pop, search_id, None)
        return response


def prefers_async(values: Iterable[str]) -> bool:
    """Whether the headers `Prefer` of a request say that the client does not wait."""
    preferences = ",".join(values).lower().split(",")
    return any(each.partition(";")[0].strip() == PREFERENCE for each in preferences)


def pending_response(state: Accepted | Progress, headers: Mapping[str, str] | None = None) -> Response:
    """Respond for a search that was started and still runs."""
    return Response(state.model_dump_json(), 202, {"retry-after": POLL_SECONDS, **(headers or {})}, JSON_TYPE)
