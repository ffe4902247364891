"""The entry points for Python.

`search`, `stream_search`, `compare`, `like`, `analyze_repository`, `execute_search_pipeline` and `dedupe`.

A runtime serves many searches on the same connections: `open_runtime` makes it from the environment, `open_catalogue`
from a catalogue file. Without one, each call makes its own from the environment and closes it.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from goldpan.config import PipelineConfig
from goldpan.contracts import Mode, SearchRequest, parse_request
from goldpan.engine import search as engine
from goldpan.engine.deadlines import SearchClock
from goldpan.engine.dependencies import Runtime
from goldpan.engine.events import SearchEvent
from goldpan.kinds.answer import Answer
from goldpan.kinds.repositories.names import like_fields, parse_compare_request
from goldpan.kinds.repositories.stages import SearchState, final_state
from goldpan.local import bootstrap

if TYPE_CHECKING:
    from goldpan.kinds.papers.deduplication.grouping import Group
    from goldpan.kinds.papers.models import Paper
    from goldpan.kinds.repositories.analysis.models import Analysis


def open_runtime() -> Runtime:
    """Open what the environment names: GitHub, and the embedded sample if it cannot be reached. Raises `Misconfigured`.

    The runtime is a context manager that closes its connections.
    """
    return bootstrap.open_runtime(os.environ)


def open_catalogue(file: str | os.PathLike[str]) -> Runtime:
    """Open a catalogue file, which is all that is searched with this runtime. Raises `Misconfigured`."""
    return bootstrap.open_runtime(os.environ, catalogue_file=Path(file))


def search(request: SearchRequest | str, *, runtime: Runtime | None = None, refresh: bool = False) -> Answer:
    """Return the answer to a request or a plain question, from the cache if the same was answered recently.

    `refresh` ignores the cached answer and replaces it. Raises `TerminalError`.
    """
    asked = make_request(request)
    with _one_search(runtime_for(asked, runtime)) as used:
        return engine.get_or_search(asked, used, refresh=refresh)


def stream_search(
    request: SearchRequest | str, *, runtime: Runtime | None = None
) -> Generator[SearchEvent, None, None]:
    """Search and yield an event for each finished stage; the last one has the answer. Raises `TerminalError`.

    Closing it cancels the search and its calls.
    """
    asked = make_request(request)
    return _stream(asked, runtime_for(asked, runtime))


def compare(repos: Sequence[str], query: str | None = None, runtime: Runtime | None = None) -> Answer:
    """Compare two to four repositories, owner/name each, ordered by their fit to the question, or else as given.

    One that is not found is named in `errors`, one that has another name now in `warnings`. Raises `TerminalError`.
    """
    return search(parse_compare_request({"repos": list(repos), "query": query}), runtime=runtime)


def like(repo: str, *, runtime: Runtime | None = None, **fields: object) -> Answer:
    """Search for what is like a repository, owner/name, with further fields of `SearchRequest`.

    Raises `InvalidRequest` if there is no such repository, and `TerminalError`.
    """
    return search(parse_request(like_fields({"repo": repo, **fields})), runtime=runtime)


def analyze_repository(repo: str, query: str | None = None, runtime: Runtime | None = None) -> Analysis:
    """Look closely at one repository, owner/name, and say how well it fits a question, if there is one.

    For a question it has the relevance and the scores of a search. Raises `InvalidRequest` if there is no such
    repository, and `TerminalError` if nothing of it can be read.
    """
    from goldpan.kinds.repositories.analysis.analyze import ANALYZER, analyze  # noqa: PLC0415 - 0.1 s

    request = ANALYZER.parse({"repo": repo, "query": query})
    with bootstrap.open_runtime(os.environ) if runtime is None else nullcontext(runtime) as used:
        return analyze(request, used.dependencies, engine.run_search)


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


def dedupe(records: Iterable[Mapping[str, object] | Paper]) -> list[Group]:
    """Group the records that are the same paper; each is in exactly one group, singletons included.

    A record is a mapping with the fields of `goldpan dedupe`, or a `Paper`; one without an id has its place, from 1.
    Raises `InvalidRequest` that names the first record that is wrong.
    """
    from goldpan.kinds.papers.input_files.groups import dedupe_records  # noqa: PLC0415 - 0.1 s

    return dedupe_records(records)


def make_request(request: SearchRequest | str) -> SearchRequest:
    """Make the request of a plain question. Raises `InvalidRequest`."""
    return request if isinstance(request, SearchRequest) else parse_request({"query": request})


def _stream(request: SearchRequest, opened: AbstractContextManager[Runtime]) -> Generator[SearchEvent, None, None]:
    with _one_search(opened) as runtime:
        yield from engine.stream_search(request, runtime)


@contextmanager
def _one_search(opened: AbstractContextManager[Runtime]) -> Iterator[Runtime]:
    """Hand out a runtime for one search, whose threads end as well if it is closed or interrupted."""
    clock = SearchClock()
    with opened as runtime:
        try:
            yield runtime.on_clock(clock)
        except BaseException:
            clock.cancel()
            raise


def runtime_for(request: SearchRequest, runtime: Runtime | None) -> AbstractContextManager[Runtime]:
    """Return the caller's runtime, or make one for this request. Raises `Misconfigured`."""
    if runtime is not None:
        return nullcontext(runtime)
    return bootstrap.open_runtime(os.environ, request.sources, kinds=request.kinds)
