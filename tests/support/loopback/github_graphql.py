"""GitHub's GraphQL endpoint over a catalogue, executed against the part of GitHub's schema that goldpan uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync

from tests.support.loopback.github_catalogue import Catalogue, QueryRefusedError
from tests.support.loopback.github_repository import Repository

Info = GraphQLResolveInfo[Any]


def execute(catalogue: Catalogue, body: Mapping[str, Any]) -> dict[str, Any]:
    """Execute the document of a request body; a document that is not valid gets errors and no data."""

    def search(_info: Info, query: str, **page: Any) -> dict[str, Any]:
        try:
            hits = catalogue.search(query)
        except QueryRefusedError as error:
            raise GraphQLError(str(error), extensions={"type": "UNPROCESSABLE"}) from error
        return _connection(len(hits), lambda first: [_node(hit) for hit in hits[:first]], **page)

    def repository(_info: Info, owner: str, name: str) -> dict[str, Any]:
        found = catalogue.find(owner, name)
        if found is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        return _node(found)

    root = {"search": search, "repository": repository}
    result = graphql_sync(github_schema(), body["query"], root_value=root, variable_values=body["variables"])
    response: dict[str, Any] = {} if result.data is None else {"data": result.data}
    if result.errors:
        response["errors"] = [_error_row(error) for error in result.errors]
    return response


@cache
def github_schema() -> GraphQLSchema:
    """Return the part of GitHub's schema that goldpan uses."""
    return build_schema(Path(__file__).with_name("github.graphql").read_text(encoding="utf-8"))


def _error_row(error: GraphQLError) -> dict[str, Any]:
    """Write an error as GitHub does, with its type beside the message."""
    row = {name: value for name, value in error.formatted.items() if name != "extensions"}
    return {**(error.extensions or {}), **row}


def _node(repository: Repository) -> dict[str, Any]:
    """Return a repository under the names of GitHub's schema; a function stands for a field with arguments."""
    issues = {"OPEN": repository.open_issues, "CLOSED": repository.closed_issues}
    topics = [{"topic": {"name": name}} for name in repository.topics]
    latest = {"publishedAt": repository.latest_release_at, "tagName": repository.latest_release}
    releases = [latest] if repository.latest_release_at else []
    return {
        "__typename": "Repository",
        "createdAt": repository.created_at,
        "description": repository.description,
        "forkCount": repository.forks,
        "homepageUrl": repository.homepage,
        "isArchived": repository.archived,
        "isFork": False,
        "nameWithOwner": repository.full_name,
        "pushedAt": repository.pushed_at,
        "stargazerCount": repository.stars,
        "url": repository.url,
        "defaultBranchRef": {"target": _commit(repository)} if repository.pushed_at else None,
        "licenseInfo": repository.license and {"spdxId": repository.license},
        "object": lambda _info, expression: _git_object(repository, expression),
        "primaryLanguage": repository.language and {"name": repository.language},
        "issues": lambda _info, states: {"totalCount": sum(issues[state] for state in states)},
        "pullRequests": lambda _info, states: {"totalCount": repository.merged_pull_requests * (states == ["MERGED"])},
        "mentionableUsers": {"totalCount": repository.contributors},
        "watchers": {"totalCount": repository.watchers},
        "repositoryTopics": lambda _info, **page: _connection(len(topics), lambda first: topics[:first], **page),
        "releases": lambda _info, **page: _connection(repository.releases, lambda first: releases[:first], **page),
    }


def _connection(
    total: int, nodes: Callable[[int], Sequence[Any]], first: int | None = None, **_: object
) -> dict[str, Any]:
    """Return a connection; GitHub requires `first` if nodes are selected, and allows 100."""

    def page(_info: object) -> Sequence[Any]:
        if first is None or not 0 <= first <= 100:
            raise GraphQLError("You must provide a `first` value of at most 100.", extensions={"type": "PAGINATION"})
        return nodes(first)

    return {"totalCount": total, "repositoryCount": total, "nodes": page}


def _commit(repository: Repository) -> dict[str, Any]:
    def history(_info: object, since: str) -> dict[str, int]:
        # Only the number of recent commits is stored, and none of them is younger than the last push.
        return {"totalCount": repository.recent_commits if (repository.pushed_at or "") >= since else 0}

    return {"__typename": "Commit", "history": history}


def _git_object(repository: Repository, expression: str) -> dict[str, Any] | None:
    """Resolve `HEAD:` to the top-level tree and `HEAD:PATH` to a file; the letter case of the path matters."""
    path = expression.removeprefix("HEAD:")
    if repository.pushed_at is None:
        return None
    if not path:
        return {"__typename": "Tree", "entries": repository.tree}
    if path not in [entry["name"] for entry in repository.tree if entry["type"] == "blob"]:
        return None
    return {"__typename": "Blob", "text": repository.readme if path == repository.readme_name else ""}
