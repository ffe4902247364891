"""Searches a catalogue with the semantics of a GitHub search: all words must occur, qualifiers filter, sorts order.

A catalogue can also match any of the words, and the meaning of all of them. GitHub knows the stars and the last push of
every repository; a catalogue may not. What is unknown of these passes the qualifiers and sorts last.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

import goldpan_data

from goldpan.counts import counted
from goldpan.engine.deadlines import Deadline
from goldpan.errors import Misconfigured, TimedOut
from goldpan.infra.encoder.port import Encoder, StoredVectors
from goldpan.infra.sqlite_file import Row, SqliteReader
from goldpan.kinds.repositories.categories import category_index
from goldpan.kinds.repositories.models import Matching, Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Found, RepositorySource, render
from goldpan.kinds.repositories.repository_text import present_names
from goldpan.kinds.repositories.sources.catalogue.packed import COLUMNS, EPOCH, name_key, unpack
from goldpan.text import terms

FORMAT = 9
"""Changed whenever the tables, the indexed texts or `goldpan.text.terms` change; the reader refuses other formats."""
PAGE = 100
ORDERS = {
    "stars": "r.stars DESC NULLS LAST, r.id",
    "updated": "r.pushed_at DESC NULLS LAST, r.id",
    "best_match": "score, r.stars DESC NULLS LAST, r.id",
}
WITHOUT_VECTORS: frozenset[Matching] = frozenset({"all", "any", "category"})
WITH_VECTORS: frozenset[Matching] = WITHOUT_VECTORS | {"meaning"}
COLUMN_WEIGHTS = "3.0, 1.5, 2.0, 1.0"
"""Of name, description, topics and README in the best match."""
FAME_WEIGHT = 0.0003
"""What each thousandth of a power of ten of stars adds to the best match, which at GitHub is not of words alone."""

MATCHING = "texts MATCH ?"
DAY = 86_400
"""Seconds."""
IN = "{} IN (SELECT value FROM json_each(?))"


class Conditions(NamedTuple):
    """A FROM clause, the conditions of WHERE that all hold, and the values of their placeholders."""

    tables: str
    where: list[str]
    values: list[str | int]

    def counted(self) -> Conditions:
        """Return conditions with as many rows: words alone are counted without the repositories, in a tenth."""
        return self._replace(tables="texts") if self.where == [MATCHING] else self


class Catalogue(RepositorySource):
    """A SQLite file of repositories, open for reading; safe to share between threads."""

    searches_a_question = 15

    def __init__(self, file: SqliteReader, encoder: Encoder | None = None) -> None:
        self._file, self._encoder = file, encoder
        self.close = file.close
        meta: dict[str, str] = dict(file.select("SELECT key, value FROM meta"))
        if meta["format"] != str(FORMAT):
            message = f"the catalogue has format {meta['format']}, this version reads {FORMAT}: build it again"
            raise Misconfigured(message)
        self.title = meta["title"]
        self.as_of = meta["as_of"]
        ((self.size,),) = file.select("SELECT count(*) FROM repositories")

    @classmethod
    def open(cls, path: Path, encoder: Encoder | None = None) -> Self:
        """Open a catalogue file; raises `Misconfigured` if it is missing or not a catalogue."""
        if not path.is_file():
            raise Misconfigured(f"no catalogue at {path}: make one with `goldpan catalogue build`")
        try:
            return cls(SqliteReader.of_file(path), encoder)
        except (sqlite3.DatabaseError, KeyError) as error:
            raise Misconfigured(f"{path} is not a catalogue: {error}") from error

    @property
    def notice(self) -> str:
        """The title and size of the catalogue, and the latest day on which its facts were observed."""
        dated = f", facts as of {self.as_of}" if self.as_of else ""
        answered = f"Answered from {self.title} of {counted(self.size, 'repositories')}{dated}."
        made_by = [name for (name,) in self._file.select("SELECT encoder FROM vectors")]
        if self._encoder is None or self._vectors is not None or not made_by:
            return answered
        made = f"Its vectors are of another encoder ({made_by[0]}), so it was searched by words alone"
        return f"{answered} {made}; `goldpan catalogue build` makes new ones."

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches one after the other; raises `TimedOut` if the deadline passes before the last."""
        lists, available = [], 0
        for search in searches:
            if not deadline.left:
                raise TimedOut("the deadline passed before the catalogue was searched")
            found, count = self._run(search)
            lists.append(found)
            available += count
        asked = (search.model_copy(update={"license": None}) for search in searches)  # by which it does not search
        return Found(tuple(lists), available, tuple(map(render, asked)))

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return the repositories of these names, whatever their case, or else of the names that goldpan knows now."""
        del deadline
        now = [present_names().get(name.lower(), name) for name in names]
        known = {key: unpack(*row) for key, *row in self._select(f"n.key, {COLUMNS}", _named((*names, *now)))}
        found = (known.get(name_key(name)) or known.get(name_key(new)) for name, new in zip(names, now, strict=True))
        lists = tuple((one,) if one else () for one in found)
        return Found(lists, sum(map(len, lists)), tuple(names))

    def name_keys(self) -> set[int]:
        """Return the keys of all names."""
        return {key for (key,) in self._file.select("SELECT key FROM names")}

    def repositories(self) -> Iterator[Repository]:
        """Yield all repositories, in the order of the file."""
        for row in self._file.connection.execute(f"SELECT {COLUMNS} FROM repositories r ORDER BY id"):  # noqa: S608 - constants
            yield unpack(*row)

    @property
    def matches(self) -> frozenset[Matching]:
        """How it can match the words of a search: by meaning if it has vectors of its encoder."""
        return WITH_VECTORS if self._vectors else WITHOUT_VECTORS

    @cached_property
    def _vectors(self) -> StoredVectors | None:
        name = self._encoder.name if self._encoder else ""
        rows = self._file.select("SELECT content, dimensions FROM vectors WHERE encoder = ?", [name])
        return StoredVectors(*rows[0]) if rows else None

    def _nearest(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the repositories that are closest in meaning among those that meet the qualifiers."""
        if self._encoder is None or self._vectors is None:
            return (), 0
        conditions = _compiled(search, ())
        ids = None if not conditions.where else [row[0] - 1 for row in self._select("r.id", conditions)]
        (vector,) = self._encoder.encode([" ".join(search.words)])
        hits = self._vectors.nearest(vector, PAGE, ids)
        wanted = json.dumps([position + 1 for position in hits])
        rows = self._select(f"r.id, {COLUMNS}", Conditions("repositories r", [IN.format("r.id")], [wanted]))
        found = {number: unpack(*row) for number, *row in rows}
        return tuple(found[position + 1] for position in hits), len(hits)

    def _listed(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the repositories of categories that meet the qualifiers, the most starred first."""
        listed, conditions = _named(category_index().repositories(search.words)), _compiled(search, ())
        both = Conditions(listed.tables, listed.where + conditions.where, listed.values + conditions.values)
        rows = self._select(COLUMNS, both, f"ORDER BY {ORDERS['stars']} LIMIT {PAGE}")
        return tuple(unpack(*row) for row in rows), len(rows)

    def _run(self, search: RepositorySearch) -> tuple[tuple[Repository, ...], int]:
        """Return the first page of a search, and how many repositories match it."""
        if search.words and not any(terms(word) for word in search.words):
            return (), 0  # punctuation alone occurs in no text
        if search.match == "meaning":
            return self._nearest(search)
        if search.match == "category":
            return self._listed(search)
        conditions = _compiled(search, search.words)
        score = f"bm25(texts, {COLUMN_WEIGHTS}) * (1 + {FAME_WEIGHT} * r.fame)" if search.words else "0"
        rows = self._select(f"{COLUMNS}, {score} AS score", conditions, f"ORDER BY {ORDERS[search.sort]} LIMIT {PAGE}")
        count = len(rows) if len(rows) < PAGE else int(self._select("count(*)", conditions.counted())[0][0])
        return tuple(unpack(*row) for *row, _ in rows), count

    def _select(self, columns: str, conditions: Conditions, tail: str = "") -> list[Row]:
        where = " AND ".join(conditions.where) or "1"
        statement = f"SELECT {columns} FROM {conditions.tables} WHERE {where} {tail}"  # noqa: S608 - made of constants
        return self._file.select(statement, conditions.values)


def _named(names: Iterable[str]) -> Conditions:
    """Write the condition that a repository has one of some names, whatever their case."""
    tables = "repositories r JOIN names n ON n.id = r.id"
    return Conditions(tables, [IN.format("n.key")], [json.dumps(sorted(map(name_key, names)))])


def _compiled(search: RepositorySearch, words: Sequence[str]) -> Conditions:
    """Write the qualifiers of a search and words that are to match as SQL."""
    matched = [f'"{term}"' for word in words for term in terms(word)]
    tables = "texts JOIN repositories r ON r.id = texts.rowid" if matched else "repositories r"
    pattern = (" AND " if search.match == "all" else " OR ").join(matched)
    conditions: list[tuple[str, str | int | None]] = [
        (MATCHING, pattern or None),
        ("r.language = ?", search.language),
        ("(r.stars >= ? OR r.stars IS NULL)", search.stars.min),
        ("(r.stars <= ? OR r.stars IS NULL)", search.stars.max),
        ("(r.created_at >= ? OR r.created_at IS NULL)", _seconds(search.created_after)),
        ("(r.created_at <= ? OR r.created_at IS NULL)", _seconds(search.created_before, DAY - 1)),
        ("(r.pushed_at >= ? OR r.pushed_at IS NULL)", _seconds(search.pushed_after)),
    ]
    phrases = ('"' + topic.lower().replace('"', '""') + '"' for topic in search.topics)  # of FTS5
    conditions += [("r.id IN (SELECT rowid FROM topics WHERE topics MATCH ?)", phrase) for phrase in phrases]
    given = [(condition, value) for condition, value in conditions if value is not None]
    return Conditions(tables, [condition for condition, _ in given], [value for _, value in given])


def _seconds(day: date | None, more: int = 0) -> int | None:
    return DAY * (day - EPOCH.date()).days + more if day else None


def open_sample(encoder: Encoder | None) -> Catalogue:
    """Open the sample catalogue of goldpan-data: it answers without a network and without keys."""
    return Catalogue.open(goldpan_data.file("sample_catalogue.sqlite"), encoder)
