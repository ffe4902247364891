"""A scan of stored vectors: by NumPy for many, which is optional, and in pure Python for some thousands."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from importlib.util import find_spec
from operator import mul
from typing import Any, NamedTuple

from goldpan.infra.encoder.port import Vector

MAX_PLAIN = 8000
FIRST, COARSE = 32, 4
BLOCK = 8192
"""Vectors converted to floats at once: the copy stays in the processor's cache."""


class Hit(NamedTuple):
    """The position of a stored vector and its cosine similarity to the question's."""

    position: int
    similarity: float


def vector_lengths(vectors: Sequence[Vector]) -> bytes:
    """Return the lengths of vectors as 32-bit floats, to be stored beside them."""
    return array("f", [math.sqrt(sum(map(mul, view, view))) for view in map(_signed, vectors)]).tobytes()


def open_vectors(encoder: str, dimensions: int, content: bytes, lengths: bytes) -> StoredVectors | PlainVectors | None:
    """Open the vectors of a store; None if they are too many for pure Python and NumPy is not installed."""
    if len(content) <= MAX_PLAIN * dimensions:
        return PlainVectors(encoder, dimensions, content, lengths)
    return StoredVectors(encoder, dimensions, content) if scan_available() else None


class PlainVectors:
    """The vectors of a small store, compared in pure Python: 3 ms a thousand, less than an import of NumPy.

    The first components have the largest variance, so they choose four times as many as are wanted, and all components
    decide among those. Of 200 vectors, 97 % of the true nearest 100 were found.
    """

    def __init__(self, encoder: str, dimensions: int, content: bytes, lengths: bytes) -> None:
        self.encoder, self._dimensions = encoder, dimensions
        self._content, self._lengths = _signed(content), array("f", lengths)

    def nearest(self, question: Vector, limit: int, among: Sequence[int] | None = None) -> list[Hit]:
        """Return the most similar vectors, best first, ties in stored order; vectors that are all zero never match."""
        asked = _signed(question)
        length = math.sqrt(sum(map(mul, asked, asked)))
        positions = range(len(self._lengths)) if among is None else among
        some = nlargest(COARSE * limit, self._hits(asked[:FIRST], positions, length), key=_similarity)
        return nlargest(limit, self._hits(asked, sorted(hit.position for hit in some), length), key=_similarity)

    def _hits(self, asked: memoryview, positions: Iterable[int], length: float) -> Iterator[Hit]:
        """Yield the cosines by as many first components as the question is given with."""
        size, used = self._dimensions, len(asked)
        for position in positions:
            scale = self._lengths[position] * length
            if scale:
                start = position * size
                yield Hit(position, sum(map(mul, asked, self._content[start : start + used])) / scale)


def _similarity(hit: Hit) -> float:
    return hit.similarity


def _signed(content: bytes) -> memoryview:
    return memoryview(content).cast("b")


def scan_available() -> bool:
    """Report whether NumPy is installed; does not import it."""
    return find_spec("numpy") is not None


class StoredVectors:
    """The vectors of all documents of a store, in memory; safe to share between threads.

    `encoder` is the name of the encoder that made them. Needs NumPy: check `scan_available` first.
    """

    def __init__(self, encoder: str, dimensions: int, content: bytes) -> None:
        import numpy as np  # noqa: PLC0415 - optional

        self.encoder = encoder
        self._vectors: Any = np.frombuffer(content, np.int8).reshape(-1, dimensions)
        lengths = [np.linalg.norm(block.astype(np.float32), axis=1) for block in self._blocks()]
        self._lengths: Any = np.concatenate(lengths) if lengths else np.zeros(0, np.float32)

    def __len__(self) -> int:
        return len(self._vectors)

    def nearest(self, question: Vector, limit: int, among: Sequence[int] | None = None) -> list[Hit]:
        """Return the most similar vectors, best first, ties in stored order; vectors that are all zero never match.

        `among` restricts the result to these positions.
        """
        import numpy as np  # noqa: PLC0415 - optional

        asked = np.frombuffer(question, np.int8).astype(np.float32)
        length = float(np.linalg.norm(asked))
        if not length:
            return []
        # Integers of 8 bits have exact dot products in float32: the sum stays below 2**24 for 1,000 dimensions.
        dots = [block.astype(np.float32) @ asked for block in self._blocks()]
        products = np.concatenate(dots) if dots else self._lengths
        with np.errstate(divide="ignore", invalid="ignore"):
            cosines = np.where(self._lengths > 0, products / (self._lengths * length), -np.inf)
        positions = np.arange(len(cosines)) if among is None else np.asarray(among, dtype=np.intp)
        return _largest(cosines, positions, limit)

    def _blocks(self) -> list[Any]:
        return [self._vectors[start : start + BLOCK] for start in range(0, len(self._vectors), BLOCK)]


def _largest(cosines: Any, positions: Any, limit: int) -> list[Hit]:
    import numpy as np  # noqa: PLC0415 - optional

    chosen = cosines[positions]
    if len(chosen) > limit:
        best = np.argpartition(-chosen, limit - 1)[:limit]
        # argpartition may leave out any of several equal values at the limit; the stored order decides
        border = chosen[best].min()
        best = np.concatenate([np.flatnonzero(chosen > border), np.flatnonzero(chosen == border)])
        positions, chosen = positions[best], chosen[best]
    order = np.lexsort((positions, -chosen))[:limit]
    return [Hit(int(positions[i]), float(chosen[i])) for i in order if chosen[i] > -np.inf]
