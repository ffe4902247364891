"""Searches the papers of a library by words.

A search takes the papers with the rarest words of the query in the order of FTS5's bm25(), a microsecond each, and
orders the best of them by `ranking`: to read all papers that have a frequent word would take longer than it tells.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.excerpts import excerpt
from goldpan.kinds.papers.sources.library.expressions import Term, Unit
from goldpan.kinds.papers.sources.library.frequent_words import FrequentWords, numbers_matching
from goldpan.kinds.papers.sources.library.models import LibraryHit
from goldpan.kinds.papers.sources.library.ranking import Ranking
from goldpan.kinds.papers.sources.library.typed_query import TypedQuery

DEPTH = 50
"""Papers that are scored at least."""
MATCHES_READ = 3000
"""Papers with the rarest words of a query that are read for the first order; a word is read whole or not at all."""
TITLES_READ = 30_000
"""Papers with the next words, of which only those that have one in the title are read, where the rarest are too few."""
FIRST_ORDER = "bm25(texts, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"


@dataclass(frozen=True)
class LibraryFacts:
    """What does not depend on a query, of one state of a library's file."""

    papers: int
    mean_lengths: Mapping[str, float]
    frequent: FrequentWords

    @classmethod
    def load(cls, connection: sqlite3.Connection) -> LibraryFacts:
        """Read the facts."""
        rows = connection.execute("SELECT field, papers, words FROM lengths")
        means = {field: words / papers for field, papers, words in rows if papers}
        papers = int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        return cls(papers, means, FrequentWords.load(connection))


class WordSearch:
    """A search of one state of a library's file, which the connection reads."""

    def __init__(self, connection: sqlite3.Connection, project: str, facts: LibraryFacts) -> None:
        self._connection, self._project, self._facts = connection, project, facts

    def search(self, typed: TypedQuery, limit: int) -> tuple[int, list[LibraryHit]]:
        """Return how many papers a query finds, and the best of them, best first."""
        having = {term: self._having(term) for term in dict.fromkeys(typed.terms) if term}
        ranking = Ranking(typed.terms, self._facts.papers, having, self._facts.mean_lengths)
        count = self._count(typed)
        numbers = self._first(typed, having, max(2 * limit, DEPTH), count) if count else []
        return count, self._ordered(numbers, ranking, limit)

    def _count(self, typed: TypedQuery) -> int:
        """Count the papers, those with frequent words by their bits where the query has words alone."""
        has_words_alone = not typed.required and not typed.excluded
        frequent = [unit for unit in typed.words if has_words_alone and self._is_frequent(unit)]
        if not frequent:
            counting = "SELECT count(*) FROM texts WHERE texts MATCH ?"
            return int(self._connection.execute(counting, (typed.expression(),)).fetchone()[0])
        others = [unit for unit in typed.words if unit not in frequent]
        numbers = numbers_matching(self._connection, typed.expression(others)) if others else []
        return self._facts.frequent.count(self._connection, {unit.term.text for unit in frequent}, numbers)

    def _is_frequent(self, unit: Unit) -> bool:
        return unit.is_word and unit.term.text in self._facts.frequent.papers

    def _having(self, term: Term) -> int:
        """Return how many papers have a term, or at most have a word that begins with it."""
        if not term.is_prefix and term.text in self._facts.frequent.papers:
            return self._facts.frequent.papers[term.text]
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
        if typed.text:
            return self._by_bm25(typed.expression(), depth)
        words = sorted(typed.words, key=lambda unit: having.get(unit.term, 0))
        wanted, rarest = min(depth, count), _rarest(words, having, MATCHES_READ)
        found = self._by_bm25(typed.expression(rarest), depth) if rarest else []
        if len(found) < wanted and (others := words[len(rarest) :]):
            others = _rarest(others, having, TITLES_READ) or others[:1]
            titled = [unit._replace(expression=f"{{title}} : {unit.expression}") for unit in others]
            found = list(dict.fromkeys([*found, *self._by_bm25(typed.expression(titled), depth)]))
        if len(found) < wanted and len(rarest) < len(words):
            found = self._by_bm25(typed.expression(), depth)
        return found

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
            excerpt=excerpt(paper, ranking.known),
        )


def _rarest(words: Sequence[Unit], having: Mapping[Term, int], most: int) -> list[Unit]:
    """Return the first of some words, rarest first, whose papers together are so many at most."""
    totals = accumulate(having.get(unit.term, 0) for unit in words)
    return [unit for unit, total in zip(words, totals, strict=True) if total <= most]
