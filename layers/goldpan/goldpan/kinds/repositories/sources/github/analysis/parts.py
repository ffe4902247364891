"""The facts of an analysis, from what GitHub's GraphQL API says, or from what REST says in the same form."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice

from goldpan.contracts import SourceStatus
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import InvalidRequest, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.analysis.manifests.parse import MAX_MANIFEST
from goldpan.kinds.repositories.analysis.models import Commit, Manifest, Thread, ThreadKind
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.results import Release
from goldpan.kinds.repositories.sources.github.facts import Facts, Node, at, members, moment_at, text_or_none
from goldpan.kinds.repositories.sources.github.mapping import entry_name

BLOCKED = "repo: GitHub blocks access to {} for legal reasons (451), so nothing of it can be read"
NOT_FOUND = (
    "repo: {} was not found on GitHub: it does not exist, was deleted, or is private and GITHUB_TOKEN may not read it"
)
MAX_PATHS, MAX_PATH_CHARS = 4000, 200
WORKFLOWS = ".github/workflows"
MAX_THREADS, MAX_RELEASES = 30, 30
MAX_NAME_CHARS = 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""
Reply = tuple[object, datetime | None]
"""An account, and when it replied."""


def not_found(full_name: str) -> InvalidRequest:
    """Say that a repository is not there for this caller."""
    return InvalidRequest(NOT_FOUND.format(full_name))


def status_row(part: str, detail: str = "") -> SourceStatus:
    """Make the row of a part that was read."""
    return StatusRows(KIND, part, "github").row("ok", detail)


def paths_of(node: Node) -> tuple[str, ...] | None:
    """Return the paths of the first two levels and of the workflows; None if there is no tree.

    Only those of a usual length, and the first ones of very many.
    """
    entries = at(node, "levels", "entries")
    if entries is None:
        return None
    usual = (path for path in dict.fromkeys(_paths(node, members(entries))) if 0 < len(path) <= MAX_PATH_CHARS)
    return tuple(islice(usual, MAX_PATHS))


def _paths(node: Node, entries: Iterable[Node]) -> Iterator[str]:
    for entry in entries:
        yield entry_name(entry)
        inner = at(entry, "object", "entries") if entry.get("type") == "tree" else None
        yield from (f"{entry.get('name')}/{entry_name(each)}" for each in members(inner))
    yield from (f"{WORKFLOWS}/{entry_name(each)}" for each in members(at(node, "workflows", "entries")))


def make_manifest(path: str, blob: object) -> Manifest:
    """Make a manifest; one that is cut, binary or too large has no text."""
    text = blob.get("text") if isinstance(blob, Mapping) and not blob.get("isTruncated") else None
    is_readable = isinstance(text, str) and len(text.encode()) <= MAX_MANIFEST
    return Manifest(path=path, text=text if is_readable else None)


def blob_of(response: HttpResponse) -> Node:
    """Decode the content of a file, which is base64; without a text if it is none, or too large to be sent."""
    encoded = text_or_none(object_of(response).get("content"))
    try:
        return {"text": base64.b64decode(encoded).decode("utf-8", "replace") if encoded else None}
    except (binascii.Error, ValueError):
        return {"text": None}


def object_of(response: HttpResponse) -> Node:
    """Return the object of a response. Raises `Unavailable` if it is none."""
    content = response.json()
    if not isinstance(content, dict):
        raise Unavailable("GitHub's response is not an object")
    return content


def is_bot(account: object) -> bool:
    """Whether an account is a program, by its type or its name; a deleted account is a person."""
    if not isinstance(account, dict):
        return False
    kind = account.get("__typename") or account.get("type")
    return kind == "Bot" or bool(_BOT.search(str(account.get("login") or "")))


def _short(name: object) -> str | None:
    text = text_or_none(name)
    return text[:MAX_NAME_CHARS] if text and text.strip() else None


def _login_of(account: object) -> str | None:
    """Return the name of an account; None for a deleted one."""
    return _short(account.get("login")) if isinstance(account, dict) else None


def commits_of(node: Node) -> tuple[Commit, ...] | None:
    """Read the last commits that have a time; None if there is no default branch."""
    nodes = at(node, "defaultBranchRef", "target", "last", "nodes")
    commits = (_commit(row) for row in members(nodes))
    return None if nodes is None else tuple(commit for commit in commits if commit is not None)


def _commit(row: Node) -> Commit | None:
    """Make a commit; the author is the account, else the name that Git has."""
    when, account = moment_at(row, "committedDate"), at(row, "author", "user")
    name = _login_of(account) or _short(at(row, "author", "name"))
    return Commit(at=when, author=name, is_bot=is_bot(account) or is_bot({"login": name})) if when else None


def threads_of(node: Node) -> tuple[Thread, ...] | None:
    """Read the last issues and pull requests; the first comment, review or merge by another person is the response."""
    if node.get("lastIssues") is None:
        return None
    issues = (_thread("issue", row, _replies(row)) for row in members(at(node, "lastIssues", "nodes")))
    pulls = (
        _thread("pull_request", row, [*_replies(row), (row.get("mergedBy"), moment_at(row, "mergedAt"))])
        for row in members(at(node, "lastPullRequests", "nodes"))
    )
    return tuple(thread for rows in (issues, pulls) for thread in [each for each in rows if each][:MAX_THREADS])


def _replies(row: Node) -> list[Reply]:
    replies = [*members(at(row, "comments", "nodes")), *members(at(row, "reviews", "nodes"))]
    return [(reply.get("author"), moment_at(reply, "createdAt")) for reply in replies]


def _thread(kind: ThreadKind, row: Node, replies: Iterable[Reply]) -> Thread | None:
    """Make an issue or a pull request; None if a program opened it, or it has no time."""
    opened, author = moment_at(row, "createdAt"), row.get("author")
    if opened is None or is_bot(author):
        return None
    name = _login_of(author)
    answers = (
        when
        for replier, when in replies
        if when is not None and not is_bot(replier) and (name is None or _login_of(replier) != name)
    )
    return Thread(kind=kind, opened_at=opened, answered_at=min(answers, default=None))


def releases_of(node: Node) -> tuple[Release, ...] | None:
    """Read the last releases."""
    nodes = at(node, "lastReleases", "nodes")
    releases = (Release(name=_short(row.get("tagName")), at=moment_at(row, "publishedAt")) for row in members(nodes))
    return None if nodes is None else tuple(releases)


def _has_guide(node: Node) -> bool | None:
    return node["contributingGuidelines"] is not None if "contributingGuidelines" in node else None


PARTS: Facts = {
    "parent": lambda node: at(node, "parent", "nameWithOwner") or at(node, "parent", "full_name"),
    "is_empty": "isEmpty",
    "has_security_policy": "isSecurityPolicyEnabled",
    "has_contribution_guide": _has_guide,
    "commits": commits_of,
    "threads": threads_of,
    "releases": releases_of,
    "paths": paths_of,
}
"""What an analysis reads of a repository in addition to the facts that a search has."""
