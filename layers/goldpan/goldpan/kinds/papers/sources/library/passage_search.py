"""The vectors of a library's passages, and those nearest to a question."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from goldpan.errors import Misconfigured
from goldpan.infra.encoder.port import Vector
from goldpan.infra.encoder.scan import StoredVectors
from goldpan.kinds.papers.sources.library.vectors import encoder_number

MAX_BYTES = 1 << 30
"""Of all vectors in memory; at 384 components these are 2.8 million passages."""


class Near(NamedTuple):
    """A passage near a question: the id of its paper, its offsets, and its cosine similarity."""

    paper: str
    start: int
    end: int
    similarity: float


class PassageVectors:
    """All vectors of one encoder in a library, in memory; safe to share between threads."""

    def __init__(self, rows: Iterable[tuple[int, int, int, bytes]], dimensions: int, names: Mapping[int, str]) -> None:
        stored = list(rows)
        self._names, self._places = names, [(paper, start, end) for paper, start, end, _ in stored]
        self._vectors = StoredVectors(b"".join(vector for *_, vector in stored), dimensions)

    @classmethod
    def load(cls, connection: sqlite3.Connection, encoder: str) -> PassageVectors | None:
        """Read the vectors of an encoder; None if there are none.

        Raises `Misconfigured` if they have different dimensions or are more than `MAX_BYTES`.
        """
        number = encoder_number(connection, encoder)
        where = "FROM vectors WHERE encoder = ? AND paper IS NOT NULL AND length(vector) > 0"
        query = f"SELECT count(*), max(length(vector)), min(length(vector)) {where}"
        count, dimensions, least = connection.execute(query, (number,)).fetchone()
        if not count:
            return None
        if dimensions != least:
            raise Misconfigured(f"the vectors of {encoder} have {least} and {dimensions} dimensions; encode them anew")
        if count * dimensions > MAX_BYTES:
            message = f"{count} vectors of {dimensions} bytes are more than the {MAX_BYTES >> 20} MiB that are loaded"
            raise Misconfigured(message)
        rows = connection.execute(f"SELECT paper, start, end, vector {where}", (number,))
        return cls(rows, dimensions, dict(connection.execute("SELECT number, id FROM papers").fetchall()))

    def nearest(self, question: Vector, limit: int, papers: frozenset[int] | None = None) -> list[Near]:
        """Return the passages nearest to a question, best first; `papers` restricts them to these, by their numbers.

        Empty if the question's vector is all zero. Raises `Misconfigured` if its dimensions are others.
        """
        dimensions = self._vectors.dimensions
        if len(question) != dimensions:
            message = f"the question's vector has {len(question)} dimensions, those of the library {dimensions}"
            raise Misconfigured(message)
        among = None
        if papers is not None:
            among = [position for position, (paper, *_) in enumerate(self._places) if paper in papers]
        hits = self._vectors.nearest(question, limit, among)
        found = ((self._places[hit.position], hit.similarity) for hit in hits)
        return [Near(self._names[paper], start, end, similarity) for (paper, start, end), similarity in found]
