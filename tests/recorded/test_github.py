"""What goldpan sends to GitHub and reads from it, against GitHub's public schemas and recorded responses."""

import json
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.errors import RateLimited, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.infra.http_client import HttpClient
from goldpan.kinds.repositories.models import Repository, StarRange
from goldpan.kinds.repositories.sources.github.client import GitHubClient, failure_of
from goldpan.kinds.repositories.sources.github.mapping import REST_FACTS, assembled, read_facts
from goldpan.kinds.repositories.sources.github.queries import BY_NAME, document_by_name, search_document
from goldpan.kinds.repositories.sources.github.repository import read_repository
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from graphql import build_schema, parse, validate
from jsonschema import Draft202012Validator

from tests.integration.github.conftest import Caller, search_for
from tests.recorded import API_SAMPLES, DATA, decompressed
from tests.support.analyzed import FULL_NAME, analyzed_repository
from tests.support.loopback import Fault, LoopbackGitHub
from tests.support.memory_stores import memory_connections

THEN = datetime(2018, 10, 26, 6, tzinfo=UTC)


def recorded(name: str) -> list[tuple[Any, Any]]:
    """Read the responses of a recording: of each the failure and the body."""
    rows = json.loads(decompressed(API_SAMPLES / f"github/{name}.json.gz"))
    responses = [HttpResponse(row["status"], row["headers"], json.dumps(row["body"]).encode()) for row in rows]
    return [(failure_of(response, THEN, None), row["body"]) for response, row in zip(responses, rows, strict=True)]


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """Read GitHub's description of its REST API."""
    described: dict[str, Any] = json.loads(decompressed(DATA / "schemas/github-rest.openapi.json.gz"))
    return described


@pytest.fixture(scope="module")
def search_operation(description: dict[str, Any]) -> dict[str, Any]:
    """Return GitHub's description of its REST search."""
    operation: dict[str, Any] = description["paths"]["/search/repositories"]["get"]
    return operation


def test_graphql_documents_are_valid() -> None:
    """The documents of one and of the most searches and repositories are valid by GitHub's GraphQL schema."""
    schema = build_schema(decompressed(DATA / "schemas/github.graphql.gz"), assume_valid=True)
    documents = [search_document(count) for count in (1, 15)]
    documents += [document_by_name(name, count) for name in BY_NAME for count in (1, 10)]
    assert [error.message for text in documents for error in validate(schema, parse(text))] == []


def test_rest_requests_are_valid(search_operation: dict[str, Any], rest: Caller, github: LoopbackGitHub) -> None:
    """Every REST request has documented parameters and values."""
    all_qualifiers = search_for(
        language="Jupyter Notebook",
        topics=("vue",),
        stars=StarRange(min=10, max=500),
        created_after=date(2020, 1, 1),
        pushed_after=date(2026, 1, 1),
    )
    rest.search(all_qualifiers, search_for(sort="stars"), search_for(sort="updated"))
    described = {row["name"]: row for row in search_operation["parameters"] if row["in"] == "query"}
    required = {name for name, row in described.items() if row.get("required")}
    assert [request.path for request in github.requests] == ["/search/repositories"] * 3
    for request in github.requests:
        assert required <= set(request.params) <= set(described)
        for name, value in request.params.items():
            schema = described[name]["schema"]
            Draft202012Validator(schema).validate(int(value) if schema["type"] == "integer" else value)


def test_the_requests_and_responses_of_an_analysis_are_documented(description: dict[str, Any]) -> None:
    """Of those that the description has, the parameters of each request, and the example of each response is read."""
    with LoopbackGitHub([analyzed_repository()]) as github, closing(HttpClient()) as http:
        clock = WallClock()
        settings = GitHubSettings(github_api_url=github.url)
        client = GitHubClient(settings, memory_connections(http, clock))
        read_repository(client, FULL_NAME, Deadline.after(20, clock))
        called = {_template(request.path): request for request in github.requests}
        paths = {path: description["paths"][path]["get"] for path in called if path in description["paths"]}
        assert len(paths) >= 5
        for path, operation in paths.items():
            described = {row["name"] for row in operation["parameters"] if row["in"] == "query"}
            assert {*called[path].params} <= described, path
        for path in ("/repos/{owner}/{repo}", *(each for each in paths if each.count("/") > 3)):
            [example, *_] = paths[path]["responses"]["200"]["content"]["application/json"]["examples"].values()
            part = path.removeprefix("/repos/{owner}/{repo}").partition("/{")[0] or "/repos/"
            github.inject(Fault.status(200, body=example["value"], contains=part))
        facts = read_repository(client, FULL_NAME, Deadline.after(20, clock))
    repository, rows = facts.repository, {row.strategy: row.status for row in facts.sources}
    assert {rows[name] for name in ("repository", "readme", "files", "releases", "contributors")} == {"ok"}
    assert (repository.full_name, repository.watchers, repository.contributors) == ("octocat/Hello-World", 42, 1)
    assert (repository.latest_release_name, facts.paths) == ("v1.0.0", ("file.rb", "subdir/", "exec_file"))


def _template(path: str) -> str:
    """Return the documented form of a path."""
    return path.replace(f"/repos/{FULL_NAME}", "/repos/{owner}/{repo}").replace("/trees/HEAD", "/trees/{tree_sha}")


def test_the_documented_item_is_read(search_operation: dict[str, Any]) -> None:
    """The example of an item in GitHub's description gives all facts; topics are described, but not in the example."""
    content = search_operation["responses"]["200"]["content"]["application/json"]
    assert "topics" in content["schema"]["properties"]["items"]["items"]["properties"]
    assert assembled(read_facts(content["examples"]["default"]["value"]["items"][0], REST_FACTS)) == Repository(
        full_name="dtrupenn/Tetris",
        description="A C implementation of Tetris using Pennsim through LC4",
        url="https://github.com/dtrupenn/Tetris",
        homepage="https://github.com",
        stars=1,
        forks=0,
        language="Assembly",
        pushed_at=datetime(2012, 1, 1, 0, 37, 2, tzinfo=UTC),
        created_at=datetime(2012, 1, 1, 0, 31, 50, tzinfo=UTC),
        archived=True,
        fork=False,
        license="MIT",
    )


@pytest.mark.parametrize("name", ["RateLimitExceeded", "AuthenticatedRateLimitExceeded"])
def test_a_recorded_rate_limit(name: str) -> None:
    """The call after the last that was allowed is a rate limit with a time to call again."""
    (first, _), *_, (limit, _) = recorded(f"SpecificExceptions_test{name}")
    assert first is None
    assert isinstance(limit, RateLimited)
    assert limit.retry_at > THEN


def test_a_recorded_fault() -> None:
    """A bad gateway, as GitHub answered it three times before it succeeded, is unavailable."""
    failures = [type(failure) for failure, _ in recorded("Retry_testReturnsRepoAfter3Retries")]
    assert failures == [Unavailable] * 3 + [type(None)]
