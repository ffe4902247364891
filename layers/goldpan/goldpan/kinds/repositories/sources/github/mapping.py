"""Reads GitHub's two notations of a repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from goldpan.config import MAX_EXCERPT
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.readme import excerpt, outline

DESCRIPTION_CHARS = 350
TOPICS = 10
TREE_ENTRIES = 60


@contextmanager
def schema_violations() -> Iterator[None]:
    """Name an answer that is sound JSON of another form than GitHub promises, wherever in it that is met."""
    try:
        yield
    except (TypeError, AttributeError, LookupError, ValueError) as error:
        message = f"GitHub answered in an unknown way ({type(error).__name__})"
        raise Unavailable(message) from error


def from_rest(item: Mapping[str, Any]) -> Repository:
    """Read an item of a REST search; its `watchers_count` repeats the stars, so it is not read."""
    _require_fields(item)
    licence = item.get("license") or {}
    return _checked(
        full_name=item.get("full_name"),
        description=_cut(item.get("description")),
        url=item.get("html_url"),
        stars=item.get("stargazers_count"),
        forks=item.get("forks_count"),
        language=item.get("language"),
        topics=tuple(item.get("topics") or ())[:TOPICS],
        pushed_at=item.get("pushed_at"),
        created_at=item.get("created_at"),
        archived=item.get("archived"),
        fork=item.get("fork"),
        license=licence.get("spdx_id"),
    )


def from_search_node(node: Mapping[str, Any]) -> Repository:
    """Read a node of the lean GraphQL search."""
    _require_fields(node)
    topics = (row["topic"]["name"] for row in (node.get("repositoryTopics") or {}).get("nodes") or ())
    return _checked(
        full_name=node.get("nameWithOwner"),
        description=_cut(node.get("description")),
        url=node.get("url"),
        stars=node.get("stargazerCount"),
        forks=node.get("forkCount"),
        language=(node.get("primaryLanguage") or {}).get("name"),
        topics=tuple(topics)[:TOPICS],
        pushed_at=node.get("pushedAt"),
        created_at=node.get("createdAt"),
        archived=node.get("isArchived"),
        fork=node.get("isFork"),
        parent_stars=(node.get("parent") or {}).get("stargazerCount"),
        license=(node.get("licenseInfo") or {}).get("spdxId"),
    )


def enriched(repository: Repository, node: Mapping[str, Any]) -> Repository:
    """Add what the enrichment tells of a repository."""
    readme = _readme(node)
    tree = _tree(node)
    has_readme = True if readme else None if tree is None else any(name.lower().startswith("readme") for name in tree)
    latest = (node.get("releases") or {}).get("nodes") or ()
    target = (node.get("defaultBranchRef") or {}).get("target") or {}
    update = {
        "readme": excerpt(readme, MAX_EXCERPT),
        "has_readme": has_readme,
        "readme_outline": outline(readme) if readme else None,
        "tree": None if tree is None else tuple(tree[:TREE_ENTRIES]),
        "releases": _total(node, "releases"),
        "latest_release_at": latest[0].get("publishedAt") if latest else None,
        "open_issues": _total(node, "openIssues"),
        "closed_issues": _total(node, "closedIssues"),
        "merged_pull_requests": _total(node, "mergedPullRequests"),
        "recent_commits": (target.get("history") or {}).get("totalCount"),
        "watchers": _total(node, "watchers"),
        "contributors": _total(node, "mentionableUsers"),
    }
    told = {name: value for name, value in update.items() if value is not None}
    return _checked(**{**dict(repository), **told})


def _readme(node: Mapping[str, Any]) -> str | None:
    blobs = (value for name, value in node.items() if name.startswith("readme") and isinstance(value, dict))
    return next((blob["text"] for blob in blobs if blob.get("text")), None)


def _tree(node: Mapping[str, Any]) -> list[str] | None:
    entries = (node.get("tree") or {}).get("entries")
    if entries is None:
        return None
    return [f"{entry['name']}/" if entry.get("type") == "tree" else entry["name"] for entry in entries]


def _total(node: Mapping[str, Any], name: str) -> int | None:
    return (node.get(name) or {}).get("totalCount")


def _require_fields(item: object) -> None:
    if not isinstance(item, Mapping):
        message = f"GitHub's list holds a {type(item).__name__} where a repository belongs"
        raise Unavailable(message)


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= DESCRIPTION_CHARS else text[: DESCRIPTION_CHARS - 1] + "…"


def _checked(**fields: object) -> Repository:
    try:
        return Repository.model_validate(fields)
    except ValidationError as error:
        row = error.errors()[0]
        where = ".".join(str(part) for part in row["loc"])
        message = f"GitHub described a repository in an unknown way: {where}: {row['msg']}"
        raise Unavailable(message) from error
