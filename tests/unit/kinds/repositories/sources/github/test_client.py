"""The client keeps to GitHub's rate limits: those documented, and those that its responses report."""

from collections.abc import Mapping
from datetime import timedelta

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, CredentialRejected, RateLimited, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.sources.github.client import GitHubClient
from goldpan.kinds.repositories.sources.github.queries import search_cost
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings

from tests.support.factories import NOW
from tests.support.fakes import QueuedHttp
from tests.support.memory_stores import memory_connections

IN_30_S, IN_90_S = NOW + timedelta(seconds=30), NOW + timedelta(seconds=90)
LIMITED = HttpResponse(429, {"retry-after": "30"}, b'{"message": "slow down"}')


def good(headers: Mapping[str, str] | None = None, body: bytes = b'{"data": {"a": 1}}') -> HttpResponse:
    """Make a response with status 200."""
    return HttpResponse(200, headers or {}, body)


def remaining(calls: object, reset: object = int(IN_30_S.timestamp())) -> dict[str, str]:
    """Write the headers that report how many calls remain."""
    return {"x-ratelimit-remaining": str(calls), "x-ratelimit-reset": str(reset)}


class Caller(QueuedHttp):
    """A client over queued responses, the last one repeatedly, on a clock that only moves when it waits."""

    def __init__(
        self, *responses: HttpResponse | CallFailed, url: str = "https://api.github.com", token: str = "", **more: str
    ) -> None:
        super().__init__(responses)
        settings = GitHubSettings.from_environment({"GITHUB_API_URL": url, "GITHUB_TOKEN": token, **more})
        self.client = GitHubClient(settings, memory_connections(self, self.clock))

    def get(self, seconds: float = 5) -> object:
        """Search over REST."""
        return self.client.send("/search/repositories", {}, Deadline.after(seconds, self.clock), limit="rest-search")

    def graphql(self, cost: int = 1) -> object:
        """Search over GraphQL."""
        return self.client.graphql("query", {}, Deadline.after(5, self.clock), cost)


def test_a_rejected_token_is_named_as_it_was_set() -> None:
    """By the variable whose value was sent; without one, as Enterprise may answer, GitHub requires it."""
    tokens = {"GH_TOKEN: GitHub rejected it": {"GH_TOKEN": "a"}, "GITHUB_TOKEN is not set: .*": {}}
    tokens["GITHUB_TOKEN: GitHub rejected it"] = {"GH_TOKEN": "a", "token": "b"}
    for said, given in tokens.items():
        github = Caller(HttpResponse(401, {}, b'{"message": "Bad credentials"}'), **given)
        with pytest.raises(CredentialRejected, match=rf"^{said} \(.*Bad credentials\)"):
            github.get()


def test_a_limit_among_graphql_errors_wins() -> None:
    """A limit that GraphQL reports beside data is raised, with the reset as its time, and holds for later calls."""
    body = b'{"data": {"a": null}, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}'
    github = Caller(good(remaining(0, int(IN_90_S.timestamp())), body), token="good-token")
    for match in ("API rate limit exceeded", "the rate limit of github is reached"):
        with pytest.raises(RateLimited, match=match) as limited:
            github.graphql()
        assert limited.value.retry_at == IN_90_S
    assert len(github.requests) == 1


def test_a_graphql_response_without_data_is_a_failure() -> None:
    """A response without data is unavailable, with GitHub's first error in one line."""
    bodies = {
        "not a GraphQL response": b"[]",
        "no data: error: no message": b'{"errors": [{"type": {}, "message": {"a": 1}}]}',
        "no data: NOT_FOUND: no such field": b'{"errors": [7, {"type": "NOT_FOUND", "message": "no\\nsuch field"}]}',
    }
    for said, body in bodies.items():
        with pytest.raises(Unavailable, match=said):
            Caller(good(body=body), token="good-token").graphql()


@pytest.mark.parametrize(("token", "allowed"), [("", 10), ("good-token", 30)])
def test_no_search_over_the_limit_is_sent(token: str, allowed: int) -> None:
    """Ten searches a minute are sent, with a token thirty; the next one fails, or waits for up to 63 s."""
    github = Caller(good(), token=token)
    for _ in range(allowed):
        github.get()
    with pytest.raises(RateLimited, match="the rate limit of github is reached") as limited:
        github.get()
    assert timedelta(seconds=60) < limited.value.retry_at - NOW <= timedelta(seconds=63)
    assert len(github.requests) == allowed
    github.get(seconds=70)
    assert (len(github.requests), github.clock.now()) == (allowed + 1, limited.value.retry_at)


def test_a_graphql_call_spends_its_cost() -> None:
    """GraphQL allows 2000 points a minute and 5000 an hour, and a call spends the cost it was given."""
    github = Caller(good(), token="good-token")
    for costs in ([1000, 1000], [1000, 1000], [1000]):
        for cost in costs:
            github.graphql(cost)
        with pytest.raises(RateLimited):
            github.graphql()
        github.clock.wait(70)
    assert [search_cost(searches) for searches in (1, 3, 15)] == [1, 2, 8]


@pytest.mark.parametrize("left", [2, 0])
def test_calls_of_other_programs_count(left: int) -> None:
    """After a response that reports the remaining calls, no more than these are sent until the window ends."""
    github = Caller(good(remaining(left)), good())
    for _ in range(1 + left):
        github.get()
    with pytest.raises(RateLimited) as limited:
        github.get()
    assert IN_30_S <= limited.value.retry_at <= IN_30_S + timedelta(seconds=3 if left else 0)
    github.get(seconds=40)
    assert (len(github.requests), github.clock.now()) == (2 + left, limited.value.retry_at)


@pytest.mark.parametrize("headers", [remaining(0, "soon"), remaining(-1), remaining("9" * 5000, "9" * 5000)])
def test_headers_that_make_no_sense_are_ignored(headers: dict[str, str]) -> None:
    """They leave the documented limit."""
    github = Caller(good(headers))
    for _ in range(10):
        github.get()
    assert len(github.requests) == 10


def test_an_enterprise_server_has_only_the_limits_it_reports() -> None:
    """A GitHub Enterprise Server is called without a documented limit until a response reports one."""
    github = Caller(*[good()] * 40, LIMITED, url="https://github.example.org/api/v3")
    for _ in range(40):
        github.get()
    for _ in range(2):
        with pytest.raises(RateLimited):
            github.get()
    assert len(github.requests) == 41


def test_what_is_sent() -> None:
    """A request has the API version and the token, if there is one; Enterprise has GraphQL beside its REST address."""
    github = Caller(good(), url="https://github.example.org/api/v3/", token="good-token")
    github.graphql()
    (request,) = github.requests
    assert request.url == "https://github.example.org/api/graphql"
    assert request.body == {"query": "query", "variables": {}}
    common = {"accept": "application/vnd.github+json", "user-agent": "goldpan", "x-github-api-version": "2022-11-28"}
    assert request.headers == {**common, "authorization": "Bearer good-token"}
    anonymous = Caller(good())
    anonymous.get()
    assert anonymous.requests[0].headers == common
