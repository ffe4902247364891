"""The digest of a file, and its text, which may not be UTF-8."""

from __future__ import annotations

import codecs
import hashlib
from pathlib import Path

from goldpan.errors import InvalidRequest

from goldpan_local.files import named_in_errors
from goldpan_local.paper_files.file_bytes import MAX_FILE_BYTES, read_bytes

FORMAT_VERSION = 1
"""Part of every digest; a higher one, after a change of the readers, makes the next import read all files again."""
MAX_NOTE_BYTES = 8 * 1024 * 1024
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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
