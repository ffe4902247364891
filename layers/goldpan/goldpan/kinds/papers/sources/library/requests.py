"""The two requests of a library, a search and passages, as every transport runs them, and its access on AWS."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field

from goldpan.config import Frozen
from goldpan.contracts import ProjectId, Question
from goldpan.contracts.validation_errors import parse_fields
from goldpan.engine.deadlines import Deadline
from goldpan.engine.kind import LibraryAccess
from goldpan.engine.problem_details import ANSWER_TYPE, Response
from goldpan.errors import CallFailed, Forbidden, SourcesFailed
from goldpan.kinds.papers.sources.library.models import NO_FILTERS, Chunk, FoundInLibrary, LibraryFilters, LibraryHit
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.project_search import LibrarySource

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


class LibraryChunksRequest(Frozen):
    """A search for passages that ground an answer, in one project or in all."""

    query: Question
    """The query, 1 to 500 characters."""
    project_id: ProjectId | None = None
    """The project to search; all without it."""
    k: Annotated[int, Field(ge=1, le=MAX_CHUNKS)] = 10
    """How many passages."""


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


def search_library(
    request: LibrarySearchRequest, libraries: OpenLibraries, deadline: Deadline | None = None
) -> LibraryAnswer:
    """Search the papers of a project by words, and by meaning where it has vectors of the configured encoder.

    Raises `InvalidRequest` if there is no such project, `Misconfigured` if its file is damaged, and `SourcesFailed` if
    it cannot be reached, or not before the deadline.
    """
    with failures():
        found = libraries.search(request.project_id, request.query, request.limit, request.filters, deadline)
    return LibraryAnswer.model_validate(dict(found) | {"results": tuple(map(LibraryRow.of, found.results))})


def retrieve_chunks(
    request: LibraryChunksRequest, libraries: OpenLibraries, deadline: Deadline | None = None
) -> ChunksAnswer:
    """Find the passages of a project, or of all, that are nearest to a question.

    Raises as `search_library`; of all projects, one whose file is damaged is left out and noted.
    """
    with failures():
        chunks, notes = libraries.chunks(request.project_id, request.query, request.k, deadline)
    return ChunksAnswer(chunks=tuple(chunks), notes=tuple(notes))


@dataclass(frozen=True)
class Operation:
    """The request of a path, and what runs it until the deadline, if there is one; raises `TerminalError`."""

    model: type[BaseModel]
    run: Callable[[Any, OpenLibraries, Deadline | None], BaseModel]


OPERATIONS: Mapping[str, Operation] = {
    "/library/search": Operation(LibrarySearchRequest, search_library),
    "/library/chunks": Operation(LibraryChunksRequest, retrieve_chunks),
}
"""The operations by path, for every transport."""


@contextmanager
def failures() -> Iterator[None]:
    """Raise `SourcesFailed` where a library cannot be reached."""
    try:
        yield
    except CallFailed as failure:
        raise SourcesFailed(f"library: {failure}") from failure


def respond(
    path: str, fields: object, libraries: OpenLibraries, projects: Sequence[str] | None, deadline: Deadline
) -> Response:
    """Run the request of a path until the deadline; of these projects alone, None for all.

    Raises `TerminalError`, also `Forbidden` for another project, and `KeyError` for an unknown path.
    """
    operation = OPERATIONS[path]
    request = parse_fields(operation.model, fields)
    if projects is not None:
        if getattr(request, "project_id", None) not in {None, *projects}:
            raise Forbidden("project_id: the key of this request is bound to other projects")
        libraries = libraries.among(projects)
    body = operation.run(request, libraries, deadline).model_dump_json()
    return Response(statusCode=200, contentType=ANSWER_TYPE, retryAfter="", body=body)


ACCESS = LibraryAccess(open=partial(OpenLibraries, max_open=MAX_OPEN), source=LibrarySource, respond=respond)
