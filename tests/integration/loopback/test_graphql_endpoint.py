"""The GraphQL endpoint of the loopback GitHub: searches, pages, the facts of a repository, refusals."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from tests.integration.loopback.asking import TOKEN, data, graphql
from tests.support.loopback import LoopbackGitHub

pytestmark = pytest.mark.enable_socket


def test_aliased_searches(github: LoopbackGitHub) -> None:
    """Several searches fit in one request, and each counts."""
    query = """query($first: Int!) {
      a: search(query: "rust web sort:stars", type: REPOSITORY, first: $first) {...page}
      b: search(query: "topic:vue", type: REPOSITORY, first: $first) {...page}
    }
    fragment page on SearchResultItemConnection {
      repositoryCount pageInfo {endCursor hasNextPage} nodes {... on Repository {name stargazerCount}}
    }"""
    found = data(github, query, first=1)
    assert found["a"]["nodes"] == [{"name": "ferrous-web", "stargazerCount": 19800}]
    assert found["a"]["repositoryCount"] > 1
    assert found["a"]["pageInfo"]["hasNextPage"]
    assert not found["b"]["pageInfo"]["hasNextPage"]
    assert github.searches == 2


def test_pages(github: LoopbackGitHub) -> None:
    """Cursors lead through all results once."""
    query = """query($after: String) {
      search(query: "animation", type: REPOSITORY, first: 4, after: $after) {
        repositoryCount pageInfo {endCursor hasNextPage} edges {cursor node {... on Repository {name}}}
      }
    }"""
    seen: list[str] = []
    page: dict[str, Any] = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
    while page["pageInfo"]["hasNextPage"]:
        page = data(github, query, after=page["pageInfo"]["endCursor"])["search"]
        seen += [edge["node"]["name"] for edge in page["edges"]]
    assert len(seen) == len(set(seen)) == page["repositoryCount"]


def test_repository_fields(github: LoopbackGitHub) -> None:
    """A repository has all that an enrichment asks for."""
    query = """{repository(owner: "example-org", name: "MOTION-KIT") {
      nameWithOwner owner {login} primaryLanguage {name} isArchived licenseInfo {spdxId}
      repositoryTopics(first: 2) {nodes {topic {name}}} watchers {totalCount}
      mentionableUsers {totalCount} open: issues(states: OPEN) {totalCount} issues {totalCount}
      pullRequests(states: [MERGED]) {totalCount} latestRelease {tagName publishedAt}
      releases(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) {totalCount nodes {tagName}}
      defaultBranchRef {target {... on Commit {
        recent: history(since: "2026-05-22T00:00:00Z") {totalCount}
        none: history(since: "2026-08-21T00:00:00Z") {totalCount}}}}
      tree: object(expression: "HEAD:") {... on Tree {entries {name type}}}
    }}"""
    found = data(github, query)["repository"]
    assert found["nameWithOwner"] == "example-org/motion-kit"
    assert [node["topic"]["name"] for node in found["repositoryTopics"]["nodes"]] == [
        "react",
        "animation",
    ]
    assert (found["open"]["totalCount"], found["issues"]["totalCount"]) == (260, 260 + 1040)
    assert found["latestRelease"]["publishedAt"] == "2026-08-14T00:00:00Z"
    commits = found["defaultBranchRef"]["target"]
    assert commits["recent"]["totalCount"] > commits["none"]["totalCount"] == 0
    assert {"name": "README.md", "type": "blob"} in found["tree"]["entries"]


def test_readme_only_by_its_exact_name(github: LoopbackGitHub) -> None:
    """A README of another name, or none, is null."""
    query = """query($name: String!, $file: String!) {repository(owner: "example-org", name: $name) {
      object(expression: $file) {__typename ... on Blob {text byteSize isTruncated isBinary}}}}"""
    huge = data(github, query, name="giant-readme", file="HEAD:README.md")["repository"]["object"]
    assert huge["byteSize"] > 290_000
    assert not huge["isTruncated"]
    for name, file in [("lower-case-readme", "README.rst"), ("no-readme", "README.md"), ("empty", "")]:
        assert data(github, query, name=name, file=f"HEAD:{file}")["repository"]["object"] is None


def test_fork_and_its_parent(github: LoopbackGitHub) -> None:
    """A fork names its parent."""
    query = """{repository(owner: "example-fork", name: "spring-ui") {
      isFork parent {nameWithOwner stargazerCount}}}"""
    parent = {"nameWithOwner": "example-org/spring-ui", "stargazerCount": 27800}
    assert data(github, query)["repository"] == {"isFork": True, "parent": parent}


def test_unknown_repository(github: LoopbackGitHub) -> None:
    """An unknown repository is null beside the others, with an error for its alias."""
    query = """{a: repository(owner: "a", name: "b") {name}
      c: repository(owner: "example-org", name: "untold") {name}}"""
    answer = graphql(github, query)
    assert answer.status_code == 200
    assert answer.json()["data"] == {"a": None, "c": {"name": "untold"}}
    [error] = answer.json()["errors"]
    assert (error["type"], error["path"]) == ("NOT_FOUND", ["a"])
    assert error["message"] == "Could not resolve to a Repository with the name 'a/b'."


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (
            '{search(query: "x", type: REPOSITORY, first: 101) {nodes {__typename}}}',
            "EXCESSIVE_PAGINATION",
        ),
        ('{search(query: "x", type: REPOSITORY) {nodes {__typename}}}', "MISSING_PAGINATION_BOUNDARIES"),
        ("{repositry}", None),
        ("{", None),
    ],
)
def test_refused_queries(github: LoopbackGitHub, query: str, kind: str | None) -> None:
    """A query against the rules comes back as errors with HTTP 200."""
    answer = graphql(github, query)
    assert answer.status_code == 200
    assert answer.json()["errors"][0].get("type") == kind


def test_body_without_query(github: LoopbackGitHub) -> None:
    """A body that is no GraphQL request is a 400."""
    assert httpx2.post(f"{github.url}/graphql", content=b"{", headers=TOKEN).status_code == 400
    assert httpx2.post(f"{github.url}/graphql", json={}, headers=TOKEN).status_code == 400
