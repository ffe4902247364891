"""The file of a word table: a magic line, a header as JSON, the words, the scales of their rows, and the rows."""

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from goldpan.errors import Misconfigured

FORMAT = 1
MAGIC = b"goldpan word table\n"


class Header(NamedTuple):
    """The first line of a table after the magic one, as JSON."""

    format: int
    name: str
    dimensions: int
    rows: int
    sha256: str
    """Of all bytes after the header's line."""


def table_bytes(name: str, vocabulary: Sequence[str], scales: bytes, components: bytes) -> bytes:
    """Write a table.

    `components` are the rows one after the other, each component a signed 8-bit integer plus 128; a row's vector is its
    components times its scale, 1 to 255.
    """
    body = "\n".join(vocabulary).encode() + scales + components
    dimensions = len(components) // len(vocabulary)
    header = Header(FORMAT, name, dimensions, len(vocabulary), hashlib.sha256(body).hexdigest())
    return MAGIC + json.dumps(header._asdict()).encode() + b"\n" + body


def read_header(content: bytes) -> tuple[Header, int]:
    """Return the header of a table and where its body begins."""
    end = content.find(b"\n", len(MAGIC))
    if not content.startswith(MAGIC) or end < 0:
        raise Misconfigured("the file is not a word table")
    header = Header(**json.loads(content[len(MAGIC) : end]))
    if header.format != FORMAT:
        raise Misconfigured(f"the word table has format {header.format}, this version reads {FORMAT}")
    return header, end + 1
