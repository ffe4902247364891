"""The word table: the default encoder, whose vector of a text is a sum of rows, one for each different word.

The rows were fitted by ridge regression to the vectors of a sentence encoder (see `word_table.md` beside the file).
Pure Python adds them as long integers whose 32-bit lanes are the components, all lanes at once; nothing is rounded
before the sum is complete, so that every machine gets the same vector.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import NamedTuple, Self

from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import Comparison, Vector, quantised
from goldpan.text import STOP_WORDS, terms, words

FORMAT = 1
MAGIC = b"goldpan word table\n"
SHIPPED = Path(__file__).with_name("word_table.bin")
MAX_WORDS = 400
"""Words of a text that are read."""
LANE = 4
"""Bytes of a lane: 66,000 rows fit, each scaled by at most 255 and with components of at most 255."""
OFFSET = 128
"""Added to each stored component, so that a lane is never negative."""


class Header(NamedTuple):
    """The first line of a table after the magic one, as JSON."""

    format: int
    name: str
    dimensions: int
    rows: int
    sha256: str
    """Of all bytes after the header's line."""


class WordTable:
    """An encoder that reads a table of rows; safe to share between threads."""

    def __init__(self, content: bytes) -> None:
        self.header, start = _header(content)
        self.name, self.dimensions = self.header.name, self.header.dimensions
        self._body = memoryview(content)[start:]
        rows = self.header.rows
        vocabulary_end = len(self._body) - rows * (self.dimensions + 1)
        vocabulary = bytes(self._body[:vocabulary_end]).decode().split("\n")
        self._rows = {word: row for row, word in enumerate(vocabulary)}
        self._scales = self._body[vocabulary_end : vocabulary_end + rows]
        self._components = self._body[vocabulary_end + rows :]
        if len(self._rows) != rows:
            raise Misconfigured(f"the word table should have {rows} rows and names {len(self._rows)}")

    @classmethod
    def open(cls, path: Path = SHIPPED) -> Self:
        """Read a table; raises `Misconfigured` if the file is missing or has another format."""
        if not path.is_file():
            raise Misconfigured(f"no word table at {path}")
        return cls(path.read_bytes())

    def is_intact(self) -> bool:
        """Report whether the table's bytes have the checksum of its header."""
        return hashlib.sha256(self._body).hexdigest() == self.header.sha256

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order."""
        return [quantised(self._sum(self.found(text))) for text in texts]

    def compare(self, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        from goldpan.infra.encoder.matches import TableComparison  # noqa: PLC0415 - it imports this module

        return TableComparison(self, question)

    def shares(self, question: str) -> dict[str, float]:
        """Return what each known word of the question adds to its own vector; the shares sum to 1."""
        found = self.found(question)
        whole = self._sum(found)
        length = _squared_length(whole)
        return {word: sum(map(mul, self._sum([row]), whole)) / length for row, word in found.items()} if length else {}

    def found(self, text: str) -> dict[int, str]:
        """Return the rows of a text's words, each once, with the word as it was typed."""
        keyed = [(self._rows.get(term), word) for word in reversed(_significant(text)) for term in terms(word)]
        return {row: word for row, word in keyed if row is not None}

    def stored(self, row: int) -> memoryview:
        """Return the components of a row before scaling, each plus `OFFSET`."""
        return self._components[row * self.dimensions : (row + 1) * self.dimensions]

    def scale(self, row: int) -> int:
        """Return what the components of a row are multiplied by, 1 to 255."""
        return self._scales[row]

    def _sum(self, rows: Iterable[int]) -> list[int]:
        """Add rows, each times its scale."""
        size, total, scales = self.dimensions, 0, 0
        lanes = bytearray(size * LANE)
        for row in rows:
            lanes[::LANE] = self.stored(row)
            scale = self._scales[row]
            total += int.from_bytes(lanes, "little") * scale
            scales += scale
        shift = scales * OFFSET
        return [lane - shift for lane in struct.unpack(f"<{size}I", total.to_bytes(size * LANE, "little"))]


def table_terms(text: str) -> list[str]:
    """Return the terms of a text that a table may have rows for."""
    return [term for word in _significant(text) for term in terms(word)]


def _significant(text: str) -> list[str]:
    return [word for word in words(text)[:MAX_WORDS] if word not in STOP_WORDS]


def _squared_length(components: Sequence[int]) -> int:
    return sum(map(mul, components, components))


def table_bytes(name: str, vocabulary: Sequence[str], scales: bytes, components: bytes) -> bytes:
    """Write a table.

    `components` are the rows one after the other, each component a signed 8-bit integer plus 128; a row's vector is its
    components times its scale, 1 to 255.
    """
    body = "\n".join(vocabulary).encode() + scales + components
    dimensions = len(components) // len(vocabulary)
    header = Header(FORMAT, name, dimensions, len(vocabulary), hashlib.sha256(body).hexdigest())
    return MAGIC + json.dumps(header._asdict()).encode() + b"\n" + body


def _header(content: bytes) -> tuple[Header, int]:
    """Return the header of a table and where its body begins."""
    end = content.find(b"\n", len(MAGIC))
    if not content.startswith(MAGIC) or end < 0:
        raise Misconfigured("the file is not a word table")
    header = Header(**json.loads(content[len(MAGIC) : end]))
    if header.format != FORMAT:
        raise Misconfigured(f"the word table has format {header.format}, this version reads {FORMAT}")
    return header, end + 1


@cache
def shipped_table() -> WordTable:
    """Return the word table of the package; the first call reads it, about 10 ms."""
    return WordTable.open()
