"""The rate limits of the loopback GitHub: by caller, by endpoint, and of what is asked at once."""

from __future__ import annotations

from datetime import timedelta
from threading import Event

import httpx2
import pytest

from tests.integration.loopback.asking import TOKEN, at_once, data, graphql, rest
from tests.integration.loopback.conftest import NOW
from tests.support.loopback import Limits, LoopbackGitHub, sample_repositories

pytestmark = pytest.mark.enable_socket


def test_search_limit() -> None:
    """The eleventh anonymous search in a minute is refused, with the time of the reset."""
    times = [NOW]
    with LoopbackGitHub(sample_repositories(), now=lambda: times[0]) as github:
        assert [rest(github, "rust").status_code for _ in range(11)] == [200] * 10 + [403]
        refused = rest(github, "rust")
        assert refused.headers["x-ratelimit-remaining"] == "0"
        assert int(refused.headers["x-ratelimit-reset"]) == NOW.timestamp() + 60
        assert "API rate limit exceeded" in refused.json()["message"]
        times.append(times.pop() + timedelta(seconds=60))
        assert rest(github, "rust").status_code == 200
        assert github.searches == 11


def test_token_has_its_own_window() -> None:
    """A caller with the token has thirty searches, whatever others used."""
    with LoopbackGitHub(limits=Limits(search_anonymous=0)) as github:
        assert rest(github, "rust").status_code == 403
        url = f"{github.url}/search/repositories?q=rust"
        assert httpx2.get(url, headers=TOKEN).headers["x-ratelimit-remaining"] == "29"
        overview = httpx2.get(f"{github.url}/rate_limit", headers=TOKEN).json()["resources"]
        assert (overview["search"]["used"], overview["graphql"]["limit"]) == (1, 5000)


def test_graphql_limit() -> None:
    """GraphQL reports its limit with HTTP 200."""
    with LoopbackGitHub(limits=Limits(graphql=1)) as github:
        assert data(github, "{rateLimit{remaining}}") == {"rateLimit": {"remaining": 0}}
        refused = graphql(github, "{rateLimit{remaining}}")
        assert refused.status_code == 200
        assert refused.headers["x-ratelimit-remaining"] == "0"
        assert refused.json()["errors"][0]["type"] == "RATE_LIMITED"


def test_concurrency() -> None:
    """Too many requests at the same time are a secondary limit."""
    release = Event()
    with LoopbackGitHub(latency=lambda: release.wait(5) * 0.0, concurrency=2) as github:
        answers = at_once(4, lambda: rest(github, "rust"), release, refused=2)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 403, 403]
