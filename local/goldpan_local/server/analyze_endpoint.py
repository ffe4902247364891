"""The path `/analyze-repo`: one repository, looked at closely."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

from goldpan.engine.problem_details import respond
from goldpan.errors import CredentialRejected, Misconfigured
from goldpan.kinds.repositories.analysis.analyze import analyze, parse_analyze_request
from goldpan.kinds.repositories.analysis.models import Analysis, AnalyzeRequest
from starlette.requests import Request
from starlette.responses import Response

from goldpan_local.server.requests import ApiKeys, parse_strictly, read_body, require_key
from goldpan_local.server.responses import wait_for_response
from goldpan_local.server.searches import SearchClock, Searches, guarded

_LOG = logging.getLogger(__name__)


class AnalyzeEndpoint:
    """Checks who asks, reads the request, and responds; an analysis takes the place of one search."""

    def __init__(self, searches: Searches, keys: ApiKeys | None) -> None:
        self._searches, self._keys = searches, keys

    async def analyze(self, http: Request) -> Response:
        """Respond to a request. Raises `InvalidRequest`, `HTTPException` or `ClientDisconnect`."""
        require_key(http, self._keys)
        request = parse_strictly(await read_body(http), AnalyzeRequest, parse_analyze_request)

        def analysis(clock: SearchClock) -> Analysis:
            try:
                return analyze(request, self._searches.dependencies(clock))
            except (CredentialRejected, Misconfigured) as error:
                _LOG.error("No analysis is possible: %s", str(error).partition(" (")[0])
                raise

        work = self._searches.start_work(
            lambda clock, _: guarded(lambda: respond(lambda: analysis(clock), lambda: datetime.now(UTC)), clock)
        )
        return await wait_for_response(self._searches, work, http)
