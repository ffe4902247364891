"""Searches the papers of a library by words.

A search takes the papers with the rarest words of the query in the order of FTS5's bm25(), and orders the best of them
by `ranking`: to read all papers that have a frequent word would take longer than that word tells.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.excerpts import excerpt
from goldpan.kinds.papers.sources.library.expressions import Term, Unit
from goldpan.kinds.papers.sources.library.models import LibraryHit
from goldpan.kinds.papers.sources.library.ranking import Ranking
from goldpan.kinds.papers.sources.library.typed_query import TypedQuery

DEPTH = 50
"""Papers that are scored at least."""
MATCHES_READ = 6000
"""Papers with the rarest words of a query that are read for the first order; a word is read whole or not at all."""
FIRST_ORDER = "bm25(1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"


class WordSearch:
    """A search of one state of a library's file, which the connection reads."""

    def __init__(self, connection: sqlite3.Connection, project: str) -> None:
        self._connection, self._project = connection, project

    def search(self, typed: TypedQuery, limit: int) -> tuple[int, list[LibraryHit]]:
        """Return how many papers a query finds, and the best of them, best first."""
        counting = "SELECT count(*) FROM texts WHERE texts MATCH ?"
        count = int(self._connection.execute(counting, (typed.expression(),)).fetchone()[0])
        ranking = self._ranking(typed)
        numbers = self._first(typed, ranking.having, max(2 * limit, DEPTH), count) if count else []
        return count, self._ordered(numbers, ranking, limit)

    def _ranking(self, typed: TypedQuery) -> Ranking:
        rows = self._connection.execute("SELECT field, papers, words FROM lengths")
        means = {field: words / papers for field, papers, words in rows if papers}
        papers = int(self._connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        having = {term: self._having(term) for term in dict.fromkeys(typed.terms) if term}
        return Ranking(typed.terms, papers, having, means)

    def _having(self, term: Term) -> int:
        """Return how many papers have a term, or at most have a word that begins with it."""
        counting, values = "SELECT doc FROM vocabulary WHERE term = ?", [term.text]
        if term.is_prefix:
            counting = "SELECT sum(doc) FROM vocabulary WHERE term >= ? AND term < ?"
            values.append(term.text + chr(0x10FFFF))
        row = self._connection.execute(counting, values).fetchone()
        return int(row[0] or 0) if row else 0

    def _first(self, typed: TypedQuery, having: Mapping[Term, int], depth: int, count: int) -> list[int]:
        """Return the numbers of the best papers in the first order; of filters alone, of the latest papers."""
        if not typed.words and not typed.text:
            select = "SELECT number FROM papers WHERE number IN (SELECT rowid FROM texts WHERE texts MATCH ?)"
            latest = f"{select} ORDER BY year DESC, number LIMIT ?"
            return [row[0] for row in self._connection.execute(latest, (typed.expression(), depth))]
        rarest = typed.words if typed.text else _rarest(typed.words, having)
        found = self._by_bm25(typed.expression(rarest), depth)
        if len(found) < min(depth, count) and len(rarest) < len(typed.words):
            found = self._by_bm25(typed.expression(), depth)
        return found

    def _by_bm25(self, expression: str, depth: int) -> list[int]:
        select = "SELECT rowid FROM texts WHERE texts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self._connection.execute(select, (expression, FIRST_ORDER, depth))]

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
            excerpt=excerpt(paper, ranking.known),
        )


def _rarest(words: Sequence[Unit], having: Mapping[Term, int]) -> list[Unit]:
    """Return the rarest words whose papers together are few enough to be read; at least one."""
    chosen: list[Unit] = []
    total = 0
    for unit in sorted(words, key=lambda unit: having.get(unit.term, 0)):
        total += having.get(unit.term, 0)
        if chosen and total > MATCHES_READ:
            break
        chosen.append(unit)
    return chosen
