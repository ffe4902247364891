"""The Git objects of a repository: its last commit, its top level and the files there."""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.loopback.github_repository import Repository

TEXT_LIMIT = 512_000


def git_object(repository: Repository, expression: str | None) -> dict[str, Any] | None:
    """Resolve `HEAD`, `HEAD:` or `HEAD:NAME`, in which the case of the name matters."""
    revision, colon, path = (expression or "").partition(":")
    if revision not in ("HEAD", "main") or repository.pushed_at is None:
        return None
    if not colon:
        return _commit(repository)
    if not path:
        return {"__typename": "Tree", "oid": _oid(repository, ":"), "entries": _entries(repository)}
    entry = next((entry for entry in repository.tree if entry["name"] == path), None)
    if entry is None:
        return None
    if entry["type"] == "tree":
        return {"__typename": "Tree", "oid": _oid(repository, path), "entries": []}
    text = repository.readme if path == repository.readme_name else entry.get("text")
    return _blob(repository, path, text or "")


def _commit(repository: Repository) -> dict[str, Any]:
    def history(_info: object, since: str | None = None, **_: object) -> dict[str, int]:
        # Only the number of recent commits is stored, and none of them is younger than the last push.
        seen = since is None or (repository.pushed_at or "") >= since
        return {"totalCount": repository.recent_commits if seen else 0}

    return {"__typename": "Commit", "oid": _oid(repository, "HEAD"), "history": history}


def _entries(repository: Repository) -> list[dict[str, str]]:
    return [{"name": entry["name"], "path": entry["name"], "type": entry["type"]} for entry in repository.tree]


def _blob(repository: Repository, path: str, text: str) -> dict[str, Any]:
    raw = text.encode()
    binary = "\x00" in text
    return {
        "__typename": "Blob",
        "oid": _oid(repository, path),
        "byteSize": len(raw),
        "isBinary": binary,
        "isTruncated": len(raw) > TEXT_LIMIT,
        "text": None if binary else raw[:TEXT_LIMIT].decode(errors="ignore"),
    }


def _oid(repository: Repository, path: str) -> str:
    return sha1(f"{repository.full_name}:{path}".encode(), usedforsecurity=False).hexdigest()
