"""A GitHub on a loopback port, with the search, the GraphQL endpoint and the limits of the real one."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_fault import RATE_LIMITS, SECONDARY
from tests.support.loopback.github_graphql import execute
from tests.support.loopback.github_quota import Clock, Limits, Quotas
from tests.support.loopback.github_rest import refusal, search_repositories
from tests.support.loopback.server import Latency, LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RESOURCES = {
    ("GET", "/search/repositories"): "search",
    ("GET", "/rate_limit"): "core",
    ("POST", "/graphql"): "graphql",
}


class LoopbackGitHub(LoopbackServer):
    """A context manager that serves repositories over REST and GraphQL.

    A `now` that is a moment is the time at which the server is made, and passes; one that is a function is
    asked each time, so that a test can let the windows of the rate limits end when it likes.
    """

    server_name = "github.com"

    def __init__(  # noqa: PLR0913 - each is one setting of the same server
        self,
        repositories: Iterable[Mapping[str, Any]] = (),
        *,
        token: str = "good-token",
        now: datetime | Clock | None = None,
        latency: Latency | None = None,
        limits: Limits | None = None,
        concurrency: int | None = None,
    ) -> None:
        super().__init__(latency=latency, limit=concurrency)
        self._token = token
        self._clock = _clock(now)
        self._catalogue = Catalogue(repositories)
        self._quotas = Quotas(limits or Limits(), self.now)
        self._ids = threading.Lock()
        self._answered = 0

    @property
    def searches(self) -> int:
        """How many searches were run: REST searches, and each GraphQL `search` field."""
        return self._catalogue.searches

    def now(self) -> datetime:
        """Tell the server's time, from which its limits are counted."""
        return self._clock()

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as GitHub does when nothing is wrong."""
        resource = _resource(request)
        if resource is None:
            return refusal(404, "Not Found", "https://docs.github.com/rest")
        if not request.headers.get("user-agent"):
            return refusal(403, "Request forbidden by administrative rules. A User-Agent header is required.")
        given = request.headers.get("authorization")
        if given is not None and not self._knows(request):
            return refusal(401, "Bad credentials", "https://docs.github.com/rest")
        if resource == "core":
            return Response.of_json(200, self._quotas.overview(known=given is not None))
        return self._graphql(request) if resource == "graphql" else self._search(request)

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse one request too many at the same time, which GitHub calls a secondary limit."""
        return Response.of_json(403, SECONDARY)

    def dress(self, request: RecordedRequest, response: Response) -> Response:
        """Add the state of the rate limit and the request's id; what a fault says goes before."""
        quota = self._quotas.of(_resource(request) or "core", known=self._knows(request))
        with self._ids:
            self._answered += 1
            number = self._answered
        identity = {"x-github-request-id": f"0A0B:1C2D3:{number:07X}:{number + 9:07X}:6A6A6A6A"}
        media = {"x-github-media-type": "github.v3; format=json"}
        return replace(response, headers={**media, **identity, **quota.headers(), **response.headers})

    def _knows(self, request: RecordedRequest) -> bool:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() in ("bearer", "token") and token == self._token

    def _search(self, request: RecordedRequest) -> Response:
        known = self._knows(request)
        if self._quotas.of("search", known=known).take():
            return search_repositories(self._catalogue, request, self.url)
        caller = "user ID 1" if known else "127.0.0.1"
        return refusal(403, f"API rate limit exceeded for {caller}.", RATE_LIMITS)

    def _graphql(self, request: RecordedRequest) -> Response:
        if not self._knows(request):
            return refusal(401, "This endpoint requires you to be authenticated.")
        if not isinstance(request.body, dict):
            return refusal(400, "Problems parsing JSON")
        if not isinstance(request.body.get("query"), str):
            return refusal(400, "A query attribute must be specified and must be a string.")
        quota = self._quotas.of("graphql", known=True)
        if not quota.take():
            row = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}
            return Response.of_json(200, {"errors": [row]})
        return Response.of_json(200, execute(self._catalogue, quota, request.body))


def _resource(request: RecordedRequest) -> str | None:
    """Name the rate limit that a path belongs to, on github.com and on an Enterprise server alike."""
    path = request.path.removeprefix("/api/v3").removeprefix("/api")
    return RESOURCES.get((request.method, path))


def _clock(now: datetime | Clock | None) -> Clock:
    if now is None:
        return lambda: datetime.now(UTC)
    if not isinstance(now, datetime):
        return now
    started = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - started)
