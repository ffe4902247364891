"""Commits, issues and pull requests as GitHub describes them, and who of those people is a program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.results import Release
from goldpan.kinds.repositories.sources.github.facts import Node, at, members, moment_at, text_or_none

MAX_THREADS, MAX_RELEASES = 30, 30
MAX_NAME_CHARS = 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""
Reply = tuple[object, datetime | None]
"""An account, and when it replied."""


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
