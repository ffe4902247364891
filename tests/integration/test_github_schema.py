"""What goldpan asks GitHub and reads from it stands in GitHub's own public descriptions and recorded answers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from goldpan.deadline import Deadline
from goldpan.errors import RateLimited, Unavailable
from goldpan.repositories.contracts import StarRange
from goldpan.services.http import HttpReply, HttpRequest
from goldpan.services.rate_budget import ProcessRateBudget
from goldpan.settings import GitHubSettings
from goldpan.sources.github.documents import enrichment_document, search_document
from goldpan.sources.github.facts import from_rest
from goldpan.sources.github.limits import failure_of
from goldpan.sources.github.source import GitHub
from graphql import GraphQLSchema, build_schema, parse, validate
from jsonschema import Draft202012Validator

from tests.integration.conftest import CLOCK, question_of, within

SHARED = Path(__file__).resolve().parents[3] / "shared"
SCHEMAS, SAMPLES = SHARED / "data" / "schemas", SHARED / "data" / "api_samples" / "github"
if not (SCHEMAS.is_dir() and SAMPLES.is_dir()):
    pytest.skip("GitHub's public schemas and recorded exchanges are not beside the project", allow_module_level=True)

NOW = datetime(2018, 10, 26, 6, tzinfo=UTC)


def unpacked(path: Path) -> str:
    """Read a packed file."""
    return gzip.decompress(path.read_bytes()).decode()


@pytest.fixture(scope="module")
def graphql_schema() -> GraphQLSchema:
    """Read GitHub's public GraphQL schema."""
    return build_schema(unpacked(SCHEMAS / "github.graphql.gz"), assume_valid=True)


@pytest.fixture(scope="module")
def search_operation() -> dict[str, Any]:
    """Read GitHub's description of its REST search."""
    paths: dict[str, Any] = json.loads(unpacked(SCHEMAS / "github-rest.openapi.json.gz"))["paths"]
    operation: dict[str, Any] = paths["/search/repositories"]["get"]
    return operation


def test_graphql_documents_are_valid(graphql_schema: GraphQLSchema) -> None:
    """Every GraphQL document, for each number of searches and repositories, is one that GitHub understands."""
    documents = [search_document(count) for count in range(1, 16)]
    documents += [enrichment_document(count) for count in range(1, 11)]
    assert len(set(documents)) == 25
    assert [error.message for text in documents for error in validate(graphql_schema, parse(text))] == []


def test_the_schema_refuses_what_it_does_not_know(graphql_schema: GraphQLSchema) -> None:
    """A field that GitHub does not have would be noticed."""
    changed = search_document(1).replace("stargazerCount", "starCount")
    assert validate(graphql_schema, parse(changed))


class RecordingHttp:
    """Remembers what is sent, and finds nothing."""

    def __init__(self) -> None:
        self.sent: list[HttpRequest] = []

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Answer with an empty list."""
        del deadline
        self.sent.append(request)
        return HttpReply(200, {}, b'{"total_count": 0, "incomplete_results": false, "items": []}')


def test_rest_requests_are_valid(search_operation: dict[str, Any]) -> None:
    """Every REST request goes to a path that exists, with parameters and values that are described."""
    http = RecordingHttp()
    source = GitHub(GitHubSettings(), http, ProcessRateBudget(), CLOCK)
    narrow = {"language": "Jupyter Notebook", "topics": ("vue",), "created_after": date(2020, 1, 1)}
    searches = [question_of(sort=sort) for sort in ("best_match", "stars", "updated")]
    searches += [question_of(stars=StarRange(min=10, max=500), pushed_after=date(2026, 1, 1), **narrow)]
    source.search(searches, within(5))
    described = {row["name"]: row for row in search_operation["parameters"] if row["in"] == "query"}
    required = {name for name, row in described.items() if row.get("required")}
    assert len(http.sent) == 4
    for request in http.sent:
        assert (request.method, urlsplit(request.url).path) == ("GET", "/search/repositories")
        assert required <= set(request.params) <= set(described)
        for name, value in request.params.items():
            schema = described[name]["schema"]
            Draft202012Validator(schema).validate(int(value) if schema["type"] == "integer" else value)


class Watched(dict[str, Any]):
    """An object that remembers which of its fields were read."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.read: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:  # type: ignore[override]
        """Read a field."""
        self.read.add(name)
        return super().get(name, default)


def test_rest_fields_exist(search_operation: dict[str, Any]) -> None:
    """Every field that is read from an item of a search is described by GitHub."""
    licence = Watched({"spdx_id": "MIT"})
    item = Watched({"full_name": "o/r", "license": licence})
    from_rest(item)
    answer = search_operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    described = answer["items"]["items"]["properties"]
    assert len(item.read) > 10
    assert item.read <= set(described)
    licences = [described["license"], *described["license"].get("anyOf", ()), *described["license"].get("allOf", ())]
    assert licence.read <= {name for row in licences for name in row.get("properties", {})}
    assert {"total_count", "incomplete_results", "items"} <= set(answer)


def recorded(name: str) -> list[tuple[HttpReply, Any]]:
    """Give the replies of a recorded exchange, each with its body."""
    rows = json.loads(unpacked(SAMPLES / f"{name}.json.gz"))
    return [(HttpReply(row["status"], row["headers"], json.dumps(row["body"]).encode()), row["body"]) for row in rows]


def test_a_recorded_search_is_understood() -> None:
    """Repositories as GitHub listed them in 2014 are read, and what was not told then is unknown."""
    pages = recorded("Search_testSearchRepos")
    items = [item for reply, body in pages for item in body["items"] if failure_of(reply, NOW) is None]
    repositories = [from_rest(item) for item in items]
    assert len(repositories) > 50
    assert repositories[0].full_name == "kennethreitz/legit"
    assert all(repository.stars is not None and repository.pushed_at for repository in repositories)
    assert {repository.archived for repository in repositories} == {None}


@pytest.mark.parametrize(
    "name", ["SpecificExceptions_testRateLimitExceeded", "SpecificExceptions_testAuthenticatedRateLimitExceeded"]
)
def test_a_recorded_limit_is_understood(name: str) -> None:
    """Limits as GitHub reported them are limits, with a time to come back."""
    failures = [failure_of(reply, NOW) for reply, _ in recorded(name)]
    assert failures[0] is None
    limit = failures[-1]
    assert isinstance(limit, RateLimited)
    assert limit.retry_at > NOW


@pytest.mark.parametrize("name", ["Retry_testRaisesRetryErrorAfterMaxRetries", "Retry_testReturnsRepoAfter3Retries"])
def test_a_recorded_fault_is_understood(name: str) -> None:
    """A bad gateway as GitHub answered it is a fault that may pass."""
    replies = recorded(name)
    failures = [failure_of(reply, NOW) for reply, _ in replies if reply.status == 502]
    assert len(failures) >= 3
    assert all(isinstance(failure, Unavailable) for failure in failures)
    assert all(failure_of(reply, NOW) is None for reply, _ in replies if reply.status == 200)
