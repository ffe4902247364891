"""Get or search: the cached answer, the answer that another process is computing, or a new search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from math import ceil
from typing import TYPE_CHECKING
from uuid import uuid4

from pydantic import ValidationError

from goldpan.contracts import Answer, SearchRequest
from goldpan.engine import pipeline
from goldpan.engine.dependencies import Runtime
from goldpan.engine.events import SearchEvent
from goldpan.infra.cache.port import TTL, cache_key

if TYPE_CHECKING:
    from goldpan.engine.deadlines import Clock
    from goldpan.infra.cache.port import Cache
    from goldpan.infra.locks.port import SingleFlightLocks

OnEvent = Callable[[SearchEvent], None]
MAX_ANSWER_BYTES = 200 * 1024
"""A larger answer is not cached on one machine; on AWS the limit is lower, because an execution carries it."""
PARTIAL_TTL = timedelta(seconds=10)
"""How long an incomplete answer is cached: enough for the callers who wait for it, too short for later ones."""
SOURCE_TTL_SECONDS = int(TTL["source"].total_seconds())
LOCK_TTL = timedelta(seconds=29)
"""No search lasts longer, so the lock of a process that died expires then."""
MAX_WAIT_SHARE = 0.5
"""The share of its own time that a search waits for the answer of another one, so that it can still run itself."""
POLL_SECONDS = 0.1
"""The interval at which a waiting search on the same machine checks for the answer."""


def get_or_search(
    request: SearchRequest, runtime: Runtime, *, refresh: bool = False, on_event: OnEvent | None = None
) -> Answer:
    """Return a cached answer, wait for another process that runs the same search, or search.

    `refresh` ignores cached answers from before this call. `on_event` receives each finished stage of a search that
    runs here. The time spent waiting is deducted from the request's own. Raises `TerminalError`.
    """
    answers, clock = runtime.dependencies.answers, runtime.clock
    if answers is None:
        return _search(request, runtime, on_event)
    key = cache_key("answer", request=request, runtime=[runtime.identity, *runtime.sources, *runtime.fallback])
    owner, started_at = uuid4().hex, clock.now()
    newer_than = started_at if refresh else None
    answer = answers.get(key, newer_than)
    while answer is None and not answers.acquire(key, owner, request, started_at):
        clock.wait(POLL_SECONDS)
        answer = answers.get(key, newer_than)
    if answer is not None:
        return answer
    try:
        answer = answers.get(key, newer_than)  # the last owner may have stored it between the two calls above
        if answer is None:
            left = request.max_seconds - (clock.now() - started_at).total_seconds()
            answer = _search(request.model_copy(update={"max_seconds": ceil(left)}), runtime, on_event)
            answers.put(key, answer)
        return answer
    finally:
        answers.release(key, owner)


def stream_search(request: SearchRequest, runtime: Runtime) -> Iterator[SearchEvent]:
    """Search without the answer cache and yield each finished stage; the last event has the answer.

    Raises `TerminalError`.
    """
    return pipeline.run(request, runtime.dependencies, sources=runtime.sources, fallback=runtime.fallback)


def _search(request: SearchRequest, runtime: Runtime, on_event: OnEvent | None) -> Answer:
    answer: Answer | None = None
    for event in stream_search(request, runtime):
        if on_event is not None:
            on_event(event)
        answer = event.answer
    if answer is None:
        message = "the search ended without its last event"
        raise RuntimeError(message)
    return answer


class AnswerCache:
    """The answers of all processes that share a cache and its single-flight locks."""

    def __init__(self, cache: Cache, locks: SingleFlightLocks, clock: Clock) -> None:
        self._cache, self._locks, self._clock = cache, locks, clock

    def get(self, key: str, newer_than: datetime | None = None) -> Answer | None:
        """Return None if the entry is missing, stale, unreadable, or not newer than the given time."""
        entry = self._cache.read([key]).get(key)
        if entry is None or not entry.is_fresh(self._clock.now()):
            return None
        try:
            answer = Answer.model_validate_json(entry.value)
        except ValidationError:
            return None
        return answer if newer_than is None or answer.answered_at >= newer_than else None

    def put(self, key: str, answer: Answer) -> None:
        """Cache an answer, marked as cached, if it is small enough."""
        value = answer.model_copy(update={"cached": True}).to_json().encode()
        if len(value) <= MAX_ANSWER_BYTES:
            self._cache.write({key: value}, TTL["answer"] if is_complete(answer) else PARTIAL_TTL)

    def acquire(self, key: str, owner: str, request: SearchRequest, started_at: datetime) -> bool:
        """Return whether to search now: if no other owner does, or if half of the request's own time has passed."""
        waited = (self._clock.now() - started_at).total_seconds()
        return waited >= MAX_WAIT_SHARE * request.max_seconds or self._locks.acquire(key, LOCK_TTL, owner)

    def release(self, key: str, owner: str) -> None:
        """Let the next waiting search run, if it still has to."""
        self._locks.release(key, owner)


def is_complete(answer: Answer) -> bool:
    """Return whether no source failed or served stale data, and the language model scored if it was asked."""
    served = all(row.status in {"ok", "empty", "truncated"} and not _is_stale(row.age_s) for row in answer.sources)
    results = [result for section in answer.sections.values() for result in section.results]
    scored = not answer.usage.llm_calls or not results or any(result.basis == "llm" for result in results)
    return served and scored and not answer.errors


def _is_stale(age_s: int | None) -> bool:
    return (age_s or 0) > SOURCE_TTL_SECONDS
