"""Searches that clients do not wait for: each has an id, under which its stages and then its response are read."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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


@dataclass
class _Search:
    stages: list[FinishedStage] = field(default_factory=list)
    response: Response | None = None
    task: asyncio.Task[None] | None = None


class BackgroundSearches:
    """Starts searches, and keeps their responses as long as answers are cached; for the thread of the event loop."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._by_id: dict[str, _Search] = {}

    def start(self, request: SearchRequest) -> Accepted:
        """Start a search; of too many that have ended, the oldest is dropped."""
        ended = [name for name, search in self._by_id.items() if search.response is not None]
        if len(ended) >= MAX_KEPT:
            del self._by_id[ended[0]]
        search_id, search = str(uuid4()), _Search()
        self._by_id[search_id] = search
        search.task = asyncio.create_task(self._run(request, search_id, search))
        return Accepted(id=search_id, location=f"/search/{search_id}")

    def get(self, search_id: str) -> Response:
        """Return the response of a search, or what it has done if it still runs, or that the id is unknown."""
        search = self._by_id.get(search_id)
        if search is None:
            return error_response(NotFound(UNKNOWN_SEARCH))
        return search.response or pending_response(Progress(stages=tuple(search.stages)))

    async def _run(self, request: SearchRequest, search_id: str, search: _Search) -> None:
        def finish(event: SearchEvent) -> None:
            if event.kind is None:
                return
            at = datetime.now(UTC)
            row = FinishedStage(stage=event.stage, kind=event.kind, message=event.message, at=at, preview=event.preview)
            search.stages.append(row)

        longest = max(MAX_SECONDS, request.max_seconds + QUEUE_SECONDS)
        search.response = await self._searches.respond(self._searches.work(request, finish), seconds=longest)
        asyncio.get_running_loop().call_later(TTL["answer"].total_seconds(), self._by_id.pop, search_id, None)


def prefers_async(values: Iterable[str]) -> bool:
    """Whether the headers `Prefer` of a request say that the client does not wait."""
    preferences = ",".join(values).lower().split(",")
    return any(each.partition(";")[0].strip() == PREFERENCE for each in preferences)


def pending_response(state: Accepted | Progress, headers: Mapping[str, str] | None = None) -> Response:
    """Respond for a search that was started and still runs."""
    return Response(state.model_dump_json(), 202, {"retry-after": POLL_SECONDS, **(headers or {})}, JSON_TYPE)
