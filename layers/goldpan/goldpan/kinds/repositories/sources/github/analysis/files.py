"""The paths and files of a repository as GitHub describes them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from goldpan.kinds.repositories.analysis.manifests.parse import MAX_MANIFEST
from goldpan.kinds.repositories.analysis.models import Manifest
from goldpan.kinds.repositories.sources.github.facts import Node, at, members, text_or_none
from goldpan.kinds.repositories.sources.github.mapping import entry_name

MAX_PATHS, MAX_PATH_CHARS = 4000, 200
WORKFLOWS = ".github/workflows/"
LEVELS = 2


def paths_of_graphql(node: Node) -> tuple[str, ...] | None:
    """Return the paths of the first two levels and of the workflows; None if there is no tree."""
    entries = at(node, "levels", "entries")
    return None if entries is None else _bounded(_graphql_paths(node, members(entries)))


def _graphql_paths(node: Node, entries: Iterable[Node]) -> Iterator[str]:
    for entry in entries:
        yield entry_name(entry)
        inner = at(entry, "object", "entries") if entry.get("type") == "tree" else None
        yield from (f"{entry.get('name')}/{entry_name(each)}" for each in members(inner))
    yield from (f"{WORKFLOWS}{entry_name(each)}" for each in members(at(node, "workflows", "entries")))


def paths_of_rest(rows: Iterable[Node]) -> tuple[str, ...]:
    """Return the same from a recursive tree."""
    found = ((str(row.get("path") or ""), row.get("type") == "tree") for row in rows)
    return _bounded(
        f"{path}/" if is_folder else path
        for path, is_folder in found
        if path.count("/") < LEVELS or path.startswith(WORKFLOWS)
    )


def _bounded(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the paths of a usual length, the first ones of very many."""
    usual = (path for path in dict.fromkeys(paths) if 0 < len(path) <= MAX_PATH_CHARS)
    return tuple(islice(usual, MAX_PATHS))


def make_manifest(path: str, text: str | None) -> Manifest:
    """Make a manifest; one that is cut, binary or too large has no text."""
    is_readable = text is not None and len(text.encode()) <= MAX_MANIFEST
    return Manifest(path=path, text=text if is_readable else None)


def text_of_graphql(blob: object) -> str | None:
    """Return the content of a file; None if it is none, or if GitHub sends a part of it only."""
    text = blob.get("text") if isinstance(blob, Mapping) and not blob.get("isTruncated") else None
    return text if isinstance(text, str) else None


def text_of_rest(content: object) -> str | None:
    """Decode the content of a file, which is base64; None if it is none, or too large for GitHub to send it."""
    encoded = text_or_none(content.get("content")) if isinstance(content, Mapping) else None
    try:
        return base64.b64decode(encoded).decode("utf-8", "replace") if encoded else None
    except (binascii.Error, ValueError):
        return None
