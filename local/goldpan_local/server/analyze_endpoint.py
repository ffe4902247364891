"""The path `/analyze-repo`: an analysis of one repository."""

from __future__ import annotations

from goldpan.kinds.repositories.analysis.analyze import analyze, parse_analyze_request
from goldpan.kinds.repositories.analysis.models import AnalyzeRequest
from starlette.requests import Request
from starlette.responses import Response

from goldpan_local.server.requests import ApiKeys, parse_strictly, read_body, require_key
from goldpan_local.server.responses import wait_for_response
from goldpan_local.server.searches import Searches


class AnalyzeEndpoint:
    """Checks the key, reads the request, and responds; an analysis takes the place of one search."""

    def __init__(self, searches: Searches, keys: ApiKeys | None) -> None:
        self._searches, self._keys = searches, keys

    async def analyze(self, http: Request) -> Response:
        """Respond to a request. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        require_key(http, self._keys)
        request = parse_strictly(await read_body(http), AnalyzeRequest, parse_analyze_request)

        work = self._searches.start_work(
            lambda clock, _: analyze(request, self._searches.dependencies(clock)).to_json()
        )
        return await wait_for_response(self._searches, work, http)
