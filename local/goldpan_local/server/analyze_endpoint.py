"""The path `/analyze-repo`: one repository, looked at closely."""

from __future__ import annotations

import asyncio

from goldpan.engine.analyses import analyze, parse_analysis_request
from goldpan.engine.dependencies import Runtime
from goldpan.engine.problem_details import Serializable
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from goldpan_local.server.requests import ApiKeys, read_body, read_fields
from goldpan_local.server.search_endpoint import http_response, wait_for_disconnection
from goldpan_local.server.searches import Searches


class AnalyzeEndpoint:
    """Checks who asks, reads the request, and responds; an analysis takes the place of one search."""

    def __init__(self, searches: Searches, keys: ApiKeys | None) -> None:
        self._searches, self._keys = searches, keys

    async def analyze(self, http: Request) -> Response:
        """Respond to a request. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        if self._keys is not None and not self._keys.accept(http.headers.get("x-api-key")):
            raise HTTPException(403)
        request = parse_analysis_request(read_fields(await read_body(http)))

        def task(runtime: Runtime) -> Serializable:
            analysis: Serializable = analyze(request, runtime.dependencies)
            return analysis

        disconnected = asyncio.ensure_future(wait_for_disconnection(http))
        try:
            response = await self._searches.run_task(task, disconnected)
        finally:
            disconnected.cancel()
        if response is None:
            raise ClientDisconnect
        return http_response(response)
