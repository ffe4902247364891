"""A loopback OSV: the batch query for known vulnerabilities, as its documentation describes it."""

from collections.abc import Mapping

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
        found = [self._known.get((each["package"]["purl"], each["version"]), ()) for each in request.body["queries"]]
        rows = [[{"id": name, "modified": "2026-01-01T00:00:00Z"} for name in ids] for ids in found]
        return Response.of_json(200, {"results": [{"vulns": row} if row else {} for row in rows]})
