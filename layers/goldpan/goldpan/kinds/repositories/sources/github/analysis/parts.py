"""The facts of an analysis, from what GitHub's GraphQL API says, or from what REST says in the same form."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from goldpan.contracts import SourceStatus
from goldpan.engine.status_rows import StatusRows
from goldpan.errors import InvalidRequest, Unavailable
from goldpan.infra.http import HttpResponse
from goldpan.kinds.repositories.analysis.manifests.parse import MAX_MANIFEST
from goldpan.kinds.repositories.analysis.models import Manifest
from goldpan.kinds.repositories.models import KIND
from goldpan.kinds.repositories.sources.github.analysis.people import commits_of, releases_of, threads_of
from goldpan.kinds.repositories.sources.github.facts import Facts, Node, at, members, text_or_none
from goldpan.kinds.repositories.sources.github.mapping import entry_name

BLOCKED = "repo: GitHub blocks access to {} for legal reasons (451), so nothing of it can be read"
NOT_FOUND = (
    "repo: {} was not found on GitHub: it does not exist, was deleted, or is private and GITHUB_TOKEN may not read it"
)
MAX_PATHS, MAX_PATH_CHARS = 4000, 200
WORKFLOWS = ".github/workflows"


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
