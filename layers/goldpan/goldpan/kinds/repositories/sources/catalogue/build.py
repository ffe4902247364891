"""Builds a catalogue from JSON Lines: a table of repositories and a full-text index of their terms."""

from __future__ import annotations

import gzip
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from goldpan.errors import InvalidRequest
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.record import Record
from goldpan.text import name_terms, terms

FORMAT = 3
"""Changed whenever the tables or `goldpan.text.terms` change; the reader refuses other formats."""
# Terms are stored stemmed and separated by spaces, so that the tokenizer has nothing to do but split them.
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY, facts TEXT NOT NULL, language TEXT, stars INTEGER,
    pushed_at TEXT, created_at TEXT, fame REAL NOT NULL
);
CREATE TABLE topics (topic TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (topic, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE texts USING fts5 (
    name, description, topics, readme,
    content='', tokenize="ascii tokenchars '+#.'"
);
"""


def records_from_lines(path: Path) -> Iterator[Record]:
    """Read records from JSON Lines, compressed with gzip if the name ends in `.gz`.

    Raises `InvalidRequest` with the number of the first line that is not a record.
    """
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _record(path, number, line)


def _record(path: Path, number: int, line: bytes) -> Record:
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        row = error.errors()[0]
        where = ".".join(str(part) for part in row["loc"]) or "line"
        message = f"{path} line {number}: {where}: {row['msg']} (given {str(row['input'])[:60]!r})"
        raise InvalidRequest(message) from error


def build_catalogue(records: Iterable[Record], path: Path, title: str) -> int:
    """Write a catalogue file atomically and return the number of its repositories; answers name it by `title`."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        connection = sqlite3.connect(unfinished)
        try:
            count = fill(connection, records, title)
        finally:
            connection.close()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def fill(connection: sqlite3.Connection, records: Iterable[Record], title: str) -> int:
    """Fill an empty database; of records with the same name, in any letter case, the last one is stored."""
    connection.executescript(SCHEMA)
    latest = {record.full_name.lower(): record for record in records}
    as_of = max((day for record in latest.values() for day in record.as_of.values()), default=None)
    with connection:
        for number, record in enumerate(latest.values(), start=1):
            _insert(connection, number, record.repository())
        meta = {"format": str(FORMAT), "title": title, "as_of": as_of.isoformat() if as_of else ""}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        connection.execute("INSERT INTO texts(texts) VALUES ('optimize')")
    return len(latest)


def _insert(connection: sqlite3.Connection, number: int, repository: Repository) -> None:
    facts = repository.model_dump_json(exclude_defaults=True)
    pushed, created = (moment and moment.date().isoformat() for moment in (repository.pushed_at, repository.created_at))
    language = repository.language and repository.language.lower()
    connection.execute(
        "INSERT INTO repositories VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, facts, language, repository.stars, pushed, created, math.log10(1 + (repository.stars or 0))),
    )
    topics = {topic.lower() for topic in repository.topics}
    connection.executemany("INSERT INTO topics VALUES (?, ?)", [(topic, number) for topic in sorted(topics)])
    owner, _, name = repository.full_name.partition("/")
    columns = (
        [*terms(owner), *name_terms(name)],
        terms(repository.description),
        [term for topic in repository.topics for term in terms(topic)],
        terms(repository.readme),
    )
    connection.execute(
        "INSERT INTO texts(rowid, name, description, topics, readme) VALUES (?, ?, ?, ?, ?)",
        (number, *(" ".join(column) for column in columns)),
    )
