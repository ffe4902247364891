"""The entry points for Python: `goldpan.search`, `goldpan.stream_search` and `goldpan.execute_search_pipeline`.

A `Runtime` from `goldpan_local.bootstrap` serves many searches on the same connections. Without one, each call makes
its own from the environment, with GitHub as the source, and closes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext

from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, Mode, SearchRequest, parse_request
from goldpan.engine import search as engine
from goldpan.engine.dependencies import Runtime
from goldpan.engine.events import SearchEvent
from goldpan.kinds.repositories.state import SearchState, final_state

from goldpan_local.bootstrap import local_runtime


def search(request: SearchRequest, *, runtime: Runtime | None = None, refresh: bool = False) -> Answer:
    """Return the answer to a request, from the cache if the same request was answered recently.

    `refresh` ignores the cached answer and replaces it. Raises `TerminalError`.
    """
    with _runtime(runtime) as used:
        return engine.get_or_search(request, used, refresh=refresh)


def stream_search(request: SearchRequest, *, runtime: Runtime | None = None) -> Iterator[SearchEvent]:
    """Search and yield an event for each finished stage; the last one has the answer. Raises `TerminalError`."""
    used = runtime or local_runtime(os.environ)
    events = engine.stream_search(request, used)
    return events if used is runtime else _close_after(events, used)


def execute_search_pipeline(
    query: str,
    mode: Mode = "balanced",
    config: PipelineConfig | Mapping[str, object] | None = None,
    *,
    runtime: Runtime | None = None,
) -> SearchState:
    """Search for repositories and return the final state of the pipeline.

    Raises `TerminalError`, such as `InvalidRequest`, `Misconfigured` or `SourcesFailed`.
    """
    request = parse_request({"query": query, "mode": mode, "config": config or PipelineConfig()})
    return final_state(request, stream_search(request, runtime=runtime))


def _close_after(events: Iterator[SearchEvent], runtime: Runtime) -> Iterator[SearchEvent]:
    with runtime:
        yield from events


def _runtime(runtime: Runtime | None) -> AbstractContextManager[Runtime]:
    """Return the caller's runtime, or make one for this call. Raises `Misconfigured`."""
    return local_runtime(os.environ) if runtime is None else nullcontext(runtime)
