"""Reads who made the last commits, and how soon issues and pull requests had a response by another person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.sources.github.facts import Node, at, members, moment_at, text_or_none

MAX_THREADS, MAX_NAME_CHARS = 30, 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""
Reply = tuple[object, datetime | None]
"""An account, and when it replied."""


def is_bot(account: object) -> bool:
    """Whether an account is a program, by its type or its name; a deleted account is a person."""
    kind = at(account, "__typename") or at(account, "type")
    return kind == "Bot" or bool(_BOT.search(str(at(account, "login") or "")))


def _short(name: object) -> str | None:
    text = text_or_none(name)
    return text[:MAX_NAME_CHARS] if text and text.strip() else None


def commits_of(rows: Iterable[Node]) -> tuple[Commit, ...]:
    """Read the commits that have a time; the author is the account, else the name that Git has."""
    found = []
    for row in rows:
        name = _short(at(row, "author", "login")) or _short(at(row, "commit", "author", "name"))
        if when := moment_at(row, "commit", "committer", "date"):
            found.append(Commit(at=when, author=name, is_bot=is_bot(row.get("author")) or is_bot({"login": name})))
    return tuple(found)


def graphql_threads(node: Node) -> tuple[Thread, ...]:
    """Read the last issues and pull requests; the first comment, review or merge by another person is the response."""
    rows: list[tuple[ThreadKind, Node]] = []
    rows += [("issue", row) for row in members(at(node, "lastIssues", "nodes"))]
    rows += [("pull_request", row) for row in members(at(node, "lastPullRequests", "nodes"))]
    threads = []
    for kind, row in rows:
        replies = [*members(at(row, "comments", "nodes")), *members(at(row, "reviews", "nodes"))]
        replied = [(reply.get("author"), moment_at(reply, "createdAt")) for reply in replies]
        merged = (row.get("mergedBy"), moment_at(row, "mergedAt"))
        threads.append(_thread(kind, row.get("author"), moment_at(row, "createdAt"), [*replied, merged]))
    return tuple(thread for thread in threads if thread)


def rest_threads(issues: Sequence[Node], comments: Sequence[Node], *, is_complete: bool) -> tuple[Thread, ...]:
    """Read the newest issues, and their responses from the newest comments of all issues.

    Incomplete comments reach back to the oldest one only: issues that were opened before are left out.
    """
    replies: dict[str, list[Reply]] = {}
    for comment in comments:
        number = str(comment.get("issue_url") or "").rpartition("/")[2]
        replies.setdefault(number, []).append((comment.get("user"), moment_at(comment, "created_at")))
    times = [when for written in replies.values() for _, when in written if when]
    since = None if is_complete else min(times, default=None)
    threads = []
    for row in issues:
        opened = moment_at(row, "created_at")
        if row.get("pull_request") is None and opened and (since is None or opened >= since):
            threads.append(_thread("issue", row.get("user"), opened, replies.get(str(row.get("number")), ())))
    return tuple([thread for thread in threads if thread][:MAX_THREADS])


def _thread(kind: ThreadKind, author: object, opened: datetime | None, replies: Iterable[Reply]) -> Thread | None:
    """Make an issue or a pull request; None if a program opened it, or it has no time."""
    if opened is None or is_bot(author):
        return None
    name = _short(at(author, "login"))
    answers = (
        when
        for replier, when in replies
        if when is not None and not is_bot(replier) and (name is None or _short(at(replier, "login")) != name)
    )
    return Thread(kind=kind, opened_at=opened, answered_at=min(answers, default=None))
