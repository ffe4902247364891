"""The index of a library, open for reading: a search by words, and the papers of a project."""

import contextlib
import json
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, islice
from pathlib import Path
from typing import Self

from goldpan.errors import NotFound
from goldpan.infra.sqlite_file import READ, SqliteReader
from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.excerpts import with_excerpts
from goldpan.kinds.papers.sources.library.expressions import any_of
from goldpan.kinds.papers.sources.library.models import (
    NO_FILTERS,
    LibraryFilters,
    LibraryHit,
    LibraryPaper,
    LibraryResult,
)
from goldpan.kinds.papers.sources.library.query import TypedQuery, read_query
from goldpan.kinds.papers.sources.library.writer import LibraryWriter

CACHE_KIB = 8192
"""Of the file in memory, as far as it is read; SQLite's 2 MB lose the lists of frequent words between searches."""
NO_WORDS = "The query has no words to search for."
FEW_WORDS = 3
"""Number of words up to which papers that have all words of a query come first."""
MOST = 2.2
"""What bm25() gives a word for each unit of its rarity at the most: its constant k1, 1.2, and 1."""
LEAST_RARITY = 1e-6
"""bm25()'s rarity of a word that half of the papers have."""
_SCORE = "bm25(texts, 1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"
"""The title counts three times as much as the summary, and the abstract twice."""
_BEST = f"SELECT rowid, {_SCORE} AS score FROM texts WHERE texts MATCH ? ORDER BY score LIMIT ?"  # noqa: S608 - a constant
_OF_THESE = (
    f"SELECT rowid, {_SCORE} FROM texts WHERE texts MATCH ? "  # noqa: S608 - a constant
    "AND +rowid IN (SELECT value FROM json_each(?))"  # with the plus in one pass
)
_LATEST = (
    "SELECT number AS rowid, 0.0 AS score FROM papers WHERE number IN (SELECT rowid FROM texts WHERE texts MATCH ?) "
    "ORDER BY year DESC, number LIMIT ?"
)


