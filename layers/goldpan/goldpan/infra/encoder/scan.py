"""A scan of stored vectors by simsimd: every vector is compared, 100,000 of 384 components in some milliseconds."""

from collections.abc import Sequence
from heapq import nsmallest
from typing import NamedTuple, cast

import simsimd


class Hit(NamedTuple):
    """The position of a stored vector and its cosine similarity to the question's."""

    position: int
    similarity: float


class StoredVectors:
    """The vectors of all documents of a store, in memory, one after the other; safe to share between threads."""

    def __init__(self, content: bytes, dimensions: int) -> None:
        self.dimensions = dimensions
        self._count = len(content) // dimensions
        self._rows = matrix(content, dimensions)

    def __len__(self) -> int:
        return self._count

    def nearest(self, question: bytes, limit: int, among: Sequence[int] | None = None) -> list[Hit]:
        """Return the most similar, best first, then in stored order, if above 0; `among` is in ascending order."""
        if not self._count or not any(question):
            return []
        (distances,) = cosine_distances(matrix(question, self.dimensions), self._rows)
        best = nsmallest(limit, range(self._count) if among is None else among, key=distances.__getitem__)
        return [Hit(position, min(1.0, 1 - distances[position])) for position in best if distances[position] < 1]


def matrix(content: bytes, dimensions: int) -> memoryview:
    """View vectors that lie one after the other as rows of signed bytes."""
    rows = len(content) // dimensions
    return memoryview(content).cast("b", (rows, dimensions)) if rows else memoryview(content).cast("b")


def cosine_distances(rows: memoryview, columns: memoryview) -> list[list[float]]:
    """Return 1 - cosine similarity for each row and each column, exact to seven digits; 1 where one is all zero."""
    tensor = cast("simsimd.DistancesTensor", simsimd.cdist(rows, columns, metric="cosine", dtype="int8"))
    return cast("list[list[float]]", memoryview(tensor).tolist())
