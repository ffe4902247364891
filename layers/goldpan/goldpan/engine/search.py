"""Get or search: the cached answer, the answer that another process is computing, or a new search."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import cast
from uuid import uuid4

from goldpan.contracts import SearchRequest
from goldpan.engine import rounds
from goldpan.engine.answer_cache import AnswerCache
from goldpan.engine.answers import page_of
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.engine.events import SearchEvent
from goldpan.infra.cache import Namespace, cache_key
from goldpan.kinds.answer import Answer

OnEvent = Callable[[SearchEvent], None]
POLL_SECONDS = 0.1
"""The interval at which a search that waits looks for the answer of the other one."""


def get_or_search(
    request: SearchRequest,
    runtime: Runtime,
    *,
    refresh: bool = False,
    all_pages: bool = False,
    on_event: OnEvent | None = None,
) -> Answer:
    """Return a page of a cached answer, wait for another process that runs the same search, or search.

    `refresh` ignores cached answers from before this call; `all_pages` returns the results of all pages. `on_event`
    receives each finished stage of a search that runs here. The time spent waiting is deducted from the request's own.
    Raises `TerminalError`.
    """
    cache, locks, clock = runtime.dependencies.cache, runtime.dependencies.locks, runtime.clock
    page = None if all_pages else request
    if cache is None or locks is None:
        return page_of(run_search(request, runtime.dependencies, runtime.sources, on_event), page)
    answers, owner, started_at = AnswerCache(cache, clock), uuid4().hex, clock.now()
    key, newer_than = answer_key(request, runtime), started_at if refresh else None
    find = partial(answers.get, key, page, newer_than)
    while (found := find()) is None and not locks.may_run(key, owner, request.max_seconds, clock.now() - started_at):
        clock.wait(POLL_SECONDS)
    if found is not None:
        return found
    try:
        if (found := find()) is not None:  # the last owner may have stored it between the two calls above
            return found
        left = request.max_seconds - (clock.now() - started_at).total_seconds()
        asked = request.model_copy(update={"max_seconds": ceil(left)})
        whole = run_search(asked, runtime.dependencies, runtime.sources, on_event)
        answers.put(key, request, whole)
        return page_of(whole, page)
    finally:
        locks.release(key, owner)


def answer_key(request: SearchRequest, runtime: Runtime) -> str:
    """Return the key under which a whole answer is cached: all that it depends on, for all of its pages."""
    return runtime_key("search", runtime, request.project_id, request=request.normal())


def runtime_key(namespace: Namespace, runtime: Runtime, project: str | None, **parts: object) -> str:
    """Make the key of what a runtime finds, of JSON values or models.

    An import into the library of the project gives another key, so that nothing of an older version is served after it.
    """
    libraries = runtime.dependencies.libraries
    version = None if project is None or libraries is None else libraries.version(project)
    return cache_key(namespace, library=version, runtime=[runtime.identity, *runtime.sources], **parts)


def stream_search(request: SearchRequest, runtime: Runtime) -> Iterator[SearchEvent]:
    """Search without the answer cache; yield each finished stage, the last with the page. Raises `TerminalError`."""
    for event in rounds.run(request, runtime.dependencies, sources=runtime.sources):
        yield event if event.answer is None else replace(event, answer=page_of(event.answer, request))


def run_search(
    request: SearchRequest, dependencies: Dependencies, sources: Sequence[str], on_event: OnEvent | None = None
) -> Answer:
    """Search without the cache of answers, and return all results. Raises `TerminalError` or `Defect`."""
    for event in rounds.run(request, dependencies, sources=sources):
        if on_event is not None:
            on_event(event)
    return cast("Answer", event.answer)  # the last one has it
