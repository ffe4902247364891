"""Searches a catalogue with the semantics of a GitHub search: all words must occur, qualifiers filter, sorts order.

A catalogue can also match any of the words, and the meaning of all of them. GitHub knows the stars and the last push of
every repository; a catalogue may not. What is unknown passes the qualifiers and sorts last.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, TimedOut
from goldpan.infra.encoder.port import Encoder, Vector
from goldpan.infra.encoder.scan import Hit, StoredVectors
from goldpan.kinds.repositories.categories import repositories_of
from goldpan.kinds.repositories.models import Matching, Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.kinds.repositories.sources.query_syntax import render
from goldpan.text import terms

FORMAT = 8
"""Changed whenever the tables, the indexed texts or `goldpan.text.terms` change; the reader refuses other formats."""
PAGE = 100
NO_CONDITION = "1"
ORDERS = {
    "stars": "r.stars DESC NULLS LAST, r.id",
    "updated": "r.pushed_at DESC NULLS LAST, r.id",
    "best_match": "score, r.stars DESC NULLS LAST, r.id",
}
WITHOUT_VECTORS: frozenset[Matching] = frozenset({"all", "any", "category"})
WITH_VECTORS: frozenset[Matching] = WITHOUT_VECTORS | {"meaning"}
COLUMN_WEIGHTS = "3.0, 1.5, 2.0, 1.0"
"""Of name, description, topics and README in the best match."""
FAME_WEIGHT = 0.3
"""What each power of ten of stars adds to the best match: GitHub's does not depend on the words alone either."""


