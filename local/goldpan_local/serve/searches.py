"""The searches that run: each in a thread of its own, so many at once at most, and none for a client that has left."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Runtime
from goldpan.engine.problem_details import PROBLEM_TYPE, Response, problem, respond
from goldpan.engine.search import get_or_search
from goldpan.errors import Cancelled, Defect, OutOfTime
from starlette.exceptions import HTTPException

from goldpan_local.serve.refusals import STOPPING, body_of

MAX_SECONDS = 29.0
"""When a search is given up, whatever holds it: as the gateway on AWS does."""
_LOG = logging.getLogger(__name__)


class SearchClock(WallClock):
    """The clock of one search: it tells no time to a search that was given up, which ends at its next look."""

    def now(self) -> datetime:
        """Tell the time; raises `Cancelled` where the search was given up."""
        if self.cancelled:
            raise Cancelled("the search was given up")
        return super().now()


@dataclass(eq=False)
class Search:
    """A search that runs, and what it will be answered with."""

    ended: asyncio.Future[Response]
    clock: SearchClock = field(default_factory=SearchClock)


class Searches:
    """Begins searches and gives them up; used from the thread of the event loop alone."""

    def __init__(self, runtime: Runtime, at_once: int) -> None:
        self._runtime, self._at_once = runtime, at_once
        self._running: set[Search] = set()
        self._stopping = False

    async def answer(self, request: SearchRequest, gone: asyncio.Future[None]) -> Response | None:
        """Answer a request; None where the client left before. Raises `HTTPException` where too many run."""
        if self._stopping:
            return _stopping()
        search = self._begin(request)
        try:
            either: set[asyncio.Future[Any]] = {search.ended, gone}
            await asyncio.wait(either, timeout=MAX_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            search.clock.cancel()
        if search.ended.done():
            return search.ended.result()
        return None if gone.done() else problem(OutOfTime("The search was cut at its time limit."), _now())

    def give_up(self) -> None:
        """Give all searches up, because the server stops."""
        self._stopping = True
        for search in self._running:
            search.clock.cancel()
            _end(search, _stopping())

    def _begin(self, request: SearchRequest) -> Search:
        """Start the thread of a search, a daemon: a source that hangs never holds the exit of the process."""
        if len(self._running) >= self._at_once:
            raise HTTPException(503)
        loop = asyncio.get_running_loop()
        search = Search(loop.create_future())

        def run() -> None:
            response = answered(request, self._runtime, search.clock)
            try:
                loop.call_soon_threadsafe(self._ended, search, response)
            except RuntimeError:
                _LOG.debug("A search ended after the server")

        threading.Thread(target=run, name="goldpan-search", daemon=True).start()
        self._running.add(search)
        return search

    def _ended(self, search: Search, response: Response) -> None:
        self._running.discard(search)
        _end(search, response)


def answered(request: SearchRequest, runtime: Runtime, clock: SearchClock) -> Response:
    """Run a search with a clock of its own; a defect is told to the log alone."""
    used = replace(runtime, dependencies=replace(runtime.dependencies, clock=clock), clock=clock)
    if request.sources:
        used = replace(used, fallback=())  # who names the sources wants those alone
    try:
        return respond(lambda: get_or_search(request, used), _now)
    except Exception as error:  # noqa: BLE001 - told to the log; the asker gets a fixed text
        if clock.cancelled:
            return _stopping()
        _LOG.exception("A search broke as nobody foresaw")
        return problem(Defect(str(error)), _now())


def _end(search: Search, response: Response) -> None:
    if not search.ended.done():
        search.ended.set_result(response)


def _stopping() -> Response:
    return Response(statusCode=503, contentType=PROBLEM_TYPE, retryAfter="", body=body_of(503, STOPPING))


def _now() -> datetime:
    return datetime.now(UTC)
