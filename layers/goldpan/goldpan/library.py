"""The entry points for Python: settings from the environment, GitHub as the source.

A `Runtime` made by `goldpan.bootstrap.local_runtime` puts a catalogue beside it, which is asked where GitHub fails.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from goldpan import pipeline
from goldpan.bootstrap import Runtime, local_runtime
from goldpan.config import PipelineConfig
from goldpan.contracts import Answer, Mode, SearchRequest, parse_request
from goldpan.progress import SearchEvent
from goldpan.repositories.contracts import SearchState


def execute_search_pipeline(
    query: str,
    mode: Mode = "balanced",
    config: PipelineConfig | Mapping[str, object] | None = None,
    *,
    runtime: Runtime | None = None,
) -> SearchState:
    """Answer a question and give the final state of the pipeline.

    Raises `SearchEnded`, such as `InvalidRequest`, `Misconfigured` or `SourcesFailed`.
    """
    request = parse_request({"query": query, "mode": mode, "config": config or PipelineConfig()})
    *_, last = stream_search(request, runtime=runtime)
    return last.state


def search(request: SearchRequest, *, runtime: Runtime | None = None) -> Answer:
    """Answer a request. Raises `SearchEnded`."""
    used = runtime or _runtime()
    return pipeline.search(request, used.ports, sources=used.sources, fallback=used.fallback)


def stream_search(request: SearchRequest, *, runtime: Runtime | None = None) -> Iterator[SearchEvent]:
    """Answer a request and tell each stage as it ends; the last event holds the answer. Raises `SearchEnded`."""
    used = runtime or _runtime()
    return pipeline.stream_search(request, used.ports, sources=used.sources, fallback=used.fallback)


def _runtime() -> Runtime:
    return local_runtime(os.environ, None)
