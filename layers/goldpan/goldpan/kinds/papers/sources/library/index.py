"""The index of a library, open for reading: a search by words, and the papers of a project.

A search takes the papers with the rarest words of the query in the order of FTS5's bm25(), and orders the best of them
by `ranking`: to read all papers that have a frequent word would take longer than that word tells.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.excerpts import excerpt
from goldpan.kinds.papers.sources.library.expressions import Term, Unit
from goldpan.kinds.papers.sources.library.in_memory import open_in_memory
from goldpan.kinds.papers.sources.library.models import (
    MAX_QUERY,
    LibraryFilters,
    LibraryHit,
    LibraryPaper,
    LibraryResult,
)
from goldpan.kinds.papers.sources.library.query import TypedQuery, read_query
from goldpan.kinds.papers.sources.library.ranking import Ranking

NO_FILTERS = LibraryFilters()
NO_WORDS = "The query has no words to search for."
DEPTH = 50
"""Papers that are scored at least."""
MATCHES_READ = 6000
"""Papers with the rarest words of a query that are read for the first order; a word is read whole or not at all."""
FIRST_ORDER = "bm25(1.5, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)"


class LibraryIndex:
    """A library, open for reading; a context manager, safe to share between threads.

    An import in another process does not disturb it: each search sees the state before or after a file's import.
    """

    def __init__(self, connection: sqlite3.Connection, project: str, path: Path) -> None:
        self.project = project
        self.connection = connection
        """For reading tables of the same file that other modules own, within `reading`."""
        self._path, self._lock = path, threading.RLock()
        self._close = weakref.finalize(self, connection.close)

    @classmethod
    def open(cls, path: Path, project: str | None = None) -> Self:
        """Open a file read-only; the project is by default the name of the file without its suffix.

        Raises `Misconfigured` if it is missing, damaged, of a newer version, or not a library.
        """
        if not path.is_file():
            raise Misconfigured(f"No papers collected yet: there is no {path}; {schema.IMPORT_FIRST}.")
        try:
            connection = _connect(path)
            try:
                is_empty = not schema.check(connection, path)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise schema.unreadable(path, error) from error
        if is_empty:
            connection.close()
            raise Misconfigured(f"No papers collected yet: {path} is empty; {schema.IMPORT_FIRST}.")
        return cls(connection, path.stem if project is None else project, path)

    @classmethod
    def of_papers(cls, papers: Iterable[LibraryPaper], project: str = "") -> Self:
        """Index papers in memory; of papers with the same id the last one counts."""
        return cls(open_in_memory(papers), project, Path(":memory:"))

    @property
    def count(self) -> int:
        """The number of papers."""
        with self.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])

    @property
    def version(self) -> str:
        """Changes with every import that changes a paper; the same papers in another file have another version."""
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
        return str(row[0]) if row else ""

    def search(self, query: str, limit: int = 10, filters: LibraryFilters = NO_FILTERS) -> LibraryResult:
        """Find the papers for a query as a person types it, best first.

        Raises `InvalidRequest` if the query is empty or too long. No query is a syntax error.
        """
        text = checked(query)
        if limit < 1:
            raise InvalidRequest(f"limit: must be at least 1 (given {limit})")
        typed = read_query(text, filters)
        expression = typed.expression()
        if not expression:
            return LibraryResult(query=text, count=0, results=(), notes=(NO_WORDS,))
        with self.reading() as connection:
            counting = "SELECT count(*) FROM texts WHERE texts MATCH ?"
            count = int(connection.execute(counting, (expression,)).fetchone()[0])
            ranking = self._ranking(typed)
            numbers = self._first(typed, ranking.having, max(2 * limit, DEPTH), count) if count else []
            hits = self._ordered(numbers, ranking, limit)
        return LibraryResult(query=text, count=count, results=tuple(hits))

    def papers(self, ids: Sequence[str]) -> list[LibraryPaper]:
        """Return the papers with these ids, in their order; unknown ids are left out."""
        select = f"SELECT {schema.PAPER_COLUMNS} FROM papers WHERE id = ?"  # noqa: S608
        with self.reading() as connection:
            rows = [connection.execute(select, (each,)).fetchone() for each in ids]
        return [schema.paper_of(row) for row in rows if row is not None]

    def __iter__(self) -> Iterator[LibraryPaper]:
        """Iterate over all papers, in the order of their import, each as it is when it is reached."""
        number = 0
        select = f"SELECT number, {schema.PAPER_COLUMNS} FROM papers WHERE number > ? ORDER BY number LIMIT 100"  # noqa: S608
        while True:
            with self.reading() as connection:
                rows = connection.execute(select, (number,)).fetchall()
            if not rows:
                return
            for row in rows:
                yield schema.paper_of(row[1:])
            number = rows[-1][0]

    def allowed(self, query: str, filters: LibraryFilters = NO_FILTERS) -> frozenset[int] | None:
        """Return the numbers of the papers that meet all of a query but its plain words; None is every paper."""
        typed = read_query(checked(query), filters)
        if not typed.required and not typed.excluded:
            return None
        select, excluding = "SELECT rowid FROM texts WHERE texts MATCH ?", "SELECT number FROM papers"
        with self.reading() as connection:
            required = typed.expression(())
            found = connection.execute(select, (required,)) if required else connection.execute(excluding)
            numbers = {row[0] for row in found}
            if typed.excluded and not required:
                numbers -= {row[0] for each in typed.excluded for row in connection.execute(select, (each,))}
        return frozenset(numbers)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the file; raises `Misconfigured` if it turns out to be damaged."""
        with self._lock:
            is_outermost = not self.connection.in_transaction
            try:
                if is_outermost:
                    self.connection.execute("BEGIN")
                yield self.connection
            except sqlite3.DatabaseError as error:
                raise schema.unreadable(self._path, error) from error
            finally:
                if is_outermost and self.connection.in_transaction:
                    self.connection.rollback()

    def _ranking(self, typed: TypedQuery) -> Ranking:
        rows = self.connection.execute("SELECT field, papers, words FROM lengths")
        means = {field: words / papers for field, papers, words in rows if papers}
        papers = int(self.connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        having = {term: self._having(term) for term in dict.fromkeys(typed.terms) if term}
        return Ranking(typed.terms, papers, having, means)

    def _having(self, term: Term) -> int:
        """Return how many papers have a term, or at most have a word that begins with it."""
        counting, values = "SELECT doc FROM vocabulary WHERE term = ?", [term.text]
        if term.is_prefix:
            counting = "SELECT sum(doc) FROM vocabulary WHERE term >= ? AND term < ?"
            values.append(term.text + chr(0x10FFFF))
        row = self.connection.execute(counting, values).fetchone()
        return int(row[0] or 0) if row else 0

    def _first(self, typed: TypedQuery, having: Mapping[Term, int], depth: int, count: int) -> list[int]:
        """Return the numbers of the best papers in the first order; of filters alone, of the latest papers."""
        if not typed.words and not typed.text:
            select = "SELECT number FROM papers WHERE number IN (SELECT rowid FROM texts WHERE texts MATCH ?)"
            latest = f"{select} ORDER BY year DESC, number LIMIT ?"
            return [row[0] for row in self.connection.execute(latest, (typed.expression(), depth))]
        rarest = typed.words if typed.text else _rarest(typed.words, having)
        found = self._by_bm25(typed.expression(rarest), depth)
        if len(found) < min(depth, count) and len(rarest) < len(typed.words):
            found = self._by_bm25(typed.expression(), depth)
        return found

    def _by_bm25(self, expression: str, depth: int) -> list[int]:
        select = "SELECT rowid FROM texts WHERE texts MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self.connection.execute(select, (expression, FIRST_ORDER, depth))]

    def _ordered(self, numbers: Sequence[int], ranking: Ranking, limit: int) -> list[LibraryHit]:
        """Score the papers and return the best; equal ones, as all are without words, keep their order."""
        places = ",".join("?" * len(numbers))
        select = f"SELECT number, {', '.join(schema.SEARCHED)} FROM papers WHERE number IN ({places})"  # noqa: S608
        scores = {
            number: ranking.score(dict(zip(schema.SEARCHED, texts, strict=True)))
            for number, *texts in self.connection.execute(select, list(numbers))
        }
        best = sorted(numbers, key=lambda number: -scores[number])[:limit]
        return [self._hit(number, scores[number], ranking) for number in best]

    def _hit(self, number: int, score: float, ranking: Ranking) -> LibraryHit:
        select = f"SELECT {schema.PAPER_COLUMNS} FROM papers WHERE number = ?"  # noqa: S608
        paper = schema.paper_of(self.connection.execute(select, (number,)).fetchone())
        relevance = min(1.0, score / ranking.best) if ranking.best else 0.0
        return LibraryHit(
            project=self.project,
            paper=paper,
            score=round(score, 4),
            relevance=round(relevance, 4),
            excerpt=excerpt(paper, ranking.known),
        )


def checked(query: str) -> str:
    """Return a query without the spaces around it; raises `InvalidRequest` if it is empty or too long."""
    text = query.strip()
    if not text:
        raise InvalidRequest("Query cannot be empty")
    if len(text) > MAX_QUERY:
        raise InvalidRequest(f"query: must have at most {MAX_QUERY} characters (given {len(text)} characters)")
    return text


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


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file read-only; one in a folder that cannot be written to is taken not to change."""
    uri = f"{path.resolve().as_uri()}?mode=ro"
    if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        uri += "&immutable=1"
    return sqlite3.connect(uri, uri=True, timeout=schema.BUSY_SECONDS, isolation_level=None, check_same_thread=False)
