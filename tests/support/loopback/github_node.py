"""A repository as a GraphQL node; a function stands for a field with arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphql import GraphQLError

from tests.support.loopback.github_repository import Repository

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

CONNECTION_LIMIT = 100


def repository_node(repository: Repository) -> dict[str, Any]:
    """Return a repository under the names of GitHub's schema."""
    return {
        "__typename": "Repository",
        "createdAt": repository.created_at,
        "description": repository.description,
        "forkCount": repository.forks,
        "isArchived": repository.archived,
        "isFork": repository.fork,
        "name": repository.name,
        "nameWithOwner": repository.full_name,
        "pushedAt": repository.pushed_at,
        "stargazerCount": repository.stars,
        "url": repository.url,
        "defaultBranchRef": {"target": _commit(repository)} if repository.pushed_at else None,
        "licenseInfo": repository.license and {"spdxId": repository.license},
        "object": lambda _info, expression: _git_object(repository, expression),
        "parent": repository_node(Repository.stored(repository.parent)) if repository.parent else None,
        "primaryLanguage": repository.language and {"name": repository.language},
        **_connections(repository),
    }


def checked_first(field: str, first: int | None) -> int:
    """Check how many records of a connection are requested, as GitHub does."""
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


def _connections(repository: Repository) -> dict[str, Any]:
    issues = {"OPEN": repository.open_issues, "CLOSED": repository.closed_issues}
    topics = [{"topic": {"name": name}} for name in repository.topics]
    releases = [{"publishedAt": repository.latest_release_at}] if repository.latest_release else []
    return {
        "issues": lambda _info, states=None: _counted(issues, states),
        "pullRequests": lambda _info, states=None: _counted({"MERGED": repository.merged_pull_requests}, states),
        "mentionableUsers": {"totalCount": repository.contributors},
        "watchers": {"totalCount": repository.watchers},
        "repositoryTopics": lambda _info, first=None: _listed("repositoryTopics", topics, first, len(topics)),
        "releases": lambda _info, first=None, **_: _listed("releases", releases, first, repository.releases),
    }


def _counted(counts: dict[str, int], states: Collection[str] | None) -> dict[str, int]:
    return {"totalCount": sum(count for state, count in counts.items() if states is None or state in states)}


def _listed(field: str, nodes: Sequence[Any], first: int | None, total: int) -> dict[str, Any]:
    """Return a connection; GitHub requires `first` only if records are selected."""
    return {"totalCount": total, "nodes": lambda _info: nodes[: checked_first(field, first)]}


def _commit(repository: Repository) -> dict[str, Any]:
    def history(_info: object, since: str | None = None) -> dict[str, int]:
        # Only the number of recent commits is stored, and none of them is younger than the last push.
        seen = since is None or (repository.pushed_at or "") >= since
        return {"totalCount": repository.recent_commits if seen else 0}

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
