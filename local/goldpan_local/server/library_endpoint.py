"""The paths `/library/search` and `/library/chunks`: the user's own papers, and passages of them."""

from __future__ import annotations

import asyncio

from goldpan.errors import Misconfigured
from goldpan.kinds.papers.sources.library.opened import OpenLibraries
from goldpan.kinds.papers.sources.library.requests import OPERATIONS
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from goldpan_local.server.requests import ApiKeys, parse_strictly, read_body
from goldpan_local.server.search_endpoint import disconnected, http_response
from goldpan_local.server.searches import Searches, guarded


class LibraryEndpoint:
    """Checks who asks, reads the request, and responds; what runs counts as a search."""

    def __init__(self, searches: Searches, keys: ApiKeys | None, libraries: OpenLibraries | None) -> None:
        self._searches, self._keys, self._libraries = searches, keys, libraries

    async def respond(self, http: Request) -> Response:
        """Respond to the operation of a path. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        if self._keys is not None and not self._keys.accept(http.headers.get("x-api-key")):
            raise HTTPException(403)
        operation = OPERATIONS[http.url.path]
        request = parse_strictly(await read_body(http), operation.model, operation.parse)
        libraries = self._libraries
        if libraries is None:
            raise Misconfigured("no libraries are configured here")
        gone = asyncio.ensure_future(disconnected(http))
        try:
            work = self._searches.start_work(
                lambda clock, _: guarded(lambda: operation.respond(request, libraries), clock)
            )
            response = await self._searches.wait(work, gone)
        finally:
            gone.cancel()
        if response is None:
            raise ClientDisconnect
        return http_response(response)
