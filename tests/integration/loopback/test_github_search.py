"""The loopback GitHub finds, orders and refuses as GitHub documents its search."""

from __future__ import annotations

import httpx2
import pytest

from tests.integration.loopback.calls import graphql, names, rest
from tests.support.loopback import LoopbackGitHub

pytestmark = pytest.mark.enable_socket


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("react animation lottie", ["react-lottie-player"]),
        ("PYFOREST", ["PyForest"]),
        ("schema graphql", ["graphqlSchemaTools"]),
        ("ai", []),
        ("动画", ["dongxiao"]),
        ("обучение", ["mashinnoe-obuchenie"]),
        ("c++", ["cpp-json", "linq-extra"]),
        ("react language:javascript stars:<=4100 stars:>=311", ["react-page-transitions"]),
        ("stars:27..44", ["animation-notes", "react-anim-lite"]),
        ("topic:vue", ["vue-motion-presets"]),
        ('language:"jupyter notebook"', ["ml-notebooks"]),
        ("language:csharp", ["dotnet.actors", "linq-extra"]),
        ("pushed:<=2018-12-31", ["rust-web-legacy"]),
        ("pushed:2026-08-22..2026-08-22", ["everything-handbook"]),
        ("lottie created:>=2018-01-01", []),
        ("spring", ["spring-ui"]),
    ],
)
def test_words_and_qualifiers(github: LoopbackGitHub, query: str, found: list[str]) -> None:
    """Whole words match in any script and letter case, and in camelCase; qualifiers filter; forks are left out."""
    assert names(github, query, sort="stars") == found


@pytest.mark.parametrize(("sort", "key"), [("stars", "stargazers_count"), ("updated", "updated_at")])
def test_sorts(github: LoopbackGitHub, sort: str, key: str) -> None:
    """Results are sorted by the parameter, or by the qualifier in the query."""
    values = [item[key] for item in rest(github, "animation", sort=sort).json()["items"]]
    assert values == sorted(values, reverse=True)
    assert names(github, f"animation sort:{sort}") == names(github, "animation", sort=sort)


@pytest.mark.parametrize(
    ("query", "code"), [("x" * 257, "invalid"), ("a OR b OR c OR d OR e OR f OR g", "invalid"), (" ", "missing")]
)
def test_refused_queries(github: LoopbackGitHub, query: str, code: str) -> None:
    """A query that is too long, has too many operators or is empty is a validation error."""
    response = rest(github, query)
    assert (response.status_code, response.json()["message"]) == (422, "Validation Failed")
    assert response.json()["errors"][0]["code"] == code


def test_operators_fail_the_test_that_sent_them() -> None:
    """Operators and qualifiers that goldpan never writes are an error of the fake, raised when it stops."""
    with pytest.raises(NotImplementedError), LoopbackGitHub([{"full_name": "o/r"}]) as github:
        assert rest(github, "a OR b").status_code == 500
    with pytest.raises(KeyError, match="user"), LoopbackGitHub([{"full_name": "o/r"}]) as github:
        assert rest(github, "user:o").status_code == 500


def test_a_rejected_token(github: LoopbackGitHub) -> None:
    """A wrong token is refused, and GraphQL requires one."""
    assert rest(github, "x", {"authorization": "Bearer bad-token"}).json()["message"] == "Bad credentials"
    anonymous = httpx2.post(f"{github.url}/graphql", json={"query": "{a}"})
    assert (anonymous.status_code, anonymous.json()["message"][-17:]) == (401, "be authenticated.")


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ('{search(query: "x", type: REPOSITORY, first: 101) {nodes {__typename}}}', "EXCESSIVE_PAGINATION"),
        ('{search(query: "x", type: REPOSITORY) {nodes {__typename}}}', "MISSING_PAGINATION_BOUNDARIES"),
        ("{repositry}", None),
    ],
)
def test_refused_documents(github: LoopbackGitHub, query: str, kind: str | None) -> None:
    """A GraphQL document against GitHub's rules or schema is answered with errors and status 200."""
    response = graphql(github, query)
    assert (response.status_code, response.json()["errors"][0].get("type")) == (200, kind)


def test_an_unknown_repository(github: LoopbackGitHub) -> None:
    """An unknown repository is null beside the others, with an error for its alias; a fork names its parent."""
    query = """{a: repository(owner: "a", name: "b") {name}
      c: repository(owner: "example-fork", name: "SPRING-UI") {isFork parent {nameWithOwner}}}"""
    body = graphql(github, query).json()
    assert body["data"] == {"a": None, "c": {"isFork": True, "parent": {"nameWithOwner": "example-org/spring-ui"}}}
    assert [(row["type"], row["path"]) for row in body["errors"]] == [("NOT_FOUND", ["a"])]
