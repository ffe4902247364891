"""How a deployment reaches libraries: what it opens, the source of a search, and the requests of a library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from goldpan.engine.deadlines import Deadline
from goldpan.engine.kind import LibraryAccess
from goldpan.engine.problem_details import ANSWER_TYPE, Response
from goldpan.errors import Forbidden
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.project_search import LibrarySource
from goldpan.kinds.papers.sources.library.requests import OPERATIONS

MAX_OPEN = 1
"""A container serves one call at a time; an open file keeps its vectors in memory and its place on the disk."""


def respond(
    path: str, fields: object, libraries: OpenLibraries, projects: Sequence[str] | None, deadline: Deadline
) -> Response:
    """Run the request of a path until the deadline; of these projects alone, None for all.

    Raises `TerminalError`, also `Forbidden` for another project, and `KeyError` for an unknown path.
    """
    operation = OPERATIONS[path]
    request = operation.parse(fields)
    if projects is not None:
        if getattr(request, "project_id", None) not in {None, *projects}:
            raise Forbidden("project_id: the key of this request is bound to other projects")
        libraries = libraries.among(projects)
    body = operation.run(request, libraries, deadline).model_dump_json()
    return Response(statusCode=200, contentType=ANSWER_TYPE, retryAfter="", body=body)


ACCESS = LibraryAccess(open=partial(OpenLibraries, max_open=MAX_OPEN), source=LibrarySource, respond=respond)
