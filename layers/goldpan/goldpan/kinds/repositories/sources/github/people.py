"""Reads who made the last commits, and how soon issues and pull requests had a response by another person."""

import re
from collections.abc import Iterable

from goldpan.kinds.repositories.analysis.models import Commit, Thread, ThreadKind
from goldpan.kinds.repositories.sources.github.mapping import Node, at, members, moment_at, text_or_none

MAX_NAME_CHARS = 60
_BOT = re.compile(
    r"\[bot\]$|(?:^|[-_])(?:ro)?bot(?:[-_]|$)|^(?:dependabot|renovate|codecov|greenkeeper|web-flow|github-actions)\b",
    re.IGNORECASE,
)
"""Names of accounts that are programs; GitHub marks its apps alone as such."""


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
        is_program = is_bot(row.get("author")) or is_bot({"login": name})
        if when := moment_at(row, "commit", "committer", "date"):
            found.append(Commit(at=when, author=None if is_program else name))
    return tuple(found)


def read_thread(kind: ThreadKind, row: Node) -> Thread | None:
    """Make an issue or a pull request; None if a program opened it, or it has no time."""
    opened, author = moment_at(row, "createdAt"), row.get("author")
    if opened is None or is_bot(author):
        return None
    replies = [*members(at(row, "comments", "nodes")), *members(at(row, "reviews", "nodes"))]
    replied = [(reply.get("author"), moment_at(reply, "createdAt")) for reply in replies]
    replied.append((row.get("mergedBy"), moment_at(row, "mergedAt")))
    name = _short(at(author, "login"))
    answers = (
        when
        for replier, when in replied
        if when is not None and not is_bot(replier) and (name is None or _short(at(replier, "login")) != name)
    )
    return Thread(kind=kind, opened_at=opened, answered_at=min(answers, default=None))
