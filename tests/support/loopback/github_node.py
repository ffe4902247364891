"""A repository as a GraphQL node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphql import GraphQLError

from tests.support.loopback.github_git import git_object
from tests.support.loopback.github_repository import Repository
from tests.support.loopback.github_rest import node_id

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

CONNECTION_LIMIT = 100


def repository_node(repository: Repository) -> dict[str, Any]:
    """Show a repository under GraphQL's names; a function stands for a field with arguments."""
    return {
        "__typename": "Repository",
        **_facts(repository),
        **_connections(repository),
        "defaultBranchRef": _default_branch(repository),
        "latestRelease": _latest_release(repository),
        "licenseInfo": _license(repository.license),
        "object": lambda _info, expression=None, **_: git_object(repository, expression),
        "owner": {"__typename": "Organization", "login": repository.owner, "url": repository.url},
        "parent": _parent(repository),
        "primaryLanguage": repository.language and {"name": repository.language},
    }


def boundaries(field: str, first: int | None) -> int:
    """Check how many records a connection is asked for, as GitHub does."""
    if first is None:
        message = f"You must provide a `first` or `last` value to properly paginate the `{field}` connection."
        raise GraphQLError(message, extensions={"type": "MISSING_PAGINATION_BOUNDARIES"})
    if not 0 <= first <= CONNECTION_LIMIT:
        message = (
            f"Requesting {first} records on the `{field}` connection exceeds the `first` limit of"
            f" {CONNECTION_LIMIT} records."
        )
        raise GraphQLError(message, extensions={"type": "EXCESSIVE_PAGINATION"})
    return first


def _facts(repository: Repository) -> dict[str, Any]:
    return {
        "createdAt": repository.created_at,
        "databaseId": repository.number,
        "description": repository.description,
        "diskUsage": len(repository.readme or "") // 1024 + 1,
        "forkCount": repository.forks,
        "homepageUrl": repository.homepage,
        "id": node_id(repository),
        "isArchived": repository.archived,
        "isEmpty": repository.pushed_at is None,
        "isFork": repository.fork,
        "isPrivate": False,
        "name": repository.name,
        "nameWithOwner": repository.full_name,
        "pushedAt": repository.pushed_at,
        "stargazerCount": repository.stars,
        "updatedAt": repository.touched_at,
        "url": repository.url,
    }


def _connections(repository: Repository) -> dict[str, Any]:
    issues = {"OPEN": repository.open_issues, "CLOSED": repository.closed_issues}
    pulls = {"OPEN": repository.open_pull_requests, "MERGED": repository.merged_pull_requests}
    topics = [{"topic": {"name": name}} for name in repository.topics]
    latest = _latest_release(repository)
    return {
        "issues": lambda _info, states=None, **_: _counted(issues, states),
        "pullRequests": lambda _info, states=None, **_: _counted(pulls, states),
        "mentionableUsers": {"totalCount": repository.contributors},
        "watchers": {"totalCount": repository.watchers},
        "repositoryTopics": lambda _info, first=None, **_: _listed("repositoryTopics", topics, first),
        "releases": lambda _info, first=None, **_: {
            **_listed("releases", [latest] if latest else [], first),
            "totalCount": repository.releases,
        },
    }


def _counted(counts: dict[str, int], states: Collection[str] | None) -> dict[str, int]:
    return {"totalCount": sum(count for state, count in counts.items() if states is None or state in states)}


def _listed(field: str, nodes: Sequence[Any], first: int | None) -> dict[str, Any]:
    # GitHub asks for `first` only where records are selected, not for a total alone.
    return {"totalCount": len(nodes), "nodes": lambda _info: nodes[: boundaries(field, first)]}


def _latest_release(repository: Repository) -> dict[str, Any] | None:
    tag = repository.latest_release
    return {"name": tag, "tagName": tag, "publishedAt": repository.latest_release_at} if tag else None


def _default_branch(repository: Repository) -> dict[str, Any] | None:
    return {"name": "main", "target": git_object(repository, "HEAD")} if repository.pushed_at else None


def _license(spdx: str | None) -> dict[str, str] | None:
    return {"key": spdx.lower(), "name": f"{spdx} License", "spdxId": spdx} if spdx else None


def _parent(repository: Repository) -> dict[str, Any] | None:
    return repository_node(Repository.stored(1, repository.parent)) if repository.parent else None
