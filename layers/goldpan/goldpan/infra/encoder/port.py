"""The port of the encoder: texts of similar meaning get vectors of high cosine similarity.

Vectors are compared by simsimd, each with each: 100,000 of 384 components in some milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import NamedTuple, Protocol, cast

import simsimd

Vector = bytes
"""Components as signed 8-bit integers, the largest scaled to 127; all zero if the text has no known word."""
LARGEST = 127


class WordPair(NamedTuple):
    """A word of a question, a word of a document, and what the two add to the cosine similarity."""

    question: str
    document: str
    share: float


class Encoder(Protocol):
    """Turns texts into vectors; an implementation whose vectors are no sums over words inherits the other methods."""

    name: str
    """Identifies the encoder and its version; vectors of different names must not be compared."""
    dimensions: int
    """The number of components of a vector."""
    sums_words: bool = False
    """Whether its vectors are sums over words, whose closeness tells less than that of whole sentences."""

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, in the same order. Raises `CallFailed` if the encoder is a service."""

    def compare(self, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        return Comparison(self, question)


class Comparison:
    """Compares documents with one question, by their vectors alone."""

    def __init__(self, encoder: Encoder, question: str) -> None:
        self._encoder = encoder
        (self._vector,) = encoder.encode([question])

    def closeness(self, documents: Sequence[str]) -> list[float]:
        """Return how close in meaning each document is, 0 to 1. Raises `CallFailed` if the encoder is a service."""
        if not documents:
            return []
        size, vectors = len(self._vector), b"".join(self._encoder.encode(documents))
        (distances,) = cosine_distances(matrix(self._vector, size), matrix(vectors, size))
        return [min(1.0, max(0.0, 1 - distance)) for distance in distances]

    def pairs(self, document: str) -> list[WordPair]:
        """Return nothing: the similarity is no sum over words, of which a pair would tell a share."""
        del document
        return []


class StoredVectors:
    """The vectors of all documents of a store, in memory, one after the other; safe to share between threads."""

    def __init__(self, content: bytes, dimensions: int) -> None:
        self.dimensions = dimensions
        self._rows = matrix(content, dimensions)

    def nearest(self, question: bytes, limit: int, among: Sequence[int] | None = None) -> dict[int, float]:
        """Return the positions most similar to the question, with their cosine similarities, best first, if above 0.

        Equal ones are in stored order. `among` has the positions to compare, in ascending order.
        """
        if not len(self._rows) or not any(question):
            return {}
        (distances,) = cosine_distances(matrix(question, self.dimensions), self._rows)
        best = sorted(range(len(self._rows)) if among is None else among, key=distances.__getitem__)[:limit]
        return {position: min(1.0, 1 - distances[position]) for position in best if distances[position] < 1}


def quantised(components: Sequence[float]) -> Vector:
    """Scale components so that the largest is 127 or -127, and round them; all zero stays all zero."""
    largest = max(map(abs, components), default=0)
    if not largest:
        return bytes(len(components))
    half = largest / 2
    return bytes([floor((component * LARGEST + half) / largest) & 0xFF for component in components])


def matrix(content: bytes, dimensions: int) -> memoryview:
    """View vectors that lie one after the other as rows of signed bytes."""
    rows = len(content) // dimensions
    return memoryview(content).cast("b", (rows, dimensions)) if rows else memoryview(content).cast("b")


def cosine_distances(rows: memoryview, columns: memoryview) -> list[list[float]]:
    """Return 1 - cosine similarity for each row and each column, exact to seven digits; 1 where one is all zero."""
    tensor = cast("simsimd.DistancesTensor", simsimd.cdist(rows, columns, metric="cosine", dtype="int8"))
    return cast("list[list[float]]", memoryview(tensor).tolist())
