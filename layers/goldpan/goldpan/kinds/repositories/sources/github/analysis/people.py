"""Commits, issues and pull requests as GitHub describes them, and who of those people is a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.results import Release
from goldpan.kinds.repositories.sources.github.facts import Node, at, members, moment_at, text_or_none

MAX_COMMITS, MAX_THREADS, MAX_RELEASES = 100, 30, 30
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


def login_of(account: object) -> str | None:
    """Return the name of an account; None for a deleted one."""
    name = text_or_none(account.get("login")) if isinstance(account, dict) else None
    return name and name[:MAX_NAME_CHARS]


def commits_of_graphql(node: Node) -> tuple[Commit, ...] | None:
    """Read the last commits; None if there is no default branch."""
    nodes = at(node, "defaultBranchRef", "target", "last", "nodes")
    rows = ((moment_at(row, "committedDate"), at(row, "author", "user"), row.get("author")) for row in members(nodes))
    return None if nodes is None else _commits(rows)


def commits_of_rest(rows: Iterable[Node]) -> tuple[Commit, ...]:
    """Read the last commits."""
    return _commits(
        (moment_at(row, "commit", "committer", "date"), row.get("author"), at(row, "commit", "author")) for row in rows
    )


def _commits(rows: Iterable[tuple[datetime | None, object, object]]) -> tuple[Commit, ...]:
    """Make the commits that have a time; the author is the account, else the name that Git has."""
    named = ((when, account, login_of(account) or _git_name(author)) for when, account, author in rows)
    return tuple(
        Commit(at=when, author=name, is_bot=is_bot(account) or is_bot({"login": name}))
        for when, account, name in named
        if when is not None
    )


def _git_name(author: object) -> str | None:
    name = text_or_none(at(author, "name"))
    return name[:MAX_NAME_CHARS] if name and name.strip() else None


def threads_of_graphql(node: Node) -> tuple[Thread, ...]:
    """Read the last issues and pull requests; the first comment, review or merge by another person is the response."""
    threads = [_thread("issue", row, _replies(row)) for row in members(at(node, "lastIssues", "nodes"))]
    threads += [
        _thread("pull_request", row, [*_replies(row), (row.get("mergedBy"), moment_at(row, "mergedAt"))])
        for row in members(at(node, "lastPullRequests", "nodes"))
    ]
    return tuple(thread for thread in threads if thread is not None)


def _replies(row: Node) -> list[Reply]:
    replies = [*members(at(row, "comments", "nodes")), *members(at(row, "reviews", "nodes"))]
    return [(reply.get("author"), moment_at(reply, "createdAt")) for reply in replies]


def _thread(kind: ThreadKind, row: Node, replies: Iterable[Reply]) -> Thread | None:
    """Make an issue or a pull request; None if a program opened it, or it has no time."""
    opened, author = moment_at(row, "createdAt") or moment_at(row, "created_at"), row.get("author") or row.get("user")
    if opened is None or is_bot(author):
        return None
    name = login_of(author)
    answers = (
        when
        for replier, when in replies
        if when is not None and not is_bot(replier) and (name is None or login_of(replier) != name)
    )
    return Thread(kind=kind, opened_at=opened, answered_at=min(answers, default=None))


def issues_of_rest(items: Sequence[Node], comments: Sequence[Node], page: int) -> tuple[Thread, ...]:
    """Read issues with their first responses from the newest issues and the newest comments of all issues.

    A full page of comments reaches back to its oldest one only: issues that were opened before are left out.
    """
    replies: dict[str, list[Reply]] = {}
    for comment in comments:
        number = str(comment.get("issue_url") or "").rpartition("/")[2]
        replies.setdefault(number, []).append((comment.get("user"), moment_at(comment, "created_at")))
    times = [when for rows in replies.values() for _, when in rows if when is not None]
    since = min(times) if len(comments) >= page and times else None
    issues = (
        _thread("issue", item, replies.get(str(item.get("number")), ()))
        for item in items
        if item.get("pull_request") is None
    )
    kept = [issue for issue in issues if issue is not None and (since is None or issue.opened_at >= since)]
    return tuple(kept[:MAX_THREADS])


def releases_of(rows: Iterable[Node]) -> tuple[Release, ...]:
    """Read releases."""
    return tuple(
        Release(
            name=(name := text_or_none(row.get("tagName") or row.get("tag_name"))) and name[:MAX_NAME_CHARS],
            at=moment_at(row, "publishedAt") or moment_at(row, "published_at"),
        )
        for row in rows
    )
