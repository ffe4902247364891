"""GitHub's GraphQL endpoint over a catalogue, executed against the part of GitHub's schema that goldpan uses."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import ExecutionResult, GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync

from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_node import checked_first, repository_node
from tests.support.loopback.github_query import QueryRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

Info = GraphQLResolveInfo[Any]


class Root:
    """The fields of GitHub's query type."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def search(self, _info: Info, query: str, first: int | None = None, **_: object) -> dict[str, Any]:
        """Search repositories; nodes are made only if they are selected."""
        try:
            hits = self._catalogue.search(query)
        except QueryRefusedError as error:
            raise GraphQLError(str(error), extensions={"type": "UNPROCESSABLE"}) from error
        nodes = lambda _info: [repository_node(hit.repository) for hit in hits[: checked_first("search", first)]]  # noqa: E731
        return {"repositoryCount": len(hits), "nodes": nodes}

    def repository(self, _info: Info, owner: str, name: str) -> dict[str, Any]:
        """Find one repository."""
        repository = self._catalogue.find(owner, name)
        if repository is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        return repository_node(repository)


def execute(catalogue: Catalogue, body: Mapping[str, Any]) -> dict[str, Any]:
    """Execute the document of a request body and return the response body."""
    root = Root(catalogue)
    result = graphql_sync(
        _schema(),
        body["query"],
        root_value={"search": root.search, "repository": root.repository},
        variable_values=body.get("variables") or {},
    )
    return _response_body(result)


@cache
def _schema() -> GraphQLSchema:
    return build_schema(Path(__file__).with_name("github.graphql").read_text(encoding="utf-8"))


def _response_body(result: ExecutionResult) -> dict[str, Any]:
    """Write a result as GitHub does: an error has a type, and a document that is not executed has no data."""
    body: dict[str, Any] = {}
    if result.data is not None or any(error.path for error in result.errors or ()):
        body["data"] = result.data
    if result.errors:
        body["errors"] = [_error_row(error) for error in result.errors]
    return body


def _error_row(error: GraphQLError) -> dict[str, Any]:
    row = dict(error.formatted)
    row.pop("extensions", None)
    return {**(error.extensions or {}), **row}
