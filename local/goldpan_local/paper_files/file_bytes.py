"""Reads a file of papers as a whole, within bounds, and names the file that cannot be read."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from goldpan.errors import InvalidRequest

from goldpan_local.files import named_in_errors

BIBTEX_SUFFIXES = (".bib", ".bibtex")
MAX_FILE_BYTES = 512 * 1024 * 1024
"""Of an index or a bibliography when it is unpacked; 100,000 papers with abstracts have about 150 MB."""


def read_bytes(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read a file, unpacked if its name ends in `.gz`. Raises `InvalidRequest` if it is too large or damaged."""
    with (
        named_in_errors(path, InvalidRequest),
        gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file,
    ):
        content = file.read(max_bytes + 1)
    return _within(content, max_bytes, str(path))


def read_stdin(max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read stdin to its end. Raises `InvalidRequest` if it is too large or closed."""
    if sys.stdin is None:  # it was closed before the command began
        raise InvalidRequest("stdin: is closed")
    with named_in_errors("stdin", InvalidRequest):
        content = sys.stdin.buffer.read(max_bytes + 1)
    return _within(content, max_bytes, "stdin")


def _within(content: bytes, max_bytes: int, name: str) -> bytes:
    if len(content) > max_bytes:
        message = f"{name}: larger than {max_bytes // 1024**2:,} MiB"
        raise InvalidRequest(message)
    return content
