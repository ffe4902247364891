"""What goldpan sends to GitHub and reads from it stands in GitHub's public schemas."""

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
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS
from goldpan.kinds.repositories.sources.github.mapping import from_rest
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_document
from goldpan.kinds.repositories.sources.github.settings import GitHubSettings
from goldpan.kinds.repositories.sources.github.source import GitHub
from graphql import GraphQLSchema, build_schema, parse, validate
from jsonschema import Draft202012Validator

from tests.integration.github.conftest import search_for
from tests.support.factories import StillClock

SCHEMAS = Path(__file__).resolve().parents[4] / "shared" / "data" / "schemas"
if not SCHEMAS.is_dir():
    pytest.skip("GitHub's public schemas are not beside the project", allow_module_level=True)


def decompressed(name: str) -> str:
    """Read a compressed schema."""
    return gzip.decompress((SCHEMAS / name).read_bytes()).decode()


@pytest.fixture(scope="module")
def graphql_schema() -> GraphQLSchema:
    """Read GitHub's GraphQL schema."""
    return build_schema(decompressed("github.graphql.gz"), assume_valid=True)


@pytest.fixture(scope="module")
def search_operation() -> dict[str, Any]:
    """Read GitHub's description of its REST search."""
    paths: dict[str, Any] = json.loads(decompressed("github-rest.openapi.json.gz"))["paths"]
    operation: dict[str, Any] = paths["/search/repositories"]["get"]
    return operation


def test_graphql_documents_are_valid(graphql_schema: GraphQLSchema) -> None:
    """The documents of one and of the most searches and repositories are valid; an unknown field would not be."""
    documents = [search_document(1), search_document(15), enrichment_document(1), enrichment_document(10)]
    assert [error.message for text in documents for error in validate(graphql_schema, parse(text))] == []
    assert validate(graphql_schema, parse(search_document(1).replace("stargazerCount", "starCount")))


class RecordingHttp:
    """Records the requests and finds nothing."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpReply:
        """Answer with an empty list."""
        del deadline
        self.requests.append(request)
        return HttpReply(200, {}, b'{"total_count": 0, "incomplete_results": false, "items": []}')


def test_rest_requests_are_valid(search_operation: dict[str, Any]) -> None:
    """Every REST request goes to a documented path, with documented parameters and values."""
    http, clock = RecordingHttp(), StillClock()
    source = GitHub(GitHubSettings(), http, ProcessRateLimiter(clock, RATE_LIMITS), clock)
    all_qualifiers = search_for(
        language="Jupyter Notebook",
        topics=("vue",),
        stars=StarRange(min=10, max=500),
        created_after=date(2020, 1, 1),
        pushed_after=date(2026, 1, 1),
    )
    source.search([all_qualifiers, search_for(sort="stars"), search_for(sort="updated")], Deadline.after(5, clock))
    described = {row["name"]: row for row in search_operation["parameters"] if row["in"] == "query"}
    required = {name for name, row in described.items() if row.get("required")}
    assert len(http.requests) == 3
    for request in http.requests:
        assert (request.method, urlsplit(request.url).path) == ("GET", "/search/repositories")
        assert required <= set(request.params) <= set(described)
        for name, value in request.params.items():
            schema = described[name]["schema"]
            Draft202012Validator(schema).validate(int(value) if schema["type"] == "integer" else value)


class RecordingObject(dict[str, Any]):
    """A JSON object that records which of its fields were read."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self.read: set[str] = set()

    def get(self, name: str, default: Any = None) -> Any:
        """Read a field."""
        self.read.add(name)
        return super().get(name, default)


def test_rest_fields_exist(search_operation: dict[str, Any]) -> None:
    """Every field that is read of an item of a search is documented."""
    licence = RecordingObject({"spdx_id": "MIT"})
    item = RecordingObject({"full_name": "o/r", "license": licence})
    from_rest(item)
    result = search_operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"]
    described = result["items"]["items"]["properties"]
    assert len(item.read) > 10
    assert item.read <= set(described)
    licences = [described["license"], *described["license"].get("anyOf", ()), *described["license"].get("allOf", ())]
    assert licence.read <= {name for row in licences for name in row.get("properties", {})}
    assert {"total_count", "incomplete_results", "items"} <= set(result)
