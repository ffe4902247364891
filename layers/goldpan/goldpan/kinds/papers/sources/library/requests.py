"""How a library is reached: by its two requests, as every transport runs them, and as a source of a search.

A search of a library has the strategies `library` (by words) and `hybrid` (by meaning too).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from pydantic import Field

from goldpan.config import Frozen
from goldpan.contracts import ProjectId, Question
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.kind import LibraryAccess
from goldpan.engine.problem_details import Response, answered
from goldpan.errors import CallFailed, Forbidden, Misconfigured, SourcesFailed, Unavailable, naming
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import LIBRARY, LIBRARY_QUERIES, Paper, PaperQuery
from goldpan.kinds.papers.ports import PaperSource, SearchResult, SourcePlan
from goldpan.kinds.papers.sources.entry import SourceById
from goldpan.kinds.papers.sources.library.excerpts import ELLIPSIS, MARK
from goldpan.kinds.papers.sources.library.models import (
    MAX_QUERY,
    NO_FILTERS,
    Chunk,
    FoundInLibrary,
    LibraryFilters,
    LibraryHit,
    LibraryResult,
)
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.records import make_paper

FOUND = 50
"""Papers of each query."""
PLAN = SourcePlan(LIBRARY_QUERIES)
NO_ENCODER = "no encoder compares meanings here"
_SYNTAX = re.compile(r'["()*:]|\b(?:AND|OR|NOT)\b|(?<!\S)[-+]')
"""What a typed query gives a meaning; the concepts of a question are words alone."""
MAX_LIMIT, MAX_CHUNKS = 100, 50
MAX_OPEN = 1
"""Of a container on AWS, which serves one call at a time: a file keeps its vectors in memory, its place on the disk."""


class LibrarySearchRequest(Frozen):
    """A search of the papers of one project."""

    query: Question
    """The query, 1 to 500 characters."""
    project_id: ProjectId
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = 10
    filters: LibraryFilters = NO_FILTERS

    def run(self, libraries: OpenLibraries, deadline: Deadline | None = None) -> LibraryAnswer:
        """Search the papers by words, and by meaning where the project has vectors of the configured encoder.

        Raises `InvalidRequest` if there is no such project, `Misconfigured` if its file is damaged, and `SourcesFailed`
        if it cannot be reached, or not before the deadline.
        """
        with naming("library", CallFailed, raised=SourcesFailed):
            found = libraries.search(self.project_id, self.query, self.limit, self.filters, deadline)
        return LibraryAnswer.model_validate(dict(found) | {"results": tuple(map(LibraryRow.of, found.results))})


class LibraryChunksRequest(Frozen):
    """A search for passages that ground an answer, in one project or in all."""

    query: Question
    """The query, 1 to 500 characters."""
    project_id: ProjectId | None = None
    """The project to search; all without it."""
    k: Annotated[int, Field(ge=1, le=MAX_CHUNKS)] = 10
    """How many passages."""

    def run(self, libraries: OpenLibraries, deadline: Deadline | None = None) -> ChunksAnswer:
        """Find the passages that are nearest to a question.

        Raises as a search; of all projects, one whose file is damaged is left out and noted.
        """
        with naming("library", CallFailed, raised=SourcesFailed):
            chunks, notes = libraries.chunks(self.project_id, self.query, self.k, deadline)
        return ChunksAnswer(chunks=tuple(chunks), notes=tuple(notes))


class LibraryRow(Frozen):
    """One paper that was found."""

    id: str
    """The user's own id."""
    title: str
    authors: tuple[str, ...]
    year: int | None
    venue: str | None
    tags: tuple[str, ...]
    url: str | None
    score: float
    """The weighted score, which orders the results."""
    relevance: float
    """0 to 1."""
    excerpt: str
    """Fifty characters either side of the first match, the matched words between `**`."""

    @classmethod
    def of(cls, hit: LibraryHit) -> LibraryRow:
        """Make the row of a hit."""
        return cls.model_validate({name: value for name, value in (*hit.paper, *hit) if name in cls.model_fields})


