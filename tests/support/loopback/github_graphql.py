"""GitHub's GraphQL endpoint over a catalogue, executed against the part of GitHub's schema that goldpan uses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync

from tests.support.loopback.github_catalogue import Catalogue
from tests.support.loopback.github_node import connection, repository_node
from tests.support.loopback.github_query import QueryRefusedError

Info = GraphQLResolveInfo[Any]


def execute(catalogue: Catalogue, body: Mapping[str, Any]) -> dict[str, Any]:
    """Execute the document of a request body; a document that is not valid gets errors and no data."""

    def search(_info: Info, query: str, **page: Any) -> dict[str, Any]:
        try:
            hits = catalogue.search(query)
        except QueryRefusedError as error:
            raise GraphQLError(str(error), extensions={"type": "UNPROCESSABLE"}) from error
        return connection(len(hits), lambda first: [repository_node(hit) for hit in hits[:first]], **page)

    def repository(_info: Info, owner: str, name: str) -> dict[str, Any]:
        found = catalogue.find(owner, name)
        if found is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        return repository_node(found)

    root = {"search": search, "repository": repository}
    result = graphql_sync(_schema(), body["query"], root_value=root, variable_values=body["variables"])
    response: dict[str, Any] = {} if result.data is None else {"data": result.data}
    if result.errors:
        response["errors"] = [_error_row(error) for error in result.errors]
    return response


@cache
def _schema() -> GraphQLSchema:
    return build_schema(Path(__file__).with_name("github.graphql").read_text(encoding="utf-8"))


def _error_row(error: GraphQLError) -> dict[str, Any]:
    """Write an error as GitHub does, with its type beside the message."""
    row = {name: value for name, value in error.formatted.items() if name != "extensions"}
    return {**(error.extensions or {}), **row}
