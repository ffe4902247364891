"""Compare documents with a question by the word table: their vectors, and the closest words of both.

The closest words are exact as a reason. Idea: the late interaction of ColBERT (Khattab and Zaharia, 2020).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cached_property
from operator import mul

from goldpan.infra.encoder.port import WordPair, similarity
from goldpan.infra.encoder.table import OFFSET, WordTable

LANE_BITS, BIAS = 32, 1 << 31
"""One long integer holds the dot products of a row with all words of the question, each in a lane with a bias."""


class BestMatches:
    """Compares the words of one question with those of many documents; about 0.2 ms a document."""

    def __init__(self, table: WordTable, question: str) -> None:
        self._table = table
        found = table.found(question)
        self._asked = list(found.values())
        rows = [[component - OFFSET for component in table.stored(row)] for row in found]
        lengths = [math.sqrt(sum(map(mul, row, row))) or 1.0 for row in rows]
        weights = [length * table.scale(row) for length, row in zip(lengths, found, strict=True)]
        total = sum(weights)
        # A word's weight is the length of its scaled row: the fit gives long rows to the words that decide the meaning.
        self._factors = [weight / total / length for weight, length in zip(weights, lengths, strict=True)]
        # A dot product with a stored row, whose components are larger by OFFSET, is too large by OFFSET * sum(row).
        self._excess = [OFFSET * sum(row) + BIAS for row in rows]
        self._packed = [
            sum(c << LANE_BITS * lane for lane, c in enumerate(column)) for column in zip(*rows, strict=True)
        ]
        self._bias = sum(BIAS << LANE_BITS * lane for lane in range(len(rows)))
        self._known: dict[int, list[float]] = {}

    def of(self, document: str) -> list[WordPair]:
        """List the closest word of the document for each known word of the question, the largest share first.

        The shares sum to -1 to 1: the mean of the words' cosine similarities, weighted by the words' significance.
        Empty if the question or the document has no known word.
        """
        found = self._table.found(document)
        if not found or not self._asked:
            return []
        shares = [self._shares(row) for row in found]
        words = list(found.values())
        best = [max(range(len(words)), key=column.__getitem__) for column in zip(*shares, strict=True)]
        pairs = [
            WordPair(asked, words[at], shares[at][n])
            for n, (asked, at) in enumerate(zip(self._asked, best, strict=True))
        ]
        return sorted(pairs, key=lambda pair: -pair.share)

    def _shares(self, row: int) -> list[float]:
        """Return the share that a row adds for each word of the question."""
        if (known := self._known.get(row)) is None:
            stored = self._table.stored(row)
            length = sum(map(mul, stored, stored)) - 2 * OFFSET * sum(stored) + OFFSET * OFFSET * len(stored)
            total = sum(map(mul, stored, self._packed)) + self._bias
            size = len(self._asked)
            dots = struct.unpack(f"<{size}I", total.to_bytes(size * LANE_BITS // 8, "little"))
            root = math.sqrt(length) or 1.0
            known = [(d - e) * f / root for d, e, f in zip(dots, self._excess, self._factors, strict=True)]
            self._known[row] = known
        return known


class TableComparison:
    """Compares documents with one question: their vectors for the closeness, their closest words for the reasons."""

    def __init__(self, table: WordTable, question: str) -> None:
        self._table, self._question = table, question
        (self._vector,) = table.encode([question])

    def closeness(self, documents: Sequence[str]) -> list[float]:
        """Return how close in meaning each document is, 0 to 1."""
        return [max(0.0, similarity(self._vector, vector)) for vector in self._table.encode(documents)]

    def pairs(self, document: str) -> list[WordPair]:
        """List the closest word of the document for each known word of the question, the largest share first."""
        return self._matches.of(document)

    @cached_property
    def _matches(self) -> BestMatches:
        return BestMatches(self._table, self._question)
