"""Maps a repository as GitHub's REST and GraphQL APIs describe it to `Repository`."""

from __future__ import annotations

from collections.abc import Mapping

from goldpan.config import MAX_EXCERPT
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.repository_text import excerpt, outline
from goldpan.kinds.repositories.sources.github.facts import (
    Node,
    Read,
    Unread,
    at,
    count_at,
    list_of,
    members,
    moment_at,
    read_facts,
    validated,
)

DESCRIPTION_CHARS, URL_CHARS = 350, 400
MAX_TOPICS = 10
MAX_TREE_ENTRIES = 60


def from_rest(item: Node, unread: Unread) -> Repository:
    """Map an item of a REST search; its `watchers_count` repeats the stars and is left out."""
    return validated(read_facts(item, _REST, unread), unread)


def from_search_node(node: Node, unread: Unread) -> Repository:
    """Map a node of the GraphQL search."""
    return validated(read_facts(node, _SEARCH, unread), unread)


def add_details(repository: Repository, node: Node, unread: Unread) -> Repository:
    """Add the details of a GraphQL enrichment; a null among them leaves the fact unknown.

    The tree shows whether there is a README under a name that is not fetched.
    """
    facts = read_facts(node, _DETAILS, unread)
    readme, tree = facts.pop("readme", None), facts.pop("tree", None)
    if isinstance(readme, str):
        facts |= {"readme": excerpt(readme, MAX_EXCERPT), "readme_outline": outline(readme), "has_readme": True}
    if isinstance(tree, list):
        facts |= {"tree": tuple(tree[:MAX_TREE_ENTRIES])}
        facts.setdefault("has_readme", any(name.lower().startswith("readme") for name in tree))
    return validated(dict(repository) | facts, unread)


def _text_at(name: str, length: int) -> Read:
    """Read a text, cut to a length."""

    def read(node: Node) -> object:
        text = _text(node.get(name))
        return text if text is None or len(text) <= length else text[: length - 1] + "…"

    return read


def _url_at(name: str) -> Read:
    """Read an address; one that is too long to travel is left out, since the repository's name gives it anyway."""

    def read(node: Node) -> object:
        url = _text(node.get(name))
        return url if url is None or len(url) <= URL_CHARS else None

    return read


def _rest_topics(node: Node) -> object:
    return tuple(topic for topic in list_of(node.get("topics")) if topic is not None)[:MAX_TOPICS]


def _topics(node: Node) -> object:
    names = (at("topic", "name")(row) for row in members(at("repositoryTopics", "nodes")(node)))
    return tuple(name for name in names if name is not None)[:MAX_TOPICS]


def _latest_release(node: Node) -> Node:
    return next(iter(members(at("releases", "nodes")(node))), {})


def _readme(node: Node) -> str | None:
    """Return the first README with text."""
    texts = (_text(at(name, "text")(node)) for name in node if name.startswith("readme"))
    return next(filter(None, texts), None)


def _tree(node: Node) -> list[str] | None:
    entries = at("tree", "entries")(node)
    if entries is None:
        return None
    named = [(_text(entry.get("name")), entry.get("type")) for entry in members(entries)]
    return [f"{name}/" if kind == "tree" else name for name, kind in named if name]


def _text(value: object) -> str | None:
    if not isinstance(value, str | None):
        message = f"must be a text, not {type(value).__name__}"
        raise TypeError(message)
    return value


_REST: Mapping[str, Read] = {
    "full_name": at("full_name"),
    "description": _text_at("description", DESCRIPTION_CHARS),
    "url": _url_at("html_url"),
    "homepage": at("homepage"),
    "stars": count_at("stargazers_count"),
    "forks": count_at("forks_count"),
    "language": at("language"),
    "topics": _rest_topics,
    "pushed_at": moment_at("pushed_at"),
    "created_at": moment_at("created_at"),
    "archived": at("archived"),
    "fork": at("fork"),
    "license": at("license", "spdx_id"),
}
_SEARCH: Mapping[str, Read] = {
    "full_name": at("nameWithOwner"),
    "description": _text_at("description", DESCRIPTION_CHARS),
    "url": _url_at("url"),
    "homepage": at("homepageUrl"),
    "stars": count_at("stargazerCount"),
    "forks": count_at("forkCount"),
    "language": at("primaryLanguage", "name"),
    "topics": _topics,
    "pushed_at": moment_at("pushedAt"),
    "created_at": moment_at("createdAt"),
    "archived": at("isArchived"),
    "fork": at("isFork"),
    "parent_stars": count_at("parent", "stargazerCount"),
    "license": at("licenseInfo", "spdxId"),
}
_DETAILS: Mapping[str, Read] = {
    "readme": _readme,
    "tree": _tree,
    "releases": count_at("releases", "totalCount"),
    "latest_release_at": lambda node: moment_at("publishedAt")(_latest_release(node)),
    "latest_release_name": lambda node: _latest_release(node).get("tagName"),
    "open_issues": count_at("openIssues", "totalCount"),
    "closed_issues": count_at("closedIssues", "totalCount"),
    "merged_pull_requests": count_at("mergedPullRequests", "totalCount"),
    "recent_commits": count_at("defaultBranchRef", "target", "history", "totalCount"),
    "watchers": count_at("watchers", "totalCount"),
    "contributors": count_at("mentionableUsers", "totalCount"),
}
