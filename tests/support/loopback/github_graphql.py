"""GitHub's GraphQL endpoint over a catalogue, executed against the part of GitHub's schema that goldpan uses."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync

from tests.support.loopback.github_catalogue import MAX_RESULTS, Catalogue
from tests.support.loopback.github_repository import Repository

Info = GraphQLResolveInfo[Any]


def execute(catalogue: Catalogue, body: Mapping[str, Any]) -> dict[str, Any]:
    """Execute the document of a request body; a document that is not valid gets errors and no data."""

    def search(_info: Info, query: str, **page: Any) -> dict[str, Any]:
        hits = catalogue.search(query)
        start = int(page.pop("after", None) or 0)
        end = min(start + page.get("first", 0), len(hits), MAX_RESULTS)
        connection = _connection(len(hits), lambda first: [_node(hit) for hit in hits[start : start + first]], **page)
        return connection | {"pageInfo": {"endCursor": str(end), "hasNextPage": end < min(len(hits), MAX_RESULTS)}}

    def repository(_info: Info, owner: str, name: str) -> dict[str, Any]:
        found = catalogue.find(owner, name)
        if found is not None and found.blocked:
            raise GraphQLError("Repository access blocked", extensions={"type": "FORBIDDEN"})
        if found is None:
            message = f"Could not resolve to a Repository with the name '{owner}/{name}'."
            raise GraphQLError(message, extensions={"type": "NOT_FOUND"})
        return _node(found)

    root = {"search": search, "repository": repository}
    result = graphql_sync(github_schema(), body["query"], root_value=root, variable_values=body["variables"])
    response: dict[str, Any] = {} if result.data is None else {"data": result.data}
    if result.errors:
        rows: list[dict[str, Any]] = [dict(error.formatted) for error in result.errors]
        response["errors"] = [{**row.pop("extensions", {}), **row} for row in rows]  # GitHub has the type beside it
    return response


@cache
def github_schema() -> GraphQLSchema:
    """Return the part of GitHub's schema that goldpan uses."""
    return build_schema(Path(__file__).with_name("github.graphql").read_text(encoding="utf-8"))


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
        "isFork": repository.parent is not None,
        "isSecurityPolicyEnabled": repository.security_policy,
        "contributingGuidelines": {"url": repository.url} if repository.text("CONTRIBUTING.md") is not None else None,
        "parent": repository.parent
        and {"__typename": "Repository", "nameWithOwner": repository.parent, "stargazerCount": 500},
        "nameWithOwner": repository.full_name,
        "pushedAt": repository.pushed_at,
        "stargazerCount": repository.stars,
        "url": repository.url,
        "defaultBranchRef": {"target": _commit(repository)} if repository.pushed_at else None,
        "licenseInfo": repository.license and {"spdxId": repository.license},
        "object": lambda _info, expression: _git_object(repository, expression),
        "primaryLanguage": repository.language and {"name": repository.language},
        "issues": lambda _info, states=(), **page: _connection(
            sum(issues[state] for state in states), lambda first: _threads(repository, first, pull=False), **page
        ),
        "pullRequests": lambda _info, states=(), **page: _connection(
            repository.merged_pull_requests * (states == ["MERGED"]),
            lambda first: _threads(repository, first, pull=True),
            **page,
        ),
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
    def history(_info: object, since: str = "", **page: Any) -> dict[str, Any]:
        # The number of recent commits is stored beside the last ones, and none is younger than the last push.
        total = repository.recent_commits if (repository.pushed_at or "") >= since else 0
        return _connection(total, lambda _: [], **page)

    return {"__typename": "Commit", "history": history}


def _threads(repository: Repository, first: int, *, pull: bool) -> list[dict[str, Any]]:
    """Return the newest issues or pull requests with their replies."""
    found = [each for each in repository.threads if bool(each.get("pull")) == pull][:first]
    return [_thread(each) for each in found]


def _thread(thread: Mapping[str, Any]) -> dict[str, Any]:
    replies = thread.get("replies", ())
    comments = [_reply(each) for each in replies if not each.get("review")]
    reviews = [_reply(each) for each in replies if each.get("review")]
    merged = thread.get("merged") or {}
    return {
        "createdAt": thread["at"],
        "author": actor(thread["by"]),
        "mergedAt": merged.get("at"),
        "mergedBy": actor(merged.get("by")),
        "comments": lambda _info, **page: _connection(len(comments), lambda first: comments[:first], **page),
        "reviews": lambda _info, **page: _connection(len(reviews), lambda first: reviews[:first], **page),
    }


def _reply(reply: Mapping[str, Any]) -> dict[str, Any]:
    return {"createdAt": reply["at"], "author": actor(reply["by"])}


def actor(login: str | None) -> dict[str, Any] | None:
    """Return an account; one of an app has its name without the suffix, None is a deleted one."""
    if login is None:
        return None
    return {"__typename": "Bot" if login.endswith("[bot]") else "User", "login": login.removesuffix("[bot]")}


def _git_object(repository: Repository, expression: str) -> dict[str, Any] | None:
    """Resolve `HEAD:` to the top-level tree and `HEAD:PATH` to a file; the letter case of the path matters."""
    path = expression.removeprefix("HEAD:")
    if repository.pushed_at is None:
        return None
    if not path:
        return {"__typename": "Tree", "entries": repository.entries()}
    text = repository.text(path)
    return None if text is None else {"__typename": "Blob", "text": text, "isTruncated": False}