class Catalogue:
    """A SQLite file of repositories, open for reading; safe to share between threads."""

    searches_a_question = 15

    def __init__(self, connection: sqlite3.Connection, encoder: Encoder | None = None) -> None:
        self._connection, self._encoder = connection, encoder
        self._close = weakref.finalize(self, connection.close)  # runs when the catalogue is garbage-collected
        self._close.atexit = False  # an abandoned thread may be in a statement, which a closed connection would crash
        self._lock = threading.Lock()
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        if meta["format"] != str(FORMAT):
            message = f"the catalogue has format {meta['format']}, this version reads {FORMAT}: build it again"
            raise Misconfigured(message)
        self.title = meta["title"]
        self.as_of = meta["as_of"]
        self.size = int(connection.execute("SELECT count(*) FROM repositories").fetchone()[0])

    @classmethod
    def open(cls, path: Path, encoder: Encoder | None = None) -> Self:
        """Open a catalogue file; raises `Misconfigured` if it is missing or not a catalogue."""
        if not path.is_file():
            message = f"no catalogue at {path}: make one with `goldpan catalogue build`"
            raise Misconfigured(message)
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            return cls(connection, encoder)
        except (sqlite3.DatabaseError, KeyError) as error:
            message = f"{path} is not a catalogue: {error}"
            raise Misconfigured(message) from error

    def close(self) -> None:
        """Close the file, after the statement that a thread may be in."""
        with self._lock:
            self._close()

    @property
    def notice(self) -> str:
        """The title and size of the catalogue, and the latest day on which its facts were observed."""
        dated = f", facts as of {self.as_of}" if self.as_of else ""
        answered = f"Answered from {self.title} of {self.size:,} repositories{dated}."
        return f"{answered} {lexical}" if (lexical := self._why_lexical()) else answered

    def nearest(self, vector: Vector, limit: int) -> list[Hit]:
        """Return the repositories whose vectors are closest, by their place in stored order; empty without vectors."""
        return self._vectors.nearest(vector, limit) if self._vectors else []

    def facts(self) -> list[str]:
        """Return the facts of all repositories as JSON, in stored order."""
        return [row[0] for row in self._connection.execute("SELECT facts FROM repositories ORDER BY id")]

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches one after the other; raises `TimedOut` if the deadline passes before the last."""
        lists, available = [], 0
        for search in searches:
            if not deadline.left:
                raise TimedOut("the deadline passed before the catalogue was searched")
            found, count = self._run(search)
            lists.append(found)
            available += count
        return Found(tuple(lists), available, tuple(render(search).text for search in searches))

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return the repositories of these names, whatever their case; a catalogue knows no former names."""
        del deadline
        statement = "SELECT r.facts FROM repositories r JOIN names n ON n.id = r.id WHERE n.name = ?"
        with self._lock:
            rows = [self._connection.execute(statement, [name.lower()]).fetchone() for name in names]
        lists = tuple((Repository.model_validate_json(row[0]),) if row else () for row in rows)
        return Found(lists, sum(map(len, lists)), tuple(names))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Return the repositories unchanged: a search already gives all that the catalogue has."""
        del deadline
        return Enriched(tuple(repositories))

    @property
    def matches(self) -> frozenset[Matching]:
        """How it can match the words of a search: by meaning if it has vectors of its encoder."""
        return WITH_VECTORS if self._vectors else WITHOUT_VECTORS

    def _why_lexical(self) -> str:
        """Return why its vectors cannot be searched; empty if they can, or if there is no encoder or no vector."""
        if self._encoder is None or self._vectors is not None:
            return ""
        row = self._connection.execute("SELECT encoder FROM vectors").fetchone()
        if row is None:
            return ""
        made = f"Its vectors are of another encoder ({row[0]}), so it was searched by words alone"
        return f"{made}; `goldpan catalogue build` makes new ones."

    @cached_property
    def _vectors(self) -> StoredVectors | None:
        row = self._connection.execute("SELECT encoder, dimensions, content FROM vectors").fetchone()
        if row is None or self._encoder is None or row[0] != self._encoder.name:
            return None
        return StoredVectors(row[2], row[1])

    def _nearest(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the repositories that are closest in meaning among those that meet the qualifiers."""
        if self._encoder is None or self._vectors is None:
            return (), 0
        tables, where, values = _compile(search.model_copy(update={"words": ()}))
        with self._lock:
            ids = None
            if where != NO_CONDITION:
                found = self._connection.execute(f"SELECT r.id FROM {tables} WHERE {where}", values)  # noqa: S608
                ids = [row[0] - 1 for row in found]
            (vector,) = self._encoder.encode([" ".join(search.words)])
            hits = self._vectors.nearest(vector, PAGE, ids)
            places = ",".join("?" * len(hits))
            rows = self._connection.execute(
                f"SELECT id, facts FROM repositories WHERE id IN ({places})",  # noqa: S608
                [hit.position + 1 for hit in hits],
            )
            facts = dict(rows.fetchall())
        return tuple(Repository.model_validate_json(facts[hit.position + 1]) for hit in hits), len(hits)

    def _filed(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the repositories of categories that meet the qualifiers, the most starred first."""
        filed = sorted(repositories_of(search.words))
        tables, where, values = _compile(search.model_copy(update={"words": ()}))
        places = ",".join("?" * len(filed))
        statement = (
            f"SELECT r.facts FROM {tables} JOIN names n ON n.id = r.id "  # noqa: S608 - built from constants
            f"WHERE n.name IN ({places}) AND {where} ORDER BY {ORDERS['stars']} LIMIT {PAGE}"
        )
        with self._lock:
            rows = self._connection.execute(statement, [*filed, *values]).fetchall()
        return tuple(Repository.model_validate_json(facts) for (facts,) in rows), len(rows)

    def _run(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the first page of a search, and how many repositories match it."""
        if search.words and not any(terms(word) for word in search.words):
            return (), 0  # punctuation alone occurs in no text
        if search.match == "meaning":
            return self._nearest(search)
        if search.match == "category":
            return self._filed(search)
        tables, where, values = _compile(search)
        score = f"bm25(texts, {COLUMN_WEIGHTS}) * (1 + {FAME_WEIGHT} * r.fame)" if search.words else "0"
        order = ORDERS[search.sort]
        statement = f"SELECT r.facts, {score} AS score FROM {tables} WHERE {where} ORDER BY {order} LIMIT {PAGE}"  # noqa: S608
        with self._lock:
            rows = self._connection.execute(statement, values).fetchall()
            count = len(rows)
            if count == PAGE:
                counting = f"SELECT count(*) FROM {tables} WHERE {where}"  # noqa: S608 - built from constants
                count = int(self._connection.execute(counting, values).fetchone()[0])
        return tuple(Repository.model_validate_json(facts) for facts, _ in rows), count


class _Conditions(NamedTuple):
    tables: str
    where: str
    values: list[str | int]


def _compile(search: RepositorySearch) -> _Conditions:
    """Write a search as SQL: the FROM and WHERE clauses, and the values of their placeholders."""
    tables = "repositories r"
    matched = [f'"{term}"' for word in search.words for term in terms(word)]
    conditions: list[tuple[str, str | int | None]] = []
    created = search.created_after.isoformat() if search.created_after else None
    if matched:
        tables = "texts JOIN repositories r ON r.id = texts.rowid"
        conditions.append(("texts MATCH ?", (" AND " if search.match == "all" else " OR ").join(matched)))
    conditions += [
        ("r.language = ?", search.language.lower() if search.language else None),
        ("(r.stars >= ? OR r.stars IS NULL)", search.stars.min),
        ("(r.stars <= ? OR r.stars IS NULL)", search.stars.max),
        ("(r.created_at >= ? OR r.created_at IS NULL)", created),
        ("(r.pushed_at >= ? OR r.pushed_at IS NULL)", search.pushed_after.isoformat() if search.pushed_after else None),
    ]
    conditions += [("r.id IN (SELECT id FROM topics WHERE topic = ?)", topic.lower()) for topic in search.topics]
    given = [(condition, value) for condition, value in conditions if value is not None]
    where = " AND ".join(condition for condition, _ in given) or NO_CONDITION
    return _Conditions(tables, where, [value for _, value in given])
