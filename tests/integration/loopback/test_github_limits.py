"""The loopback GitHub has the documented rate limits: by caller and by API."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.integration.loopback.calls import TOKEN, graphql, rest
from tests.support.factories import NOW, StillClock
from tests.support.loopback import Limits, LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_the_search_limit() -> None:
    """The eleventh search of a minute without a token is refused with the time of the reset; a token has thirty."""
    clock = StillClock()
    with LoopbackGitHub(now=clock.now) as github:
        assert [rest(github, "rust").status_code for _ in range(11)] == [200] * 10 + [403]
        refused = rest(github, "rust")
        assert refused.headers["x-ratelimit-remaining"] == "0"
        assert int(refused.headers["x-ratelimit-reset"]) == (NOW + timedelta(seconds=60)).timestamp()
        assert refused.json()["message"] == "API rate limit exceeded for 127.0.0.1."
        assert rest(github, "rust", TOKEN).headers["x-ratelimit-remaining"] == "29"
        clock.wait(60)
        assert rest(github, "rust").status_code == 200
        assert github.searches == 12


def test_the_graphql_limit() -> None:
    """GraphQL reports its limit with status 200."""
    with LoopbackGitHub(limits=Limits(graphql=1)) as github:
        assert graphql(github, "{__typename}").json() == {"data": {"__typename": "Query"}}
        refused = graphql(github, "{__typename}")
    assert (refused.status_code, refused.headers["x-ratelimit-remaining"]) == (200, "0")
    assert refused.json()["errors"][0]["type"] == "RATE_LIMITED"
