"""The REST endpoints of the loopback GitHub: items, pages, headers, paths, credentials."""

from __future__ import annotations

import httpx2
import pytest

from tests.integration.loopback.asking import TOKEN, rest
from tests.support.loopback import LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_item_shape(github: LoopbackGitHub) -> None:
    """An item has REST's names, in which watchers are stars and issues include pull requests."""
    item = rest(github, "motion-kit").json()["items"][0]
    assert item["full_name"] == "example-org/motion-kit"
    assert item["owner"]["login"] == "example-org"
    assert item["watchers_count"] == item["stargazers_count"] == 31200
    assert item["open_issues_count"] == 31200 // 120 + 31200 // 600
    assert item["pushed_at"] == "2026-08-14T00:00:00Z"


def test_pages(github: LoopbackGitHub) -> None:
    """Pages follow each other by their links, without gaps or repetitions."""
    seen: list[str] = []
    url: str | None = f"{github.url}/search/repositories?q=animation&per_page=5"
    while url:
        answer = httpx2.get(url)
        seen += [item["full_name"] for item in answer.json()["items"]]
        url = answer.links.get("next", {}).get("url")
    assert len(seen) == len(set(seen)) == answer.json()["total_count"] > 10
    assert set(answer.links) == {"prev", "first"}


def test_only_a_thousand_results() -> None:
    """More than a thousand are counted, but not shown."""
    many = [{"full_name": f"example-org/clone-{number}"} for number in range(1100)]
    with LoopbackGitHub(many) as github:
        last = rest(github, "clone", page=10).json()
        assert (last["total_count"], len(last["items"])) == (1100, 100)
        assert rest(github, "clone", page=11).status_code == 422


def test_headers_and_record(github: LoopbackGitHub) -> None:
    """Answers carry limit and id headers, and requests are remembered."""
    headers = rest(github, "rust web").headers
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["x-ratelimit-resource"] == "search"
    assert headers["x-github-request-id"]
    request = github.requests[-1]
    assert (request.method, request.path, request.status) == ("GET", "/search/repositories", 200)
    assert request.params["q"] == "rust web"
    assert "user-agent" in request.headers
    assert github.searches == 1


def test_enterprise_paths(github: LoopbackGitHub) -> None:
    """An Enterprise server has the same under other paths."""
    found = httpx2.get(f"{github.url}/api/v3/search/repositories?q=motion-kit").json()
    assert found["total_count"] == 1
    assert "resources" in httpx2.get(f"{github.url}/api/v3/rate_limit").json()
    body = {"query": "{rateLimit{cost}}"}
    answer = httpx2.post(f"{github.url}/api/graphql", json=body, headers=TOKEN)
    assert answer.json()["data"]["rateLimit"]["cost"] == 1
    assert httpx2.get(f"{github.url}/nowhere").status_code == 404


def test_bad_credentials(github: LoopbackGitHub) -> None:
    """A wrong token is refused on both, no token only by GraphQL."""
    wrong = {"authorization": "Bearer bad-token"}
    search, endpoint = f"{github.url}/search/repositories?q=x", f"{github.url}/graphql"
    assert httpx2.get(search, headers=wrong).json()["message"] == "Bad credentials"
    assert httpx2.post(endpoint, json={"query": "{a}"}, headers=wrong).status_code == 401
    anonymous = httpx2.post(endpoint, json={"query": "{a}"})
    assert anonymous.status_code == 401
    assert anonymous.json()["message"] == "This endpoint requires you to be authenticated."
