"""Runs searches in threads up to a limit, queues further ones, and cancels those whose result no caller waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast

from goldpan.contracts import SearchRequest
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.deadlines import SearchClock
from goldpan.engine.dependencies import Runtime
from goldpan.engine.search import OnEvent, get_or_search
from goldpan.errors import Defect, GoldpanError, Misconfigured, OutOfTime
from goldpan.infra.threads import start
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from goldpan_local.server.requests import JSON_TYPE, STOPPING, error_response, problem_response

if TYPE_CHECKING:
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries

MAX_SECONDS = 29.0
"""Limit for a response to a client that waits, that of API Gateway."""
QUEUE_SECONDS = 2.0
"""How long a search waits for its turn: the longest search, 27 s, then still ends within `MAX_SECONDS`."""
_LOG = logging.getLogger(__name__)


Call = Callable[..., None]
"""Calls a function in the thread of the event loop."""
Work = Callable[[SearchClock, Call], str]
"""Makes the JSON of a response, in a thread of its own. Raises `GoldpanError`."""


class Searches:
    """Runs and cancels searches; to be used from the thread of the event loop only.

    `answers` are read in that thread: a cached answer needs no thread of its own, and no other search delays it.
    """

    def __init__(self, runtime: Runtime, limit: int, answers: AnswerCache | None = None) -> None:
        self.runtime, self._places, self._answers = runtime, asyncio.Semaphore(limit), answers
        self._responses = set[asyncio.Task[Response]]()
        self._stopping = False

    @property
    def libraries(self) -> OpenLibraries | None:
        """The libraries of the runtime, None if it has none."""
        return cast("OpenLibraries | None", self.runtime.dependencies.libraries)

    def cached(self, key: str, request: SearchRequest) -> bytes | None:
        """Return the cached page of an answer as JSON, None if there is none."""
        return None if self._answers is None else self._answers.get_json(key, request)

    def work(self, request: SearchRequest, on_event: OnEvent | None = None) -> Work:
        """Return the work of a search; `on_event` receives each finished stage, in the thread of the event loop."""

        def search(clock: SearchClock, call: Call) -> str:
            report = None if on_event is None else partial(call, on_event)
            return get_or_search(request, self.runtime.on_clock(clock), on_event=report).to_json()

        return search

    async def respond(self, work: Work, http: Request | None = None, seconds: float | None = None) -> Response:
        """Run work in a thread of its own as soon as there is room; 503 if there is none for `QUEUE_SECONDS`.

        It is cut after `seconds`. Raises `ClientDisconnect` if the client of the request disconnects first. The work is
        cancelled when no caller waits for it.
        """
        if self._stopping:
            return problem_response(503, problem=STOPPING)
        clock = SearchClock()
        response = asyncio.create_task(self._run(work, clock))
        gone = [] if http is None else [asyncio.create_task(_disconnected(http))]
        self._responses.add(response)
        try:
            await asyncio.wait((response, *gone), timeout=seconds or MAX_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if response.done():
                return problem_response(503, problem=STOPPING) if response.cancelled() else response.result()
            if any(each.done() for each in gone):
                raise ClientDisconnect
        finally:
            clock.cancel()
            for each in (response, *gone):
                each.cancel()
            self._responses.discard(response)
        return error_response(OutOfTime("The search was cut at its time limit."))

    def stop(self) -> None:
        """Cancel all searches and start no more; their callers get 503."""
        self._stopping = True
        for response in self._responses:
            response.cancel()  # wakes `respond`, which cancels the search

    async def _run(self, work: Work, clock: SearchClock) -> Response:
        """Wait for a place, then for the thread, which keeps the place until it ends, also if no caller waits."""
        try:
            async with asyncio.timeout(QUEUE_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            return problem_response(503)
        loop = asyncio.get_running_loop()

        def call(report: Callable[..., None], *arguments: object) -> None:
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(report, *arguments)

        made = asyncio.wrap_future(start(partial(_respond, work, clock, call)))
        made.add_done_callback(lambda _: self._places.release())
        return await asyncio.shield(made)


async def _disconnected(http: Request) -> None:
    """Wait until the client disconnects; after the body there is no other message."""
    while (await http.receive())["type"] != "http.disconnect":
        continue


def _respond(work: Work, clock: SearchClock, call: Call) -> Response:
    """Respond with the JSON of the work; an error becomes a problem, and one that users cannot correct is logged."""
    try:
        return Response(work(clock, call), media_type=JSON_TYPE)
    except GoldpanError as error:
        if isinstance(error, Misconfigured):
            _LOG.error("No answer is possible: %s", str(error).partition(" (")[0])
        return error_response(error)
    except Exception as error:  # noqa: BLE001 - logged; the caller gets a fixed text
        if clock.cancelled:
            return problem_response(503, problem=STOPPING)
        _LOG.exception("Unexpected error in a search")
        return error_response(Defect(str(error)))
