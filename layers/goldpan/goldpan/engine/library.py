"""The entry points for Python: settings from the environment, GitHub as the source.

A `Runtime` made by `goldpan.bootstrap.local_runtime` serves many searches on the same connections, and puts a catalogue
beside GitHub, which is asked where GitHub fails. Without one each call makes its own, and closes it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from math import ceil

from goldpan.bootstrap import local_runtime
from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, Mode, SearchRequest, parse_request
from goldpan.engine import pipeline
from goldpan.engine.events import SearchEvent
from goldpan.engine.runtime import Runtime
from goldpan.infra.cache.port import cache_key
from goldpan.kinds.repositories.models import SearchState


def execute_search_pipeline(
    query: str,
    mode: Mode = "balanced",
    config: PipelineConfig | Mapping[str, object] | None = None,
    *,
    runtime: Runtime | None = None,
) -> SearchState:
    """Answer a question and give the final state of the pipeline.

    Raises `TerminalError`, such as `InvalidRequest`, `Misconfigured` or `SourcesFailed`.
    """
    request = parse_request({"query": query, "mode": mode, "config": config or PipelineConfig()})
    *_, last = stream_search(request, runtime=runtime)
    return last.state


def search(request: SearchRequest, *, runtime: Runtime | None = None, refresh: bool = False) -> Answer:
    """Answer a request, from memory where the same was asked a moment ago. Raises `TerminalError`.

    `refresh` searches anew all the same, and remembers that.
    """
    with _lent(runtime) as used:
        return answered(request, used, lambda left: _searched(left, used), refresh=refresh)


def answered(
    request: SearchRequest, used: Runtime, find: Callable[[SearchRequest], Answer], *, refresh: bool = False
) -> Answer:
    """Give what is remembered, or what another process is finding now, else what `find` gives, which is remembered.

    `find` gets the request with the seconds that are left: what was waited for another is spent.
    """
    answers, begun = used.dependencies.answers, used.clock.now()
    if answers is None:
        return find(request)

    def found() -> Answer:
        spent = (used.clock.now() - begun).total_seconds()
        return find(request.model_copy(update={"max_seconds": ceil(request.max_seconds - spent)}))

    key = cache_key("answer", request=request, asked=[used.identity, *used.sources, *used.fallback])
    return answers.found(key, request, found, used.clock, refresh=refresh)


def stream_search(request: SearchRequest, *, runtime: Runtime | None = None) -> Iterator[SearchEvent]:
    """Search, and tell each stage as it ends; the last event holds the answer. Raises `TerminalError`."""
    used = runtime or local_runtime(os.environ, None)
    events = pipeline.stream_search(request, used.dependencies, sources=used.sources, fallback=used.fallback)
    return events if used is runtime else _closed_after(events, used)


def _closed_after(events: Iterator[SearchEvent], used: Runtime) -> Iterator[SearchEvent]:
    with used:
        yield from events


def _searched(request: SearchRequest, used: Runtime) -> Answer:
    return pipeline.search(request, used.dependencies, sources=used.sources, fallback=used.fallback)


def _lent(runtime: Runtime | None) -> AbstractContextManager[Runtime]:
    """Lend what the caller has, or make one for this call. Raises `Misconfigured`."""
    return local_runtime(os.environ, None) if runtime is None else nullcontext(runtime)
