"""The word table: the default encoder, whose vector of a text is a sum of rows, one for each different word or pair.

A pair is two neighbouring words whose meaning is not the sum of both ("message queue"); function words between them do
not count.

The rows were fitted by ridge regression to the vectors of a sentence encoder (the card of goldpan-data has its origin).
Pure Python adds them as long integers whose 32-bit lanes are the components, all lanes at once; nothing is rounded
before the sum is complete, so that every machine gets the same vector.

Documents are compared with a question by their vectors; the closest words of both are the reasons, after the idea of
the late interaction of ColBERT (Khattab and Zaharia, 2020).
"""

import hashlib
import json
import math
import struct
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise

import goldpan_data

from goldpan.infra.encoder.port import Comparison, Vector, WordPair, cosine_distances, matrix, quantised
from goldpan.text import STOP_WORDS, word_terms, words

FORMAT = 1
MAGIC = b"goldpan word table\n"
MAX_WORDS = 400
"""Words of a text that are read."""
LANE = 4
"""Bytes of a lane: 66,000 rows fit, each scaled by at most 255 and with components of at most 255."""
KEPT_VECTORS = 1024
OFFSET = 128
"""Added to each stored component, so that a lane is never negative."""
SIGNED = bytes((value - OFFSET) & 0xFF for value in range(256))
"""Translates stored components to signed bytes."""


def table_bytes(name: str, vocabulary: Sequence[str], scales: bytes, components: bytes) -> bytes:
    """Write a table: a line with what it is, a line of JSON with its sizes and its checksum, and its body.

    `components` are the rows one after the other, each component a signed 8-bit integer plus 128; a row's vector is its
    components times its scale, 1 to 255.
    """
    body = "\n".join(vocabulary).encode() + scales + components
    dimensions = len(components) // len(vocabulary)
    sizes = {"format": FORMAT, "name": name, "dimensions": dimensions, "rows": len(vocabulary)}
    return MAGIC + json.dumps(sizes | {"sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n" + body


class WordTable:
    """An encoder that reads a table of rows; safe to share between threads."""

    sums_words = True

    def __init__(self, content: bytes) -> None:
        end = content.index(b"\n", len(MAGIC))
        header, body = json.loads(content[len(MAGIC) : end]), memoryview(content)[end + 1 :]
        self.name, self.dimensions, rows = header["name"], header["dimensions"], header["rows"]
        vocabulary_end = len(body) - rows * (self.dimensions + 1)
        vocabulary = bytes(body[:vocabulary_end]).decode().split("\n")
        self._rows = {word: row for row, word in enumerate(vocabulary)}
        self._scales = body[vocabulary_end : vocabulary_end + rows]
        self._components = body[vocabulary_end + rows :]
        self._encoded = lru_cache(maxsize=KEPT_VECTORS)(self._encode)  # each stage compares the same repositories
        self._lanes = lru_cache(maxsize=KEPT_VECTORS)(self._in_lanes)  # their texts have many words in common

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order."""
        return list(map(self._encoded, texts))

    def _encode(self, text: str) -> Vector:
        rows = [row for term in {*table_terms(text)} if (row := self._rows.get(term)) is not None]
        size, total, shift = self.dimensions, sum(map(self._lanes, rows)), OFFSET * sum(map(self.scale, rows))
        lanes = struct.unpack(f"<{size}I", total.to_bytes(size * LANE, "little"))
        return quantised([lane - shift for lane in lanes])

    def compare(self, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        return TableComparison(self, question)

    def found(self, text: str) -> dict[int, str]:
        """Return the rows of a text's words, each once, with the word as it was typed."""
        typed = reversed(significant_words(text))
        keyed = ((self._rows.get(term), word) for word in typed for term in word_terms(word))
        return {row: word for row, word in keyed if row is not None}

    def components(self, rows: Iterable[int]) -> bytes:
        """Return the components of rows before scaling, as signed bytes, one row after the other."""
        return b"".join(map(self._stored, rows)).translate(SIGNED)

    def _stored(self, row: int) -> memoryview:
        """Return the components of a row, each plus `OFFSET`."""
        return self._components[row * self.dimensions : (row + 1) * self.dimensions]

    def scale(self, row: int) -> int:
        """Return what the components of a row are multiplied by, 1 to 255."""
        return self._scales[row]

    def length(self, row: int) -> float:
        """Return the length of a scaled row: the fit gives long rows to significant words."""
        return math.hypot(*memoryview(self.components([row])).cast("b")) * self.scale(row)

    def significance(self, words: Iterable[str]) -> list[float]:
        """Return how much each word decides what a text means, 0 if the table does not have it."""
        return [max(map(self.length, self.found(word)), default=0.0) for word in words]

    def _in_lanes(self, row: int) -> int:
        """Return the components of a row, each plus `OFFSET`, times its scale, as the lanes of a long integer."""
        lanes = bytearray(self.dimensions * LANE)
        lanes[::LANE] = self._stored(row)
        return int.from_bytes(lanes, "little") * self._scales[row]


def table_terms(text: str) -> list[str]:
    """Return the terms of a text that a table may have rows for: of its words, and of its pairs with a space."""
    single = [term for word in significant_words(text) for term in word_terms(word)]
    return [*single, *map(" ".join, pairwise(single))]


def significant_words(text: str) -> list[str]:
    """Return the first words of a text without function words."""
    return [word for word in words(text)[:MAX_WORDS] if word not in STOP_WORDS]


class TableComparison(Comparison):
    """Compares documents with one question: their vectors for the closeness, their closest words for the reasons."""

    def __init__(self, table: WordTable, question: str) -> None:
        super().__init__(table, question)
        self._table = table
        self._found = table.found(question)

    def pairs(self, document: str) -> list[WordPair]:
        """List the closest word of the document for each known word of the question, the largest share first.

        The shares sum to -1 to 1: the mean of the words' cosine similarities, weighted by the words' significance.
        Empty if the question or the document has no known word.
        """
        found = self._table.found(document)
        if not found or not self._found:
            return []
        distances = cosine_distances(self._rows, matrix(self._table.components(found), self._table.dimensions))
        words, pairs = list(found.values()), list[WordPair]()
        for asked, weight, row in zip(self._found.values(), self._weights, distances, strict=True):
            at = min(range(len(words)), key=row.__getitem__)
            pairs.append(WordPair(asked, words[at], weight * (1 - row[at])))
        return sorted(pairs, key=lambda pair: -pair.share)

    @cached_property
    def _rows(self) -> memoryview:
        return matrix(self._table.components(self._found), self._table.dimensions)

    @cached_property
    def _weights(self) -> list[float]:
        """The length of each word's scaled row, in parts of their sum."""
        lengths = list(map(self._table.length, self._found))
        total = sum(lengths) or 1.0
        return [length / total for length in lengths]


@cache
def shipped_table() -> WordTable:
    """Return the word table of goldpan-data; the first call reads it, about 10 ms."""
    return WordTable(goldpan_data.file("word_table.bin").read_bytes())
