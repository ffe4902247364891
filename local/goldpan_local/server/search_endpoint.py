"""The paths `/search`, `/compare` and `/like`: searches, answered from the cache, at the end, or event by event.

`/search` is called with a body or by a link, the others with a body.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache

from goldpan.contracts import SearchRequest
from goldpan.engine.problem_details import PROBLEM_TYPE
from goldpan.engine.query_string import parse_query
from goldpan.kinds.repositories.named_requests import like_fields, parse_compare_request
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response

from goldpan_local.server.access import is_foreign
from goldpan_local.server.event_stream import EventStream, wants_events
from goldpan_local.server.problems import FOREIGN_PAGE, problem_body
from goldpan_local.server.requests import JSON_TYPE, ApiKeys, parse_body, read_body, read_fields, require_key
from goldpan_local.server.responses import disconnected, wait_for_response
from goldpan_local.server.searches import Searches

KNOWN_BODIES = 256
"""How many parsed bodies are cached: parsing one takes longer than reading its cached answer."""


class SearchEndpoint:
    """Checks who searches, reads the request, and responds."""

    def __init__(self, searches: Searches, keys: ApiKeys | None, origins: tuple[str, ...]) -> None:
        self._searches, self._keys, self._origins = searches, keys, origins
        self._parse = lru_cache(KNOWN_BODIES)(self._parse_body)

    async def search(self, http: Request) -> Response | EventStream:
        """Respond to a search. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        require_key(http, self._keys)
        if http.method == "POST":
            request, key = self._parse(await read_body(http))
            if request.project_id is not None:  # an import changes it
                key = self._searches.key(request)
        elif is_foreign(http.headers, self._origins):
            return Response(problem_body(403, FOREIGN_PAGE), 403, media_type=PROBLEM_TYPE)
        else:
            request = parse_query(http.query_params.multi_items())
            key = self._searches.key(request)
        return await self._respond(request, key, http)

    async def compare(self, http: Request) -> Response | EventStream:
        """Respond to a comparison. Raises as `search`."""
        require_key(http, self._keys)
        request = parse_compare_request(read_fields(await read_body(http)))
        return await self._respond(request, self._searches.key(request), http)

    async def like(self, http: Request) -> Response | EventStream:
        """Respond to a search for what is like a repository. Raises as `search`."""
        require_key(http, self._keys)
        request, key = self._parse(to_json(like_fields(read_fields(await read_body(http)))))
        return await self._respond(request, key, http)

    async def _respond(self, request: SearchRequest, key: str, http: Request) -> Response | EventStream:
        if wants_events(http):
            return EventStream(self._searches, request, asyncio.ensure_future(disconnected(http)))
        if (cached := self._searches.cached(key)) is not None:
            return Response(cached, media_type=JSON_TYPE)
        return await wait_for_response(self._searches, self._searches.start(request), http)

    def _parse_body(self, body: bytes) -> tuple[SearchRequest, str]:
        request = parse_body(body)
        return request, self._searches.key(request)
