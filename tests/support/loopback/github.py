"""A GitHub on a loopback port, with the repository search, the GraphQL endpoint and the rate limits of the real one."""

import math
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_fault import RATE_LIMITED
from tests.support.loopback.github_graphql import execute
from tests.support.loopback.github_resources import error, read_resource, search_repositories
from tests.support.loopback.server import LoopbackServer
from tests.support.loopback.wire import RecordedRequest, Response

Clock = Callable[[], datetime]


class Quota:
    """A primary rate limit: a fixed window of requests, which opens with the first of them."""

    def __init__(self, limit: int, seconds: float, clock: Clock) -> None:
        self._limit, self._seconds, self._clock = limit, seconds, clock
        self._lock = threading.Lock()
        self._used, self._ends = 0, 0.0

    def take(self) -> bool:
        """Use one request, or return False if none remains."""
        with self._lock:
            self._renew()
            taken = self._used < self._limit
            self._used += taken
            return taken

    def state(self) -> dict[str, int]:
        """Return the state of the window."""
        with self._lock:
            self._renew()
            return {"limit": self._limit, "remaining": self._limit - self._used, "reset": math.ceil(self._ends)}

    def _renew(self) -> None:
        now = self._clock().timestamp()
        if now >= self._ends:
            self._used, self._ends = 0, now + self._seconds


class LoopbackGitHub(LoopbackServer):
    """Serves repositories over REST and GraphQL, with limits with and without a token; `now` is their clock."""

    server_name = "github.com"

    def __init__(  # noqa: PLR0913 - what differs between the tests
        self,
        repositories: Iterable[Mapping[str, Any]] = (),
        *,
        token: str = "good-token",
        now: Clock | None = None,
        latency: float = 0.0,
        searches_a_minute: int = 10,
        calls_an_hour: int = 60,
        graphql_calls_an_hour: int = 5000,
    ) -> None:
        super().__init__(latency=latency)
        self._authorization = f"Bearer {token}"
        self._clock = now or (lambda: datetime.now(UTC))
        self._catalogue = Catalogue(repositories)
        self._search_quota = Quota(searches_a_minute, 60, self._clock)
        self._graphql_quota = Quota(graphql_calls_an_hour, 3600, self._clock)
        self._core_quota = Quota(calls_an_hour, 3600, self._clock)

    @property
    def searches(self) -> int:
        """How many searches were run: REST searches, and each GraphQL `search` field."""
        return self._catalogue.searches

    def now(self) -> datetime:
        """Return the server's time."""
        return self._clock()

    def answer(self, request: RecordedRequest) -> Response:
        """Answer without a fault."""
        if request.headers.get("authorization") not in {None, self._authorization}:
            return error(401, "Bad credentials")
        if request.path == "/rate_limit":  # free
            quotas = {"core": self._core_quota, "search": self._search_quota, "graphql": self._graphql_quota}
            return Response.of_json(200, {"resources": {name: quota.state() for name, quota in quotas.items()}})
        if request.path == "/graphql":
            return self._graphql(request)
        if not self._quota(request).take():
            return error(403, "API rate limit exceeded for 127.0.0.1.")
        if request.path == "/search/repositories":
            return search_repositories(self._catalogue, request.params)
        return read_resource(self._catalogue, self.url, request)

    def dress(self, request: RecordedRequest, response: Response) -> Response:
        """Add the state of the rate limit; the headers of a fault take precedence."""
        state = {f"x-ratelimit-{name}": str(value) for name, value in self._quota(request).state().items()}
        return replace(response, headers={**state, **response.headers})

    def _quota(self, request: RecordedRequest) -> Quota:
        return {"/graphql": self._graphql_quota, "/search/repositories": self._search_quota}.get(
            request.path, self._core_quota
        )

    def _graphql(self, request: RecordedRequest) -> Response:
        if "authorization" not in request.headers:
            return error(401, "This endpoint requires you to be authenticated.")
        if request.body is None:  # of a client that gave up
            return error(400, "Problems parsing JSON")
        answered = execute(self._catalogue, request.body) if self._quota(request).take() else RATE_LIMITED
        return Response.of_json(200, answered)
