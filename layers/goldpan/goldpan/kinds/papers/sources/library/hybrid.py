"""The hybrid search of a library: the ranking by words and the ranking by vectors, fused by reciprocal rank.

The vectors of a sentence encoder have half of the weight of the words. Those of the word table, which are sums over
words, only add papers that the words do not find, after all that they do, and are not compared where the words find
enough: with more weight they made the mean of the measured collections worse (docs/benchmarks.md).
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed, Misconfigured
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.papers.sources.library.chunks import Place, calibrate_scores, fuse, rank_passages, text_of
from goldpan.kinds.papers.sources.library.excerpts import beginning, with_excerpts
from goldpan.kinds.papers.sources.library.index import LibraryIndex
from goldpan.kinds.papers.sources.library.models import NO_FILTERS, Chunk, LibraryFilters, LibraryHit, LibraryResult
from goldpan.kinds.papers.sources.library.query import TypedQuery
from goldpan.kinds.papers.sources.library.vectors import PassageVectors, encoders_of, papers_without

DEPTH = 100
"""Papers of each ranking that are fused, or as many as are wanted if these are more."""
PASSAGES_A_PAPER = 4
"""Passages that are asked for each paper: several of the nearest may belong to one."""
SENTENCE_WEIGHT, SUMMED_WEIGHT = 0.5, 0.01
"""The weight of vectors against 1 of the words; 0.01 is too little to change the order of what the words found."""
SUMMED_FLOOR = 0.3
"""A cosine of a table below that is noise: of the papers that answer a question, one of twenty is below it."""


@dataclass(frozen=True)
class _Nearest:
    """The passages nearest to a query, nearest first, their evidence according to their weight, and notes about it."""

    found: Mapping[Place, float] = field(default_factory=dict)
    weight: float = 0.0
    encoder: str | None = None
    notes: tuple[str, ...] = ()

    def papers(self) -> dict[str, Place]:
        """Return the nearest passage of each paper, nearest first."""
        best: dict[str, Place] = {}
        for place in self.found:
            best.setdefault(place[0], place)
        return best


class HybridIndex:
    """A library searched by words and by vectors; safe to share between threads.

    If the vectors cannot be used, the result is that of the words, and a note says why. They are read by the first
    search: a library that has changed is opened anew.
    """

    def __init__(self, index: LibraryIndex, encoder: Encoder) -> None:
        self.index, self._encoder = index, encoder
        self._loaded: tuple[PassageVectors | None, tuple[str, ...]] | None = None

    def search(
        self, query: str, limit: int = 10, filters: LibraryFilters = NO_FILTERS, deadline: Deadline | None = None
    ) -> LibraryResult:
        """Find the papers for a query as a person types it, best first; an encoder that is a service has a deadline."""
        depth = limit if self._encoder.sums_words else max(DEPTH, limit)
        found, typed = self.index.find(query, depth, filters)
        nearest = self._nearest(typed, depth, deadline, is_full=len(found.results) >= limit)
        near, hits = nearest.papers(), {hit.paper.id: hit for hit in found.results}
        by_words, project = list(hits), self.index.project
        for paper in self.index.papers([name for name in near if name not in hits]):
            _, start, end = near[paper.id]
            passage = beginning(" ".join(text_of(paper)[start:end].split()))  # it has none of the words to be marked
            hits[paper.id] = LibraryHit(project=project, paper=paper, score=0.0, relevance=0.0, excerpt=passage)
        order = fuse([(by_words, 1.0), ([name for name in near if name in hits], nearest.weight)])
        closeness = {name: nearest.found[place] for name, place in near.items()}
        evidence = {name: max(hits[name].relevance, closeness.get(name, 0.0)) for name in order}
        fused = (
            hits[name].model_copy(update={"relevance": value})
            for name, value in calibrate_scores(order, evidence)[:limit]
        )
        return LibraryResult(
            query=found.query,
            count=max(found.count, len(order)),
            results=with_excerpts(fused, typed),
            encoder=nearest.encoder,
            notes=(*found.notes, *nearest.notes),
        )

    def chunks(self, query: str, k: int = 8, deadline: Deadline | None = None) -> tuple[list[Chunk], tuple[str, ...]]:
        """Return the passages that answer a query best, best first, no text twice, and why words alone decided."""
        depth = max(DEPTH // 2, k)
        found, typed = self.index.find(query, depth)
        nearest = self._nearest(typed, depth, deadline, is_full=len(found.results) >= k)
        by_words, close = [hit.paper.id for hit in found.results], nearest.found
        missing = [name for name in nearest.papers() if name not in by_words]
        papers = [*(hit.paper for hit in found.results), *self.index.papers(missing)]
        ranked = rank_passages(
            query, project=self.index.project, papers=papers, by_words=by_words, close=close, weight=nearest.weight
        )
        return ranked[:k], nearest.notes

    def _nearest(self, typed: TypedQuery, depth: int, deadline: Deadline | None, *, is_full: bool) -> _Nearest:
        """Find the passages nearest to a query; none, with a note, if the vectors or the encoder cannot be used.

        Encoded are the words as typed, without exclusions, filters, operators and signs. Vectors of a table are not
        compared where the words have found all that is wanted.
        """
        bounded = getattr(self._encoder, "within", None)  # of one behind an endpoint
        encoder = bounded(deadline) if bounded and deadline else self._encoder
        try:
            with self.index.reading() as connection:
                if is_full and encoder.sums_words and encoder.name in encoders_of(connection):
                    return _Nearest(encoder=encoder.name)
                self._loaded = self._loaded or _load(connection, encoder.name)
            vectors, notes = self._loaded
            if vectors is None:
                return _Nearest(notes=notes)
            allowed = self.index.allowed(typed)
            if not typed.terms or (allowed is not None and not allowed):
                return _Nearest(encoder=encoder.name)
            (vector,) = encoder.encode([" ".join(typed.terms)])
            found = vectors.nearest(vector, PASSAGES_A_PAPER * depth, allowed)
        except (CallFailed, Misconfigured) as failure:
            return _Nearest(notes=(f"Words alone decided: {failure}.",))
        weight, floor = (SUMMED_WEIGHT, SUMMED_FLOOR) if encoder.sums_words else (SENTENCE_WEIGHT, 0.0)
        trust = weight / SENTENCE_WEIGHT
        kept = {place: trust * similarity for place, similarity in found.items() if similarity > floor}
        return _Nearest(kept, weight, encoder.name, notes)


def _load(connection: sqlite3.Connection, name: str) -> tuple[PassageVectors | None, tuple[str, ...]]:
    """Read the vectors of an encoder, and say what has none."""
    if name not in (others := encoders_of(connection)):
        known = f"vectors of {', '.join(others)}, none of {name}" if others else f"no vectors of {name} yet"
        return None, (f"Words alone decided: the library has {known}.",)
    vectors, count = PassageVectors.load(connection, name), len(papers_without(connection, others[name]))
    return vectors, (f"{counted(count, 'papers')} without vectors so far; found by words alone.",) if count else ()
