"""The paths `/library/search` and `/library/chunks`: the user's own papers, and passages of them.

The page asks for the names of the projects too, at `/page/projects`.
"""

from __future__ import annotations

import asyncio

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.requests import OPERATIONS
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from goldpan_local.server.requests import JSON_TYPE, ApiKeys, parse_strictly, read_body, require_key
from goldpan_local.server.responses import wait_for_response
from goldpan_local.server.searches import SearchClock, Searches

LIBRARY_SECONDS = 25.0
"""Until when an endpoint for embeddings is asked: words alone then still answer within the limit of a response."""


class LibraryEndpoint:
    """Checks the key, reads the request, and responds; what runs counts as a search."""

    def __init__(self, searches: Searches, keys: ApiKeys | None, libraries: OpenLibraries | None) -> None:
        self._searches, self._keys, self._libraries = searches, keys, libraries

    async def respond(self, http: Request) -> Response:
        """Respond to the operation of a path. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        require_key(http, self._keys)
        operation = OPERATIONS[http.url.path]
        request = parse_strictly(await read_body(http), operation.model, operation.parse)
        libraries = self._configured()

        def work(clock: SearchClock, _: object) -> str:
            return operation.run(request, libraries, Deadline.after(LIBRARY_SECONDS, clock)).model_dump_json()

        return await wait_for_response(self._searches, self._searches.start_work(work), http)

    async def projects(self, http: Request) -> Response:
        """Respond with the names of the projects. Raises `HTTPException`, and `Misconfigured` as the folder does."""
        require_key(http, self._keys)
        names = await asyncio.to_thread(lambda: list(self._configured().versions()))
        return Response(to_json({"projects": names}), media_type=JSON_TYPE, headers={"cache-control": "no-store"})

    def _configured(self) -> OpenLibraries:
        if self._libraries is None:
            raise Misconfigured("no libraries are configured here")
        return self._libraries
