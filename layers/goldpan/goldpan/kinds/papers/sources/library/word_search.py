"""Searches the papers of a library by words, in the order of FTS5's bm25().

A word that the query repeats counts as often. The relevance is the share of what a paper would have that had every
word of the query endlessly often.
"""

import math
import sqlite3
from collections.abc import Sequence

from goldpan.kinds.papers.sources.library.expressions import Unit
from goldpan.kinds.papers.sources.library.models import LibraryHit
from goldpan.kinds.papers.sources.library.query import TypedQuery
from goldpan.kinds.papers.sources.library.schema import PAPER_COLUMNS, paper_of

FEW_WORDS = 3
"""Number of words up to which papers that have all words of a query come first."""
MOST = 2.2
"""What bm25() gives a word for each unit of its rarity at the most: its constant k1, 1.2, and 1."""
LEAST_RARITY = 1e-6
"""bm25()'s rarity of a word that half of the papers have."""
_SCORE = "bm25(texts, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"
"""The title counts three times as much as the summary, and the abstract twice."""
_BEST = f"SELECT rowid, {_SCORE} AS score FROM texts WHERE texts MATCH ? ORDER BY score LIMIT ?"  # noqa: S608 - a constant
_LATEST = (
    "SELECT number AS rowid, 0.0 AS score FROM papers WHERE number IN (SELECT rowid FROM texts WHERE texts MATCH ?) "
    "ORDER BY year DESC, number LIMIT ?"
)


def search_words(
    connection: sqlite3.Connection, project: str, typed: TypedQuery, limit: int
) -> tuple[int, list[LibraryHit]]:
    """Return how many papers a query finds, and the best of them, best first; of filters alone, the latest.

    They have no excerpts yet.
    """
    count = _count(connection, typed.expression())
    rarity, weight = _rarities(connection, typed.ranked)
    least, hits = 1.0, list[LibraryHit]()
    for row, found in _rows(connection, typed, limit):
        least = min(least, -found / (MOST * rarity) if rarity else 0.0)
        score, relevance = round(least * weight, 4), round(least, 4)
        hits.append(LibraryHit(project=project, paper=paper_of(row), score=score, relevance=relevance))
    return count, hits


def _count(connection: sqlite3.Connection, expression: str) -> int:
    ((count,),) = connection.execute("SELECT count(*) FROM texts WHERE texts MATCH ?", (expression,))
    return int(count)


def _rarities(connection: sqlite3.Connection, ranked: Sequence[Unit]) -> tuple[float, float]:
    """Return the sum of the rarities of words and phrases as bm25() computes them, and one that is never 0."""
    ((papers,),) = connection.execute("SELECT count(*) FROM papers")
    found = (_count(connection, unit.expression) for unit in ranked)
    odds = [(papers - count + 0.5) / (count + 0.5) for count in found]
    return sum(max(LEAST_RARITY, math.log(each)) for each in odds), sum(map(math.log1p, odds))


def _rows(connection: sqlite3.Connection, typed: TypedQuery, limit: int) -> list[tuple[Sequence[str], float]]:
    """Return the columns of the best papers with their scores, which are negative as bm25()'s."""
    expressions = [typed.expression()]
    if 1 < len(set(typed.content)) <= FEW_WORDS:
        expressions.insert(0, typed.expression(with_all_words=True))
    best = _BEST if typed.ranked else _LATEST
    select = f"SELECT number, score, {PAPER_COLUMNS} FROM ({best}) AS found JOIN papers ON number = found.rowid"  # noqa: S608
    rows: dict[int, tuple[Sequence[str], float]] = {}
    for expression in expressions:
        for number, score, *row in connection.execute(
            f"{select} ORDER BY score, year DESC, number", (expression, limit)
        ):
            rows.setdefault(number, (row, score))
    return list(rows.values())[:limit]
