"""The come-back time that a source gave, remembered between calls."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta

import pytest
from goldpan.deadline import Deadline
from goldpan.errors import RateLimited
from goldpan.services.http import HttpReply, HttpRequest
from goldpan.services.rate_budget import ProcessRateBudget
from goldpan.settings import GitHubSettings
from goldpan.sources.github.exchange import Exchange

from tests.unit.services.fakes import START, FakeClock

SOON, LATER = START + timedelta(seconds=30), START + timedelta(seconds=90)


class QueuedHttp:
    """Gives replies in their order, and counts the calls."""

    def __init__(self, *replies: HttpReply) -> None:
        self.replies = list(replies)
        self.calls = 0

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Give the next reply."""
        del request, deadline
        self.calls += 1
        return self.replies.pop(0)


GOOD = HttpReply(200, {}, b'{"data": {"a": 1}}')
LIMIT = HttpReply(429, {"retry-after": "30"}, b'{"message": "slow down"}')


def test_a_source_is_open_until_it_is_closed() -> None:
    """A source may be called until it asks not to be, and others stay open."""
    budget = ProcessRateBudget()
    assert budget.closed_until("github") is None
    budget.close("github", SOON)
    assert budget.closed_until("github") == SOON
    assert budget.closed_until("arxiv") is None


@pytest.mark.parametrize("times", [(SOON, LATER), (LATER, SOON)])
def test_the_later_time_holds(times: tuple[datetime, datetime]) -> None:
    """An earlier time never shortens a later one, whichever was told first."""
    budget = ProcessRateBudget()
    for until in times:
        budget.close("github", until)
    assert budget.closed_until("github") == LATER


def test_threads_share_the_latest_time() -> None:
    """Of many threads that close a source at once the latest time holds."""
    budget = ProcessRateBudget()
    moments = [START + timedelta(seconds=number) for number in range(64)]
    threads = [threading.Thread(target=budget.close, args=("github", moment)) for moment in moments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budget.closed_until("github") == moments[-1]


def test_no_call_before_the_time_and_one_after() -> None:
    """A limited GitHub is not called again before its time, and is called when that has come."""
    clock, http = FakeClock(), QueuedHttp(LIMIT, GOOD)
    exchange = Exchange(GitHubSettings(), http, ProcessRateBudget(), clock)
    for _ in range(3):
        with pytest.raises(RateLimited) as limited:
            exchange.get("/search/repositories", {}, Deadline.after(5, clock))
        assert limited.value.retry_at == SOON
    assert http.calls == 1
    clock.wait(30)
    assert exchange.get("/search/repositories", {}, Deadline.after(5, clock)) == {"data": {"a": 1}}
    assert http.calls == 2


def test_rest_and_graphql_have_limits_of_their_own() -> None:
    """A limit of REST leaves GraphQL open, and the other way round."""
    clock, http = FakeClock(), QueuedHttp(LIMIT, GOOD)
    exchange = Exchange(GitHubSettings(), http, ProcessRateBudget(), clock)
    with pytest.raises(RateLimited):
        exchange.get("/search/repositories", {}, Deadline.after(5, clock))
    assert exchange.graphql("query", {}, Deadline.after(5, clock)) == ({"a": 1}, ())


def test_a_limit_among_graphql_errors_wins() -> None:
    """A limit that GraphQL reports beside data is a limit, with the reset as its time."""
    clock = FakeClock()
    reset = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(LATER.timestamp()))}
    body = b'{"data": {"a": null}, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}'
    exchange = Exchange(GitHubSettings(), QueuedHttp(HttpReply(200, reset, body)), ProcessRateBudget(), clock)
    with pytest.raises(RateLimited, match="API rate limit exceeded") as limited:
        exchange.graphql("query", {}, Deadline.after(5, clock))
    assert limited.value.retry_at == LATER