class LibraryAnswer(FoundInLibrary):
    """The papers of one project that match, best first."""

    results: tuple[LibraryRow, ...]


class ChunksAnswer(Frozen):
    """Passages, the best first."""

    chunks: tuple[Chunk, ...]
    notes: tuple[str, ...] = ()
    """What was left out, such as a project whose file cannot be read, and where words alone decided."""


OPERATIONS: Mapping[str, type[LibrarySearchRequest | LibraryChunksRequest]] = {
    "/library/search": LibrarySearchRequest,
    "/library/chunks": LibraryChunksRequest,
}
"""The request of each path, for every transport."""


def respond(
    path: str, fields: object, libraries: OpenLibraries, projects: Sequence[str] | None, deadline: Deadline
) -> Response:
    """Run the request of a path until the deadline; of these projects alone, None for all.

    Raises `TerminalError`, also `Forbidden` for another project, and `KeyError` for an unknown path.
    """
    request = parse_fields(OPERATIONS[path], fields)
    if projects is not None:
        if request.project_id not in {None, *projects}:
            raise Forbidden("project_id: the key of this request is bound to other projects")
        libraries = libraries.among(projects)
    return answered(request.run(libraries, deadline).model_dump_json())


@dataclass(frozen=True)
class ProjectLibrary:
    """The library of one project, searched by one strategy."""

    libraries: OpenLibraries
    project: str
    strategy: str

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries; where there are constraints, also without them: a paper whose facts are unknown may stay.

        Raises `InvalidRequest` if there is no such project, and `CallFailed` if its library cannot be searched.
        """
        best = (" ".join(wordings[0] for wordings in query.concepts) for query in queries[:LIBRARY_QUERIES])
        plain = (" ".join(_SYNTAX.sub(" ", each).split())[:MAX_QUERY] for each in best)
        texts = tuple(dict.fromkeys(filter(None, plain)))
        known = {name: value for name, value in constraints if name in LibraryFilters.model_fields}
        given = LibraryFilters.model_construct(**known)  # a venue has more names than a request may have
        by_words = self.strategy == LIBRARY
        results: list[LibraryResult] = []
        with naming(f"the library {self.project} cannot be read", Misconfigured, raised=Unavailable):
            for text in texts:
                for filters in dict.fromkeys((given, NO_FILTERS)):
                    result = self.libraries.search(self.project, text, FOUND, filters, deadline, words_alone=by_words)
                    if not by_words and result.encoder is None:
                        return SearchResult((), 0, skipped=" ".join(result.notes) or NO_ENCODER)
                    results.append(result)
        return SearchResult(
            lists=tuple(tuple(filter(None, map(self._paper, result.results))) for result in results),
            available=max((result.count for result in results), default=0),
            queries=texts,
            notes=tuple(dict.fromkeys(note for result in results for note in result.notes)),
        )

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Find nothing: a library is searched by its texts."""
        del dois, deadline
        return SearchResult(((),), 0)

    def _paper(self, hit: LibraryHit) -> Paper | None:
        own = hit.paper
        ids = own.ids.model_copy(update={"other": {**own.ids.other, LIBRARY: f"{hit.project}/{own.id}"}})
        facts = {name: value for name, value in own if name in Paper.model_fields}
        passage = hit.excerpt.replace(MARK, "").strip(f" {ELLIPSIS}")
        snippet = None if passage in own.title else passage
        texts = {"abstract": own.abstract or own.summary or None, "snippet": snippet}
        return make_paper(self.strategy, facts.pop("title"), **{**facts, **texts, "ids": ids})


@dataclass(frozen=True)
class LibrarySource:
    """The libraries as a search reaches them: the source to ask is that of the project that the request names."""

    libraries: OpenLibraries
    plan: SourcePlan = PLAN

    def of_project(self, project: str, strategy: str) -> PaperSource:
        """Return the library of a project as a source; a query that is the id of a paper is not searched for."""
        return SourceById(PLAN, lambda: ProjectLibrary(self.libraries, project, strategy))


ACCESS = LibraryAccess(open=partial(OpenLibraries, max_open=MAX_OPEN), source=LibrarySource, respond=respond)
