"""A GitHub on a loopback port, with the repository search, the GraphQL endpoint and the rate limits of the real one."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_fault import RATE_LIMITS, SECONDARY
from tests.support.loopback.github_graphql import execute
from tests.support.loopback.github_quota import Clock, Limits, Quotas
from tests.support.loopback.github_rest import error, search_repositories
from tests.support.loopback.server import Latency, LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RESOURCES = {("GET", "/search/repositories"): "search", ("POST", "/graphql"): "graphql"}


class LoopbackGitHub(LoopbackServer):
    """A context manager that serves repositories over REST and GraphQL; `now` is the clock of its rate limits."""

    server_name = "github.com"

    def __init__(
        self,
        repositories: Iterable[Mapping[str, Any]] = (),
        *,
        token: str = "good-token",
        now: Clock | None = None,
        latency: Latency | None = None,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(latency=latency)
        self._token = token
        self._clock = now or (lambda: datetime.now(UTC))
        self._catalogue = Catalogue(repositories)
        self._quotas = Quotas(limits or Limits(), self._clock)
        self._lock = threading.Lock()
        self._answered = 0

    @property
    def searches(self) -> int:
        """How many searches were run: REST searches, and each GraphQL `search` field."""
        return self._catalogue.searches

    def now(self) -> datetime:
        """Return the server's time."""
        return self._clock()

    def answer(self, request: RecordedRequest) -> Response:
        """Answer as GitHub does without a fault."""
        resource = _resource(request)
        if resource is None:
            return error(404, "Not Found")
        authenticated = self._is_authenticated(request)
        if "authorization" in request.headers and not authenticated:
            return error(401, "Bad credentials")
        if resource == "graphql" and not authenticated:
            return error(401, "This endpoint requires you to be authenticated.")
        has_quota = self._quotas.of(resource, authenticated=authenticated).take()
        return self._graphql(request, has_quota) if resource == "graphql" else self._search(request, has_quota)

    def refuse(self, _request: RecordedRequest) -> Response:
        """Refuse a request over the limit of simultaneous ones, which GitHub calls a secondary limit."""
        return Response.of_json(403, SECONDARY)

    def dress(self, request: RecordedRequest, response: Response) -> Response:
        """Add the state of the rate limit and the request's id; the headers of a fault take precedence."""
        quota = self._quotas.of(_resource(request) or "search", authenticated=self._is_authenticated(request))
        with self._lock:
            self._answered += 1
            identity = {"x-github-request-id": f"0A0B:1C2D3:{self._answered:07X}:6A6A6A6A"}
        return replace(response, headers={**identity, **quota.headers(), **response.headers})

    def _is_authenticated(self, request: RecordedRequest) -> bool:
        return request.headers.get("authorization") == f"Bearer {self._token}"

    def _search(self, request: RecordedRequest, has_quota: bool) -> Response:  # noqa: FBT001
        if has_quota:
            return search_repositories(self._catalogue, request)
        caller = "user ID 1" if self._is_authenticated(request) else "127.0.0.1"
        return error(403, f"API rate limit exceeded for {caller}.", RATE_LIMITS)

    def _graphql(self, request: RecordedRequest, has_quota: bool) -> Response:  # noqa: FBT001
        if not isinstance(request.body, dict) or not isinstance(request.body.get("query"), str):
            return error(400, "A query attribute must be specified and must be a string.")
        if not has_quota:
            row = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for user ID 1."}
            return Response.of_json(200, {"errors": [row]})
        return Response.of_json(200, execute(self._catalogue, request.body))


def _resource(request: RecordedRequest) -> str | None:
    """Name the rate limit that a path belongs to."""
    return RESOURCES.get((request.method, request.path))
