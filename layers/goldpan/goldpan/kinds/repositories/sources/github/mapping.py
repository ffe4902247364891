"""Maps a repository as GitHub's REST and GraphQL APIs describe it to `Repository`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import ValidationError

from goldpan.config import MAX_EXCERPT
from goldpan.errors import Unavailable
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import excerpt, outline

DESCRIPTION_CHARS, URL_CHARS = 350, 400
MAX_TOPICS = 10
MAX_TREE_ENTRIES = 60


@contextmanager
def schema_violations() -> Iterator[None]:
    """Raise `Unavailable` where the block meets valid JSON that does not have the structure that GitHub documents."""
    try:
        yield
    except (TypeError, AttributeError, LookupError, ValueError) as error:
        message = f"GitHub's response does not match its schema ({type(error).__name__})"
        raise Unavailable(message) from error


def from_rest(item: Mapping[str, Any]) -> Repository:
    """Map an item of a REST search; its `watchers_count` repeats the stars and is left out."""
    _require_object(item)
    licence = item.get("license") or {}
    return _validated(
        full_name=item.get("full_name"),
        description=_truncated(item.get("description")),
        url=_short_url(item.get("html_url")),
        homepage=item.get("homepage"),
        stars=item.get("stargazers_count"),
        forks=item.get("forks_count"),
        language=item.get("language"),
        topics=tuple(item.get("topics") or ())[:MAX_TOPICS],
        pushed_at=item.get("pushed_at"),
        created_at=item.get("created_at"),
        archived=item.get("archived"),
        fork=item.get("fork"),
        license=licence.get("spdx_id"),
    )


def from_search_node(node: Mapping[str, Any]) -> Repository:
    """Map a node of the GraphQL search."""
    _require_object(node)
    topics = (row["topic"]["name"] for row in (node.get("repositoryTopics") or {}).get("nodes") or ())
    return _validated(
        full_name=node.get("nameWithOwner"),
        description=_truncated(node.get("description")),
        url=_short_url(node.get("url")),
        homepage=node.get("homepageUrl"),
        stars=node.get("stargazerCount"),
        forks=node.get("forkCount"),
        language=(node.get("primaryLanguage") or {}).get("name"),
        topics=tuple(topics)[:MAX_TOPICS],
        pushed_at=node.get("pushedAt"),
        created_at=node.get("createdAt"),
        archived=node.get("isArchived"),
        fork=node.get("isFork"),
        parent_stars=(node.get("parent") or {}).get("stargazerCount"),
        license=(node.get("licenseInfo") or {}).get("spdxId"),
    )


def add_details(repository: Repository, node: Mapping[str, Any]) -> Repository:
    """Add the details of a GraphQL enrichment; a null among them leaves the fact unknown."""
    readme = _readme(node)
    tree = _tree(node)
    latest = (node.get("releases") or {}).get("nodes") or ()
    target = (node.get("defaultBranchRef") or {}).get("target") or {}
    update = {
        "readme": excerpt(readme, MAX_EXCERPT),
        "has_readme": _has_readme(readme, tree),
        "readme_outline": outline(readme) if readme else None,
        "tree": None if tree is None else tuple(tree[:MAX_TREE_ENTRIES]),
        "releases": _total(node, "releases"),
        "latest_release_at": latest[0].get("publishedAt") if latest else None,
        "latest_release_name": latest[0].get("tagName") if latest else None,
        "open_issues": _total(node, "openIssues"),
        "closed_issues": _total(node, "closedIssues"),
        "merged_pull_requests": _total(node, "mergedPullRequests"),
        "recent_commits": (target.get("history") or {}).get("totalCount"),
        "watchers": _total(node, "watchers"),
        "contributors": _total(node, "mentionableUsers"),
    }
    known = {name: value for name, value in update.items() if value is not None}
    return _validated(**(dict(repository) | known))


def _readme(node: Mapping[str, Any]) -> str | None:
    blobs = (value for name, value in node.items() if name.startswith("readme") and isinstance(value, dict))
    return next((blob["text"] for blob in blobs if blob.get("text")), None)


def _has_readme(readme: str | None, tree: list[str] | None) -> bool | None:
    """Return whether there is a README, also under a name that is not fetched; None if the tree is unknown."""
    if readme:
        return True
    return None if tree is None else any(name.lower().startswith("readme") for name in tree)


def _tree(node: Mapping[str, Any]) -> list[str] | None:
    entries = (node.get("tree") or {}).get("entries")
    if entries is None:
        return None
    return [f"{entry['name']}/" if entry.get("type") == "tree" else entry["name"] for entry in entries]


def _total(node: Mapping[str, Any], name: str) -> int | None:
    return (node.get(name) or {}).get("totalCount")


def _require_object(item: object) -> None:
    if not isinstance(item, Mapping):
        message = f"GitHub's list of repositories contains a {type(item).__name__}"
        raise Unavailable(message)


def _short_url(url: object) -> object:
    """Return None instead of an address that is too long to travel: the repository's name gives it anyway."""
    return None if isinstance(url, str) and len(url) > URL_CHARS else url


def _truncated(text: str | None) -> str | None:
    return text if text is None or len(text) <= DESCRIPTION_CHARS else text[: DESCRIPTION_CHARS - 1] + "…"


def _validated(**fields: object) -> Repository:
    try:
        return Repository.model_validate(fields)
    except ValidationError as error:
        row = error.errors()[0]
        where = ".".join(str(part) for part in row["loc"])
        message = f"GitHub's response has an invalid repository: {where}: {row['msg']}"
        raise Unavailable(message) from error
