"""Commits, issues and pull requests as GitHub describes them, and who of those people is a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.models import Release
from goldpan.kinds.repositories.sources.github.facts import Node, at, members, moment_at

MAX_COMMITS, MAX_THREADS, MAX_RELEASES = 100, 30, 30
MAX_NAME_CHARS = 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""
Moment = Callable[[Node], object]


def is_bot(author: object) -> bool:
    """Whether an account is a program, by its type or its name; a deleted account is a person."""
    if not isinstance(author, dict):
        return False
    kind = author.get("__typename") or author.get("type")
    return kind == "Bot" or bool(_BOT.search(str(author.get("login") or author.get("name") or "")))


def login_of(author: object) -> str | None:
    """Return the name of an account; None for a deleted one."""
    name = author.get("login") if isinstance(author, dict) else None
    return name[:MAX_NAME_CHARS] if isinstance(name, str) and name else None


def commit_of_graphql(node: Node) -> Commit | None:
    """Read a commit; None if it has no time."""
    when, author = moment(node, "committedDate"), at("author")(node)
    if when is None:
        return None
    user = at("user")(author) if isinstance(author, dict) else None
    name = login_of(user) or _name(author)
    return Commit(at=when, author=name, is_bot=is_bot(user) or is_bot({"name": name or ""}))


def commit_of_rest(node: Node) -> Commit | None:
    """Read a commit; None if it has no time."""
    when = moment(node, "commit", "committer", "date")
    if when is None:
        return None
    user, name = node.get("author"), login_of(node.get("author")) or _name(at("commit", "author")(node))
    return Commit(at=when, author=name, is_bot=is_bot(user) or is_bot({"name": name or ""}))


def _name(author: object) -> str | None:
    name = author.get("name") if isinstance(author, dict) else None
    return name[:MAX_NAME_CHARS] if isinstance(name, str) and name.strip() else None


def thread_of_graphql(node: Node, kind: ThreadKind) -> Thread | None:
    """Read an issue or a pull request; None if a program opened it, or it has no time.

    The first comment, review or merge by another person is the response.
    """
    opened, author = moment(node, "createdAt"), node.get("author")
    if opened is None or is_bot(author):
        return None
    replies = [*members(at("comments", "nodes")(node)), *members(at("reviews", "nodes")(node))]
    times = [(reply.get("author"), moment(reply, "createdAt")) for reply in replies]
    times.append((node.get("mergedBy"), moment(node, "mergedAt")))
    return Thread(kind=kind, opened_at=opened, answered_at=first_response(author, times))


def first_response(author: object, replies: Iterable[tuple[object, datetime | None]]) -> datetime | None:
    """Return the time of the first reply by a person other than the author; None if there is none."""
    name = login_of(author)
    times = [
        when
        for replier, when in replies
        if when is not None and not is_bot(replier) and (name is None or login_of(replier) != name)
    ]
    return min(times, default=None)


def issues_of_rest(items: Sequence[Node], comments: Sequence[Node], page: int) -> tuple[Thread, ...]:
    """Read issues with their first responses from the newest issues and the newest comments of all issues.

    A full page of comments reaches back to its oldest one only: issues that were opened before are left out.
    """
    replies: dict[str, list[tuple[object, datetime | None]]] = {}
    for comment in comments:
        number = str(comment.get("issue_url") or "").rpartition("/")[2]
        replies.setdefault(number, []).append((comment.get("user"), moment(comment, "created_at")))
    times = [when for rows in replies.values() for _, when in rows if when is not None]
    since = min(times) if len(comments) >= page and times else None
    threads = []
    for item in items:
        opened, author = moment(item, "created_at"), item.get("user")
        if (
            opened is None
            or item.get("pull_request") is not None
            or is_bot(author)
            or (since is not None and opened < since)
        ):
            continue
        answered = first_response(author, replies.get(str(item.get("number")), ()))
        threads.append(Thread(kind="issue", opened_at=opened, answered_at=answered))
    return tuple(threads[:MAX_THREADS])


def release_of(node: Node, name: str, when: str) -> Release:
    """Read a release."""
    tag = node.get(name)
    return Release(name=tag[:MAX_NAME_CHARS] if isinstance(tag, str) else None, at=moment(node, when))


def moment(node: Node, *names: str) -> datetime | None:
    """Read a time; None if there is none. Raises `ValueError` or `TypeError`."""
    value = moment_at(*names)(node)
    return value if isinstance(value, datetime) else None
