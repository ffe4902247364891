"""The client keeps to GitHub's rate limits: those documented, and those that its responses report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import HttpRequest, HttpResponse
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from pydantic import SecretStr

from tests.support.factories import NOW, StillClock
from tests.support.memory_stores import MemoryRateLimiter

IN_30_S, IN_90_S = NOW + timedelta(seconds=30), NOW + timedelta(seconds=90)
LIMITED = HttpResponse(429, {"retry-after": "30"}, b'{"message": "slow down"}')


def good(headers: Mapping[str, str] | None = None, body: bytes = b'{"data": {"a": 1}}') -> HttpResponse:
    """Make a response with status 200."""
    return HttpResponse(200, headers or {}, body)


def remaining(calls: object, reset: object = int(IN_30_S.timestamp())) -> dict[str, str]:
    """Write the headers that report how many calls remain."""
    return {"x-ratelimit-remaining": str(calls), "x-ratelimit-reset": str(reset)}


class QueuedHttp:
    """Gives responses in their order, the last one again and again, and records the requests."""

    def __init__(self, *responses: HttpResponse) -> None:
        self.responses = list(responses)
        self.requests: list[HttpRequest] = []

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        """Give the next response."""
        del deadline
        self.requests.append(request)
        return self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]


class Caller:
    """A client over queued responses, on a clock that only moves when it waits."""

    def __init__(self, *responses: HttpResponse, url: str = "https://api.github.com", token: str | None = None) -> None:
        self.clock, self.http = StillClock(), QueuedHttp(*responses)
        settings = GitHubSettings(github_api_url=url, github_token=SecretStr(token) if token else None)
        self.client = GitHubClient(settings, self.http, MemoryRateLimiter(self.clock, RATE_LIMITS), self.clock)

    @property
    def calls(self) -> int:
        """How many requests were sent."""
        return len(self.http.requests)

    def get(self, seconds: float = 5) -> object:
        """Search over REST."""
        return self.client.get("/search/repositories", {}, Deadline.after(seconds, self.clock))

    def graphql(self, cost: int = 1) -> object:
        """Search over GraphQL."""
        return self.client.graphql("query", {}, Deadline.after(5, self.clock), cost)


def test_github_is_not_called_before_the_time_it_names() -> None:
    """A limit fails every call until its time, and GraphQL, which has a limit of its own, goes on."""
    github = Caller(LIMITED, good(), token="good-token")
    for _ in range(3):
        with pytest.raises(RateLimited) as limited:
            github.get()
        assert limited.value.retry_at == IN_30_S
    assert github.calls == 1
    assert github.graphql() == ({"a": 1}, ())
    github.clock.wait(30)
    assert github.get() == {"data": {"a": 1}}


def test_a_limit_among_graphql_errors_wins() -> None:
    """A limit that GraphQL reports beside data is raised, with the reset as its time, and holds for later calls."""
    body = b'{"data": {"a": null}, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}'
    github = Caller(good(remaining(0, int(IN_90_S.timestamp())), body), token="good-token")
    for match in ("API rate limit exceeded", "the rate limit of github is reached"):
        with pytest.raises(RateLimited, match=match) as limited:
            github.graphql()
        assert limited.value.retry_at == IN_90_S
    assert github.calls == 1


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (b"[]", "not a GraphQL response"),
        (b'{"data": null}', "no data: error: no message"),
        (b'{"errors": [7, {"type": "NOT_FOUND", "message": "no\\nsuch field"}]}', "no data: NOT_FOUND: no such field"),
    ],
)
def test_a_graphql_response_without_data_is_a_failure(body: bytes, match: str) -> None:
    """A response without data is unavailable, with GitHub's first error in one line."""
    with pytest.raises(Unavailable, match=match):
        Caller(good(body=body), token="good-token").graphql()


def test_the_eleventh_search_of_a_minute_is_not_sent() -> None:
    """Without a token ten searches a minute are sent; the next fails with its time, or waits where the deadline allows.

    A window of 60 s is counted in parts of 3 s at most.
    """
    github = Caller(good())
    for _ in range(10):
        github.get()
    with pytest.raises(RateLimited, match="the rate limit of github is reached") as limited:
        github.get()
    assert timedelta(seconds=60) < limited.value.retry_at - NOW <= timedelta(seconds=63)
    assert github.calls == 10
    github.get(seconds=70)
    assert (github.calls, github.clock.now()) == (11, limited.value.retry_at)


def test_a_graphql_call_spends_its_cost() -> None:
    """GraphQL allows 2000 points a minute, and a call spends the cost it was given."""
    github = Caller(good(), token="good-token")
    github.graphql(cost=1000)
    github.graphql(cost=1000)
    with pytest.raises(RateLimited):
        github.graphql()


def test_calls_of_other_programs_count() -> None:
    """After a response that two calls remain, two more are sent and then none until the window ends."""
    github = Caller(good(remaining(2)), good())
    for _ in range(3):
        github.get()
    with pytest.raises(RateLimited) as limited:
        github.get()
    assert IN_30_S <= limited.value.retry_at <= IN_30_S + timedelta(seconds=3)
    assert github.calls == 3


def test_no_remaining_call_is_a_limit_with_its_time() -> None:
    """After a response that no call remains, none is sent until the second that it names."""
    github = Caller(good(remaining(0)), good())
    github.get()
    with pytest.raises(RateLimited) as limited:
        github.get()
    assert limited.value.retry_at == IN_30_S
    github.clock.wait(30)
    github.get()
    assert github.calls == 2


@pytest.mark.parametrize("headers", [{}, remaining(0, "soon"), remaining(0, 10**10), remaining(-1)])
def test_headers_that_make_no_sense_are_ignored(headers: dict[str, str]) -> None:
    """Missing or malformed headers leave the documented limit."""
    github = Caller(good(headers))
    for _ in range(10):
        github.get()
    assert github.calls == 10


def test_an_enterprise_server_has_only_the_limits_it_reports() -> None:
    """A GitHub Enterprise Server is called without a documented limit until a response reports one."""
    github = Caller(*[good()] * 40, LIMITED, url="https://github.example.org/api/v3")
    for _ in range(40):
        github.get()
    for _ in range(2):
        with pytest.raises(RateLimited):
            github.get()
    assert github.calls == 41


@pytest.mark.parametrize(
    ("url", "graphql_url"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://github.example.org/api/v3/", "https://github.example.org/api/graphql"),
    ],
)
def test_what_is_sent(url: str, graphql_url: str) -> None:
    """A request has the API version and the token, if there is one; Enterprise has GraphQL beside its REST address."""
    github, anonymous = Caller(good(), url=url, token="good-token"), Caller(good())
    github.graphql()
    anonymous.get()
    (request,) = github.http.requests
    assert (request.method, request.url, request.body) == ("POST", graphql_url, {"query": "query", "variables": {}})
    common = {"accept": "application/vnd.github+json", "user-agent": "goldpan", "x-github-api-version": "2022-11-28"}
    assert request.headers == {**common, "authorization": "Bearer good-token"}
    assert anonymous.http.requests[0].headers == common
