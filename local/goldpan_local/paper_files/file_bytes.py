"""Reads a file of papers as a whole, within bounds, as bytes or as text, and gives its digest."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import sys
from pathlib import Path

from goldpan.errors import InvalidRequest

from goldpan_local.files import named_in_errors

BIBTEX_SUFFIXES = (".bib", ".bibtex")
MAX_FILE_BYTES = 512 * 1024 * 1024
"""Of an index or a bibliography when it is unpacked; 100,000 papers with abstracts have about 150 MB."""
FORMAT_VERSION = 1
"""Part of every digest; a higher one, after a change of the readers, makes the next import read all files again."""
MAX_NOTE_BYTES = 8 * 1024 * 1024
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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


def digest_of(path: Path) -> str:
    """Return a digest of the content of a file. Raises `InvalidRequest` if it cannot be read."""
    with named_in_errors(path, InvalidRequest), path.open("rb") as file:
        return f"{FORMAT_VERSION}:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def read_text(path: Path, max_bytes: int = MAX_FILE_BYTES) -> tuple[str, bool]:
    """Read a file as text, and whether it is Unicode; other text is taken for Latin-1. Raises `InvalidRequest`."""
    content = read_bytes(path, max_bytes)
    if content.startswith(_UTF16):
        try:
            return content.decode("utf-16"), True
        except UnicodeDecodeError as error:
            message = f"{path}: not UTF-16 text: {error.reason} at byte {error.start}"
            raise InvalidRequest(message) from error
    if b"\0" in content:
        message = f"{path}: not a text file"
        raise InvalidRequest(message)
    return decode(content)


def decode(content: bytes) -> tuple[str, bool]:
    """Return the text, without a byte order mark, and whether it was UTF-8.

    Other text is taken for Windows-1252, the Latin-1 of browsers (WHATWG, Encoding), and its five undefined bytes for
    Latin-1 itself.
    """
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding), encoding == "utf-8-sig"
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), False
