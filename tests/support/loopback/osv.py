"""A loopback OSV: the batch query for known vulnerabilities, as its documentation describes it."""

from collections.abc import Mapping
from typing import Any

from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

Known = Mapping[tuple[str, str], tuple[str, ...]]
"""The ids of vulnerabilities by package URL and version."""


class LoopbackOsv(LoopbackServer):
    """A context manager that serves `POST /v1/querybatch`."""

    server_name = "osv.dev"

    def __init__(self, known: Known) -> None:
        super().__init__()
        self._known = known

    def answer(self, request: RecordedRequest) -> Response:
        """Return one result for each query, in their order; without vulnerabilities it is an empty object."""
        if (request.method, request.path) != ("POST", "/v1/querybatch"):
            return Response.of_json(404, {"code": 5, "message": "Not Found"})
        return Response.of_json(200, {"results": [self._result(query) for query in request.body["queries"]]})

    def _result(self, query: Mapping[str, Any]) -> dict[str, Any]:
        ids = self._known.get((query["package"]["purl"], query["version"]), ())
        return {"vulns": [{"id": each, "modified": "2026-01-01T00:00:00Z"} for each in ids]} if ids else {}
