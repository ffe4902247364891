"""What goldpan asks GitHub and reads from it stands in GitHub's own public descriptions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.infra.http import HttpReply, HttpRequest
from goldpan.infra.rate_limits.port import ProcessRateLimiter
from goldpan.kinds.repositories.models import StarRange
from goldpan.kinds.repositories.sources.github.mapping import from_rest
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from goldpan.kinds.repositories.sources.github.source import GitHub
from goldpan.settings import GitHubSettings
from graphql import GraphQLSchema, build_schema, parse, validate
from jsonschema import Draft202012Validator

from tests.integration.conftest import CLOCK, question_of, within

SCHEMAS = Path(__file__).resolve().parents[3] / "shared" / "data" / "schemas"
if not SCHEMAS.is_dir():
    pytest.skip("GitHub's public schemas are not beside the project", allow_module_level=True)


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
    source = GitHub(GitHubSettings(), http, ProcessRateLimiter(), CLOCK)
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

    def get(self, name: str, default: Any = None) -> Any:
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
