"""GitHub's GraphQL endpoint over a catalogue, executed against a schema with GitHub's own names."""

from __future__ import annotations

from base64 import b64decode, b64encode
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import (
    ExecutionResult,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    build_schema,
    graphql_sync,
)

from tests.support.loopback.github_catalogue import RESULT_LIMIT, Catalogue, Hit
from tests.support.loopback.github_node import boundaries, repository_node
from tests.support.loopback.github_query import QueryRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.loopback.github_quota import Quota

COST = 1
Info = GraphQLResolveInfo[Any]


class Root:
    """The fields of GitHub's query type."""

    def __init__(self, catalogue: Catalogue, quota: Quota) -> None:
        self._catalogue = catalogue
        self._quota = quota

    def fields(self) -> dict[str, Any]:
        """Name the fields as the schema does."""
        return {"search": self._search, "repository": self._repository, "rateLimit": self._rate_limit}

    def _search(
        self,
        _info: Info,
        query: str,
        type: str,  # noqa: A002 - GitHub's name for the argument
        first: int | None = None,
        after: str | None = None,
    ) -> dict[str, Any]:
        try:
            hits = self._catalogue.search(query) if type == "REPOSITORY" else []
        except QueryRefusedError as error:
            raise GraphQLError(str(error), extensions={"type": "UNPROCESSABLE"}) from error
        return connection(hits, first, after)

    def _repository(self, _info: Info, owner: str, name: str, **_: object) -> dict[str, Any]:
        repository = self._catalogue.find(owner, name)
        if repository is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        return repository_node(repository)

    def _rate_limit(self, _info: Info, **_: object) -> dict[str, Any]:
        state: dict[str, Any] = dict(self._quota.state())
        reset_at = datetime.fromtimestamp(state.pop("reset"), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {**state, "resetAt": reset_at, "cost": COST, "nodeCount": 0}


def execute(catalogue: Catalogue, quota: Quota, body: Mapping[str, Any]) -> dict[str, Any]:
    """Run the query of a request body and give the answer's body."""
    result = graphql_sync(
        _schema(),
        body["query"],
        root_value=Root(catalogue, quota).fields(),
        variable_values=body.get("variables") or {},
        operation_name=body.get("operationName"),
    )
    return _formatted(result)


def connection(hits: list[Hit], first: int | None, after: str | None) -> dict[str, Any]:
    """Show a page of hits; the records are cut only when they are selected."""
    start = _place(after) if after else 0
    reachable = hits[:RESULT_LIMIT]

    def edges(_info: Info) -> list[dict[str, Any]]:
        page = reachable[start : start + boundaries("search", first)]
        return [
            {"cursor": _cursor(place), "node": repository_node(hit.repository)}
            for place, hit in enumerate(page, start=start + 1)
        ]

    end = min(start + (first or 0), len(reachable))
    return {
        "repositoryCount": len(hits),
        "edges": edges,
        "nodes": lambda info: [edge["node"] for edge in edges(info)],
        "pageInfo": {
            "startCursor": _cursor(start + 1) if end > start else None,
            "endCursor": _cursor(end) if end > start else None,
            "hasNextPage": end < len(reachable),
            "hasPreviousPage": start > 0,
        },
    }


def _cursor(place: int) -> str:
    return b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor: str) -> int:
    try:
        return int(b64decode(cursor).decode().removeprefix("cursor:"))
    except ValueError as error:
        message = f"`{cursor}` does not appear to be a valid cursor."
        raise GraphQLError(message, extensions={"type": "INVALID_CURSOR_ARGUMENTS"}) from error


@cache
def _schema() -> GraphQLSchema:
    return build_schema(Path(__file__).with_name("github.graphql").read_text(encoding="utf-8"))


def _formatted(result: ExecutionResult) -> dict[str, Any]:
    """Write a result as GitHub does: errors have a type of their own, and a refused query has no data."""
    body: dict[str, Any] = {}
    if result.data is not None or any(error.path for error in result.errors or ()):
        body["data"] = result.data
    if result.errors:
        body["errors"] = [_row(error) for error in result.errors]
    return body


def _row(error: GraphQLError) -> dict[str, Any]:
    plain = dict(error.formatted)
    extensions: dict[str, Any] = dict(error.extensions or {})
    plain.pop("extensions", None)
    kind = {"type": extensions["type"]} if "type" in extensions else {}
    return {**kind, **plain}
