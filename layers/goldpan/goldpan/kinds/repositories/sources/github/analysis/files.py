"""The paths and files of a repository as GitHub describes them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping, Sequence

from goldpan.kinds.repositories.analysis.manifests.parse import MAX_MANIFEST
from goldpan.kinds.repositories.analysis.models import Manifest
from goldpan.kinds.repositories.sources.github.facts import Node, at, members

MAX_PATHS, MAX_PATH_CHARS = 4000, 200
WORKFLOWS = ".github/workflows/"
LEVELS = 2


def paths_of_graphql(node: Node) -> tuple[str, ...] | None:
    """Return the paths of the first two levels and of the workflows; None if there is no tree."""
    entries = at("levels", "entries")(node)
    if entries is None:
        return None
    return tuple(_bounded(_graphql_paths(members(entries), members(at("workflows", "entries")(node)))))


def _graphql_paths(entries: Sequence[Node], workflows: Sequence[Node]) -> Iterator[str]:
    for entry in entries:
        yield _path(entry)
        inner = at("object", "entries")(entry) if entry.get("type") == "tree" else None
        yield from (f"{entry.get('name')}/{_path(each)}" for each in members(inner))
    yield from (f"{WORKFLOWS}{_path(each)}" for each in workflows)


def _path(entry: Node) -> str:
    name = str(entry.get("name") or "")
    return f"{name}/" if entry.get("type") == "tree" else name


def paths_of_rest(rows: Iterable[Node]) -> tuple[str, ...]:
    """Return the same from a recursive tree."""
    return tuple(_bounded(_rest_paths(rows)))


def _rest_paths(rows: Iterable[Node]) -> Iterator[str]:
    for row in rows:
        path = str(row.get("path") or "")
        if path.count("/") < LEVELS or path.startswith(WORKFLOWS):
            yield f"{path}/" if row.get("type") == "tree" else path


def _bounded(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths of a usual length, the first ones of very many."""
    kept = 0
    for path in dict.fromkeys(paths):
        if not path or len(path) > MAX_PATH_CHARS:
            continue
        kept += 1
        if kept > MAX_PATHS:
            return
        yield path


def manifest_of_graphql(path: str, blob: object) -> Manifest:
    """Read a manifest; one that is cut, binary or too large has no text."""
    text = blob.get("text") if isinstance(blob, Mapping) and not blob.get("isTruncated") else None
    return _manifest(path, text)


def text_of_rest(content: object) -> str | None:
    """Decode the content of a file, which is base64; None if it is none, or too large for GitHub to send it."""
    encoded = content.get("content") if isinstance(content, Mapping) else None
    if not isinstance(encoded, str) or not encoded:
        return None
    try:
        return base64.b64decode(encoded).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None


def manifest_of_rest(path: str, content: object) -> Manifest:
    """Read a manifest; one without a text is too large or none."""
    return _manifest(path, text_of_rest(content))


def _manifest(path: str, text: object) -> Manifest:
    is_readable = isinstance(text, str) and len(text.encode()) <= MAX_MANIFEST
    return Manifest(path=path, text=text if is_readable and isinstance(text, str) else None)
