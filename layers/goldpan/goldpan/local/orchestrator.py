"""The single entry for searches of papers from Python: the world, the user's library, and passages of it."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from goldpan.contracts import parse_request
from goldpan.contracts.kinds import DEFAULT_PREFERENCE
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.answer_cache import PARTIAL_TTL, is_complete, page_key
from goldpan.engine.dependencies import Closing, Runtime
from goldpan.engine.search import answer_key, get_or_search, runtime_key
from goldpan.errors import CallFailed, InvalidRequest, Misconfigured, SourcesFailed, naming
from goldpan.kinds.answer import Answer
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library import requests
from goldpan.local import bootstrap
from goldpan.local.search_cache import InMemoryCache, current_cache
from goldpan.local.search_result import SearchResult, of_answer, of_library

if TYPE_CHECKING:
    from goldpan.kinds.papers.sources.library.opened import OpenLibraries

NOTHING: Mapping[str, object] = {}


class SearchOrchestrator(Closing):
    """Searches papers through one pipeline and one cache; safe to share between threads, also those of async callers.

    The runtime is that of `goldpan.open_runtime`; without one it is made from the environment and closed at the end of
    the context. `cache` takes the place of the cache of the process, for calls outside of `goldpan.search_cache`.
    """

    def __init__(self, runtime: Runtime | None = None, cache: InMemoryCache | None = None) -> None:
        self._runtime, self._cache = runtime or bootstrap.open_runtime(os.environ), cache
        self.closing = () if runtime else (self._runtime.close,)

    def search(
        self,
        query: str,
        project_id: str | None = None,
        max_results: int = 10,
        library_only: bool = False,  # noqa: FBT001, FBT002 - as in the request
        preference: str = DEFAULT_PREFERENCE,
        **further: object,
    ) -> SearchResult:
        """Search the project's library, by words and by meaning, and all academic sources at once; merge the papers.

        Returns at most `max_results` (1-25) distinct papers with a score from 0 to 1, in the order of `goldpan.search`.
        Of a paper that several sources know, each field comes from the library if that has it, else from the hybrid
        search, else from the academic sources. The score is the relevance with bounded terms for authority and recency,
        by `preference`: `balanced`, `influential` or `recent`. A source that fails leaves the result partial, and says
        why.
        `further` are fields of `SearchRequest`, such as filters. Raises `InvalidRequest`, also if there is no such
        project, and another `TerminalError` if no source answered.
        """
        named = {"project_id": project_id, "max_results": max_results, "library_only": library_only}
        asked = {"kinds": [KIND], **further, **named, "query": _normal(query), "preference": preference}
        request = parse_request(asked)
        if request.kinds != (KIND,):
            raise InvalidRequest(f"kinds: SearchOrchestrator searches {KIND} alone")
        key = page_key(answer_key(request, self._runtime), request)
        run, brief = partial(get_or_search, request, self._runtime), PARTIAL_TTL.total_seconds()
        answer = current_cache(self._cache).get_or_run(
            key, Answer, run, lambda answer: None if is_complete(answer) else brief
        )
        return of_answer(answer, project_id)

    def search_library(
        self, query: str, project_id: str, max_results: int = 10, filters: Mapping[str, object] = NOTHING
    ) -> SearchResult:
        """Search the papers of a project alone, by words, and by meaning where it has vectors.

        Returns at most `max_results` (1-100) papers, best first; the score, 0 to 1, is that of the texts alone, and
        each paper has an excerpt. `filters` are `year_from`, `year_to`, `authors`, `venues`, `tags`. Raises
        `InvalidRequest`, `Misconfigured` if the file is damaged, `SourcesFailed` if it cannot be reached.
        """
        fields = {"query": _normal(query), "project_id": project_id, "limit": max_results, "filters": dict(filters)}
        request = parse_fields(requests.LibrarySearchRequest, fields)

        def run() -> SearchResult:
            with naming("library", CallFailed, raised=SourcesFailed):
                found = self._libraries.search(request.project_id, request.query, request.limit, request.filters)
            return of_library(found, request.project_id, self._runtime.clock.now())

        key = runtime_key("answer", self._runtime, request.project_id, request=request)
        return current_cache(self._cache).get_or_run(key, SearchResult, run)

    def retrieve_chunks(self, query: str, project_id: str | None = None, k: int = 10) -> requests.ChunksAnswer:
        """Find the passages of a project, or of all, that answer a question best, to ground what is written from them.

        Returns at most `k` (1-50) passages, best first, each with its document, offsets, score (0 to 1) and citation.
        Raises as `search_library`; of all projects, one whose file is damaged is left out and noted.
        """
        fields = {"query": _normal(query), "project_id": project_id, "k": k}
        request = parse_fields(requests.LibraryChunksRequest, fields)
        all_versions = None if project_id else self._libraries.versions()
        key = runtime_key("answer", self._runtime, project_id, request=request, all=all_versions)
        run = partial(request.run, self._libraries)
        return current_cache(self._cache).get_or_run(key, requests.ChunksAnswer, run)

    @property
    def _libraries(self) -> OpenLibraries:
        libraries = cast("OpenLibraries | None", self._runtime.dependencies.libraries)
        if libraries is None:
            raise Misconfigured("no libraries are configured here")
        return libraries


def _normal(query: object) -> object:
    """Return a question with single spaces and composed letters, so that the same one has one key."""
    return unicodedata.normalize("NFC", " ".join(query.split())) if isinstance(query, str) else query
