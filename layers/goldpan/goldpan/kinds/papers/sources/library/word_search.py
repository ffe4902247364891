"""Searches the papers of a library by words.

A search takes the papers with the rarest words of the query in the order of FTS5's bm25(), a microsecond each, and
orders the best of them by `ranking`: to read all papers that have a frequent word would take long and change little.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.excerpts import excerpt
from goldpan.kinds.papers.sources.library.expressions import Term
from goldpan.kinds.papers.sources.library.models import LibraryHit
from goldpan.kinds.papers.sources.library.ranking import Ranking
from goldpan.kinds.papers.sources.library.typed_query import TypedQuery

DEPTH = 50
"""Papers that are scored at least."""
MATCHES_READ = 3000
"""Papers with the rarest words of a query that are read for the first order; a word is read whole or not at all."""
FIRST_ORDER = "bm25(texts, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"


@dataclass(frozen=True)
class LibraryFacts:
    """What does not depend on a query, of one state of a library's file."""

    papers: int
    mean_lengths: Mapping[str, float]

    @classmethod
    def load(cls, connection: sqlite3.Connection) -> LibraryFacts:
        """Read the facts."""
        rows = connection.execute("SELECT field, papers, words FROM lengths")
        means = {field: words / papers for field, papers, words in rows if papers}
        papers = int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        return cls(papers, means)


class WordSearch:
    """A search of one state of a library's file, which the connection reads."""

    def __init__(self, connection: sqlite3.Connection, project: str, facts: LibraryFacts) -> None:
        self._connection, self._project, self._facts = connection, project, facts

    def search(self, typed: TypedQuery, limit: int) -> tuple[int, list[LibraryHit]]:
        """Return how many papers a query finds, and the best of them, best first."""
        frequencies = {term: self._document_frequency(term) for term in dict.fromkeys(typed.terms) if term}
        ranking = Ranking(typed.terms, self._facts.papers, frequencies, self._facts.mean_lengths)
        counting = "SELECT count(*) FROM texts WHERE texts MATCH ?"
        count = int(self._connection.execute(counting, (typed.expression(),)).fetchone()[0])
        numbers = self._first(typed, frequencies, max(2 * limit, DEPTH)) if count else []
        return count, self._ordered(numbers, ranking, limit)

    def _document_frequency(self, term: Term) -> int:
        """Return how many papers have a term, or at most have a word that begins with it."""
        counting, values = "SELECT doc FROM vocabulary WHERE term = ?", [term.text]
        if term.is_prefix:
            counting = "SELECT sum(doc) FROM vocabulary WHERE term >= ? AND term < ?"
            values.append(term.text + chr(0x10FFFF))
        row = self._connection.execute(counting, values).fetchone()
        return int(row[0] or 0) if row else 0

    def _first(self, typed: TypedQuery, frequencies: Mapping[Term, int], depth: int) -> list[int]:
        """Return the numbers of the best papers in the first order; of filters alone, of the latest papers."""
        if not typed.content and not typed.text:
            select = "SELECT number FROM papers WHERE number IN (SELECT rowid FROM texts WHERE texts MATCH ?)"
            latest = f"{select} ORDER BY year DESC, number LIMIT ?"
            return [row[0] for row in self._connection.execute(latest, (typed.expression(), depth))]
        words = sorted(typed.content, key=lambda unit: frequencies.get(unit.term, 0))
        totals = accumulate(frequencies.get(unit.term, 0) for unit in words)
        rarest = [unit for unit, total in zip(words, totals, strict=True) if total <= MATCHES_READ]
        found = self._by_bm25(typed.expression(rarest), depth) if rarest and not typed.text else []
        return found if len(found) == depth else self._by_bm25(typed.expression(), depth)

    def _by_bm25(self, expression: str, depth: int) -> list[int]:
        # ORDER BY rank would sort all papers with the places of all their matches.
        select = f"SELECT rowid, {FIRST_ORDER} AS score FROM texts WHERE texts MATCH ? ORDER BY score LIMIT ?"  # noqa: S608
        return [row[0] for row in self._connection.execute(select, (expression, depth))]

    def _ordered(self, numbers: Sequence[int], ranking: Ranking, limit: int) -> list[LibraryHit]:
        """Score the papers and return the best; equal ones, as all are without words, keep their order."""
        places = ",".join("?" * len(numbers))
        select = f"SELECT number, {schema.PAPER_COLUMNS} FROM papers WHERE number IN ({places})"  # noqa: S608
        rows = {number: row for number, *row in self._connection.execute(select, list(numbers))}
        scores = {
            number: ranking.score(dict(zip(schema.SEARCHED, row[1:], strict=False))) for number, row in rows.items()
        }
        best = sorted(numbers, key=lambda number: -scores[number])[:limit]
        return [self._hit(rows[number], scores[number], ranking) for number in best]

    def _hit(self, row: Sequence[str], score: float, ranking: Ranking) -> LibraryHit:
        paper = schema.paper_of(row)
        relevance = min(1.0, score / ranking.best) if ranking.best else 0.0
        return LibraryHit(
            project=self._project,
            paper=paper,
            score=round(score, 4),
            relevance=round(relevance, 4),
            excerpt=excerpt(paper, ranking.words),
        )