class LibraryIndex(SqliteReader):
    """A library, open for reading; a context manager, safe to share between threads.

    An import in another process does not disturb it: each search sees the state before or after a file's import.
    """

    def __init__(self, connection: sqlite3.Connection, project: str, path: Path) -> None:
        super().__init__(connection)
        self.project, self._path = project, path

    @classmethod
    def open(cls, path: Path, project: str | None = None) -> Self:
        """Open a file read-only; the project is by default the name of the file without its suffix.

        Raises `NotFound` if it is missing, or empty as one whose first import begins, and `Misconfigured` if it is
        damaged, of a newer version, or not a library.
        """
        if not path.is_file():
            raise NotFound(f"No papers collected yet: there is no {path}; {schema.IMPORT_FIRST}.")
        with contextlib.ExitStack() as stack, schema.readable(path):
            connection = stack.enter_context(contextlib.closing(_connect(path)))
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute(READ)  # within it no other process writes, or this one sees no change
            if not schema.is_library(connection, path):
                raise NotFound(f"No papers collected yet: {path} is empty; {schema.IMPORT_FIRST}.")
            connection.rollback()
            stack.pop_all()
        return cls(connection, path.stem if project is None else project, path)

    @classmethod
    def of_papers(cls, papers: Iterable[LibraryPaper], project: str = "") -> Self:
        """Index papers in memory; of papers with the same id the last one counts."""
        writer = LibraryWriter.in_memory()
        writer.replace_origin("", "", papers)
        return cls(writer.connection, project, Path(":memory:"))

    @property
    def count(self) -> int:
        """The number of papers."""
        with self.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])

    def search(self, query: str, limit: int = 10, filters: LibraryFilters = NO_FILTERS) -> LibraryResult:
        """Find the papers for a query as a person types it, best first. No query is a syntax error."""
        found, typed = self.find(query, limit, filters)
        return found.model_copy(update={"results": with_excerpts(found.results, typed)})

    def find(self, query: str, limit: int, filters: LibraryFilters = NO_FILTERS) -> tuple[LibraryResult, TypedQuery]:
        """Find what `search` finds, without excerpts, which take most of the time, and the query as it was read."""
        with self.reading() as connection:
            typed = _read(connection, query, filters)
            if not typed.expression():
                return LibraryResult(query=query, count=0, results=(), notes=(NO_WORDS,)), typed
            count, hits = _search_words(connection, self.project, typed, limit)
        return LibraryResult(query=query, count=count, results=tuple(hits)), typed

    def papers(self, ids: Sequence[str]) -> list[LibraryPaper]:
        """Return the papers with these ids, in their order; unknown ids are left out."""
        select = f"SELECT {schema.PAPER_COLUMNS} FROM papers WHERE id = ?"  # noqa: S608
        with self.reading() as connection:
            rows = [connection.execute(select, (each,)).fetchone() for each in ids]
        return [schema.paper_of(row) for row in rows if row is not None]

    def allowed(self, typed: TypedQuery) -> frozenset[int] | None:
        """Return the numbers of the papers that meet all of a query but its plain words; None is every paper."""
        found, expression = "SELECT rowid FROM texts WHERE texts MATCH ?", replace(typed, words=[]).expression()
        if not expression and not typed.excluded:
            return None
        select = found if expression else f"SELECT number FROM papers WHERE number NOT IN ({found})"  # noqa: S608
        with self.reading() as connection:
            return frozenset(row[0] for row in connection.execute(select, (expression or any_of(typed.excluded),)))

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the file; raises `Misconfigured` if it turns out to be damaged."""
        with self.lock, schema.readable(self._path):
            self.connection.execute(READ)
            try:
                yield self.connection
            finally:
                self.connection.rollback()


def _read(connection: sqlite3.Connection, query: str, filters: LibraryFilters) -> TypedQuery:
    """Read a query; one whose operators and parentheses SQLite cannot parse is read without them."""
    typed = read_query(query, filters)
    try:
        connection.execute("SELECT rowid FROM texts WHERE texts MATCH ? LIMIT 1", (typed.expression(),)).fetchone()
    except sqlite3.OperationalError:
        return read_query(query, filters, with_operators=False)
    return typed


def _search_words(
    connection: sqlite3.Connection, project: str, typed: TypedQuery, limit: int
) -> tuple[int, list[LibraryHit]]:
    """Return how many papers a query finds, and the best of them, in the order of FTS5's bm25(); of filters the latest.

    They have no excerpts yet. The relevance is the share of what a paper would have that had every word of the query
    endlessly often.
    """
    count, rows = _count(connection, typed.expression()), _rows(connection, typed, limit)
    scores, most = _scores(connection, typed, rows)
    hits = [
        LibraryHit(project=project, paper=schema.paper_of(row), score=round(score, 4), relevance=round(score / most, 4))
        for row, score in zip(rows.values(), accumulate(scores.values(), min), strict=True)  # which say the order
    ]
    return count, hits


def _scores(
    connection: sqlite3.Connection, typed: TypedQuery, numbers: Iterable[int]
) -> tuple[dict[int, float], float]:
    """Return the scores of papers, in their order, and the score of one that had every word endlessly often.

    A word that the query repeats counts as often. One that half of the papers have counts too, unlike for bm25().
    """
    ((papers,),) = connection.execute("SELECT count(*) FROM papers")
    scores, most = dict.fromkeys(numbers, 0.0), 0.0
    for unit in typed.ranked:
        count = _count(connection, unit.expression)
        odds = (papers - count + 0.5) / (count + 0.5)
        weight, bound = math.log1p(odds), MOST * max(LEAST_RARITY, math.log(odds))
        for number, found in connection.execute(_OF_THESE, (unit.expression, json.dumps([*scores]))):
            scores[number] += weight * min(1.0, -found / bound)
        most += weight
    return scores, most or 1.0


def _count(connection: sqlite3.Connection, expression: str) -> int:
    ((count,),) = connection.execute("SELECT count(*) FROM texts WHERE texts MATCH ?", (expression,))
    return int(count)


def _rows(connection: sqlite3.Connection, typed: TypedQuery, limit: int) -> dict[int, Sequence[str]]:
    """Return the columns of the best papers, the best first, by their numbers."""
    expressions = [typed.expression()]
    if 1 < len(set(typed.content)) <= FEW_WORDS:
        expressions.insert(0, typed.expression(with_all_words=True))
    best = _BEST if typed.ranked else _LATEST
    select = f"SELECT number, {schema.PAPER_COLUMNS} FROM ({best}) AS found JOIN papers ON number = found.rowid"  # noqa: S608
    rows: dict[int, Sequence[str]] = {}
    for expression in expressions:
        for number, *row in connection.execute(f"{select} ORDER BY score, year DESC, number", (expression, limit)):
            rows.setdefault(number, row)
    return dict(islice(rows.items(), limit))


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file read-only; one in a folder that cannot be written to is taken not to change."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    if path.with_name(path.name + "-journal").exists() and os.access(path, os.W_OK):
        with contextlib.closing(sqlite3.connect(path, timeout=schema.BUSY_SECONDS)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")  # rolls a killed import back, which needs to write
    if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        uri += "&immutable=1"
    return sqlite3.connect(uri, uri=True, timeout=schema.BUSY_SECONDS, isolation_level=None, check_same_thread=False)
