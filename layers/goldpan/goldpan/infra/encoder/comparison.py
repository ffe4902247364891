"""Compares documents with one question by the cosines of their vectors."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.infra.encoder.port import Comparison, Encoder, WordPair
from goldpan.infra.encoder.scan import cosine_distances, matrix


class ComparedByVectors:
    """What an encoder has whose vectors are no sums over words."""

    def compare(self: Encoder, question: str) -> Comparison:
        """Return the comparison of many documents with one question."""
        return VectorComparison(self, question)

    def shares(self, question: str) -> dict[str, float]:
        """Return nothing."""
        del question
        return {}


class VectorComparison:
    """Compares documents with one question by their vectors alone."""

    def __init__(self, encoder: Encoder, question: str) -> None:
        self._encoder = encoder
        (self._vector,) = encoder.encode([question])
        self._known: dict[str, float] = {}

    def closeness(self, documents: Sequence[str]) -> list[float]:
        """Return how close in meaning each document is, 0 to 1."""
        missing = [document for document in dict.fromkeys(documents) if document not in self._known]
        if missing:
            size, vectors = len(self._vector), b"".join(self._encoder.encode(missing))
            (distances,) = cosine_distances(matrix(self._vector, size), matrix(vectors, size))
            clamped = (min(1.0, max(0.0, 1 - distance)) for distance in distances)
            self._known |= zip(missing, clamped, strict=True)
        return [self._known[document] for document in documents]

    def pairs(self, document: str) -> list[WordPair]:
        """Return nothing: the similarity is no sum over words."""
        del document
        return []
