"""Answers searches from a catalogue: all words must occur, qualifiers and order as at GitHub.

GitHub knows the last push of every repository. A catalogue may not: an unknown one passes, and comes last in the order
by it. Unknown stars meet no range: too many repositories that nobody counted would pass.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, TimedOut
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.sources.catalogue.build import FORMAT, fill
from goldpan.kinds.repositories.sources.catalogue.record import Record
from goldpan.kinds.repositories.sources.github.query_syntax import render
from goldpan.text import terms

PAGE = 100
ORDERS = {
    "stars": "r.stars DESC NULLS LAST, r.id",
    "updated": "r.pushed_at DESC NULLS LAST, r.id",
    "best_match": "score, r.stars DESC NULLS LAST, r.id",
}
PLACE_WEIGHTS = "3.0, 1.5, 2.0, 1.0"
"""Of name, description, topics and README in the best match."""
FAME = 0.3
"""What each power of ten of stars adds to the best match: GitHub's, too, is not of the words alone."""


class Catalogue:
    """One SQLite file of repositories, open for reading; may be shared between threads."""

    searches_a_question = 15

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._closing = weakref.finalize(self, connection.close)  # so that nobody has to remember it
        self._turn = threading.Lock()
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        if meta["format"] != str(FORMAT):
            message = f"the catalogue has format {meta['format']}, this version reads {FORMAT}: build it again"
            raise Misconfigured(message)
        self.title = meta["title"]
        self.as_of = meta["as_of"]
        self.size = int(connection.execute("SELECT count(*) FROM repositories").fetchone()[0])

    @property
    def notice(self) -> str:
        """Say what was searched, and as of when."""
        dated = f", facts as of {self.as_of}" if self.as_of else ""
        return f"Answered from {self.title} of {self.size:,} repositories{dated}."

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a catalogue file; raises `Misconfigured` where there is none."""
        if not path.is_file():
            message = f"no catalogue at {path}: make one with `goldpan catalogue build`"
            raise Misconfigured(message)
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            return cls(connection)
        except (sqlite3.DatabaseError, KeyError) as error:
            message = f"{path} is not a catalogue: {error}"
            raise Misconfigured(message) from error

    @classmethod
    def in_memory(cls, records: Iterable[Record], title: str) -> Self:
        """Make a catalogue that lives as long as the process."""
        connection = sqlite3.connect(":memory:", check_same_thread=False)
        fill(connection, records, title)
        return cls(connection)

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches one after the other."""
        lists, available = [], 0
        for search in searches:
            if not deadline.left:
                raise TimedOut("the catalogue was cut at its deadline")
            found, count = self._one(search)
            lists.append(found)
            available += count
        return Found(tuple(lists), available, tuple(_shown(search) for search in searches))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories back: a search tells all that the catalogue knows."""
        del deadline
        return Enriched(tuple(repositories))

    def close(self) -> None:
        """Close the file, before the catalogue is forgotten."""
        self._closing()

    def _one(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        if search.words and not any(terms(word) for word in search.words):
            return (), 0  # signs alone occur in no text
        tables, conditions, values = _conditions(search)
        where = " AND ".join(conditions) or "1"
        ranked = bool(search.words)
        score = f"bm25(texts, {PLACE_WEIGHTS}) * (1 + {FAME} * r.fame)" if ranked else "0"
        order = ORDERS[search.sort]
        statement = f"SELECT r.facts, {score} AS score FROM {tables} WHERE {where} ORDER BY {order} LIMIT {PAGE}"  # noqa: S608
        with self._turn:
            rows = self._connection.execute(statement, values).fetchall()
            count = len(rows)
            if count == PAGE:
                counting = f"SELECT count(*) FROM {tables} WHERE {where}"  # noqa: S608 - built from constants
                count = int(self._connection.execute(counting, values).fetchone()[0])
        return tuple(Repository.model_validate_json(facts) for facts, _ in rows), count


def _conditions(search: RepositorySearch) -> tuple[str, list[str], list[str | int]]:
    tables, conditions, values = "repositories r", [], list[str | int]()
    matched = [f'"{term}"' for word in search.words for term in terms(word)]
    if matched:
        tables = "texts JOIN repositories r ON r.id = texts.rowid"
        conditions.append("texts MATCH ?")
        values.append(" AND ".join(matched))
    comparisons: list[tuple[str, str | int | None]] = [
        ("r.language = ?", search.language.lower() if search.language else None),
        ("r.stars >= ?", search.stars.min),
        ("r.stars <= ?", search.stars.max),
        ("r.created_at >= ?", search.created_after.isoformat() if search.created_after else None),
        ("(r.pushed_at >= ? OR r.pushed_at IS NULL)", search.pushed_after.isoformat() if search.pushed_after else None),
    ]
    comparisons += [("r.id IN (SELECT id FROM topics WHERE topic = ?)", topic.lower()) for topic in search.topics]
    for condition, value in comparisons:
        if value is not None:
            conditions.append(condition)
            values.append(value)
    return tables, conditions, values


def _shown(search: RepositorySearch) -> str:
    """Write the search as GitHub would be asked: the one notation of a search."""
    return render(search).text
