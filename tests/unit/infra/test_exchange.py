"""GitHub is called within its budget: what a reply tells of the limit holds for every later call."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import RateLimited
from goldpan.infra.http import HttpReply, HttpRequest
from goldpan.infra.rate_limits.port import ProcessRateLimiter
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.settings import GitHubSettings
from pydantic import SecretStr

from tests.unit.infra.fakes import START, FakeClock

SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)
SEARCH = "/search/repositories"
LIMIT = HttpReply(429, {"retry-after": "30"}, b'{"message": "slow down"}')


def good(headers: Mapping[str, str] | None = None) -> HttpReply:
    """Make a good reply."""
    return HttpReply(200, headers or {}, b'{"data": {"a": 1}}')


def left(remaining: int, reset: object = int(SOON.timestamp())) -> dict[str, str]:
    """Write what is left as GitHub does."""
    return {"x-ratelimit-remaining": str(remaining), "x-ratelimit-reset": str(reset)}


class QueuedHttp:
    """Gives replies in their order, the last one for ever, and counts the calls."""

    def __init__(self, *replies: HttpReply) -> None:
        self.replies = list(replies)
        self.calls = 0

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Give the next reply."""
        del request, deadline
        self.calls += 1
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class Asked:
    """GitHub on a clock that only moves when told."""

    def __init__(self, *replies: HttpReply, url: str = "https://api.github.com", token: str | None = None) -> None:
        self.clock, self.http = FakeClock(), QueuedHttp(*replies)
        settings = GitHubSettings(github_api_url=url, github_token=SecretStr(token) if token else None)
        self.exchange = GitHubClient(settings, self.http, ProcessRateLimiter(self.clock), self.clock)

    def get(self, seconds: float = 5) -> object:
        """Search by REST."""
        return self.exchange.get(SEARCH, {}, Deadline.after(seconds, self.clock))

    def graphql(self, cost: int = 1, seconds: float = 5) -> object:
        """Search by GraphQL."""
        return self.exchange.graphql("query", {}, Deadline.after(seconds, self.clock), cost)


def test_no_call_before_the_time_and_one_after() -> None:
    """A limited GitHub is not called again before its time, and is called when that has come."""
    github = Asked(LIMIT, good())
    for _ in range(3):
        with pytest.raises(RateLimited) as limited:
            github.get()
        assert limited.value.retry_at == SOON
    assert github.http.calls == 1
    github.clock.wait(30)
    assert github.get() == {"data": {"a": 1}}
    assert github.http.calls == 2


def test_rest_and_graphql_have_limits_of_their_own() -> None:
    """A limit of REST leaves GraphQL open."""
    github = Asked(LIMIT, good(), token="good-token")
    with pytest.raises(RateLimited):
        github.get()
    assert github.graphql() == ({"a": 1}, ())


def test_a_limit_among_graphql_errors_wins() -> None:
    """A limit that GraphQL reports beside data is a limit, with the reset as its time."""
    body = b'{"data": {"a": null}, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}'
    github = Asked(HttpReply(200, left(0, int(LATER.timestamp())), body))
    with pytest.raises(RateLimited, match="API rate limit exceeded") as limited:
        github.graphql()
    assert limited.value.retry_at == LATER
    with pytest.raises(RateLimited):
        github.graphql()
    assert github.http.calls == 1


def test_the_eleventh_search_of_a_minute_is_not_sent() -> None:
    """Without a token ten searches a minute are sent; the next is reported with its time, or waited for."""
    github = Asked(good())
    for _ in range(10):
        github.get()
    with pytest.raises(RateLimited, match="the rate limit of github is reached") as limited:
        github.get()
    assert START + timedelta(seconds=60) < limited.value.retry_at <= START + timedelta(seconds=63)
    assert github.http.calls == 10
    github.get(seconds=70)
    assert github.http.calls == 11
    assert github.clock.now() >= START + timedelta(seconds=60)


def test_points_are_what_is_spent() -> None:
    """GraphQL's points are spent by the cost of a query."""
    github = Asked(good(), token="good-token")
    for _ in range(2):
        github.graphql(cost=1000)
    with pytest.raises(RateLimited):
        github.graphql()


def test_what_another_program_spent_counts() -> None:
    """Where GitHub says that two are left, two more searches are sent, and then none until its window ends."""
    github = Asked(good(left(2)), good({}))
    for _ in range(3):
        github.get()
    with pytest.raises(RateLimited) as limited:
        github.get()
    assert SOON <= limited.value.retry_at <= SOON + timedelta(seconds=3)
    assert github.http.calls == 3


def test_nothing_left_is_a_limit_with_its_time() -> None:
    """Where GitHub says that nothing is left, it is left alone until the second at which it says to come back."""
    github = Asked(good(left(0)), good())
    github.get()
    for _ in range(2):
        with pytest.raises(RateLimited) as limited:
            github.get()
        assert limited.value.retry_at == SOON
    github.clock.wait(30)
    github.get()
    assert github.http.calls == 2


@pytest.mark.parametrize(
    "headers",
    [{}, left(0, "soon"), left(0, 10**11), {"x-ratelimit-remaining": "-1"}, {"x-ratelimit-remaining": "0"}],
)
def test_headers_that_tell_nothing(headers: dict[str, str]) -> None:
    """Headers that are missing or make no sense leave the documented limit."""
    github = Asked(good(headers))
    for _ in range(10):
        github.get()
    assert github.http.calls == 10


def test_an_enterprise_server_has_no_limits_but_its_own() -> None:
    """A GitHub Enterprise Server is asked as often as needed, until it says otherwise."""
    github = Asked(*[good()] * 40, LIMIT, url="https://github.example.org/api/v3")
    for _ in range(40):
        github.get()
    for _ in range(2):
        with pytest.raises(RateLimited):
            github.get()
    assert github.http.calls == 41
