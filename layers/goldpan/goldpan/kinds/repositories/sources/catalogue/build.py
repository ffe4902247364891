"""The records of a catalogue, read from JSON Lines, and the file made from them: a table and a full-text index."""

import math
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, ValidationError

from goldpan.config import pattern_in_words
from goldpan.contracts.validation_errors import describe_validation_error
from goldpan.errors import InvalidRequest
from goldpan.infra.encoder.port import Encoder, Vector
from goldpan.infra.input_lines import MAX_LINE_BYTES, bounded_lines, parse_line, quoted, unknown_fields
from goldpan.kinds.repositories.models import KnownFacts, Repository
from goldpan.kinds.repositories.repository_text import meaning_text, note_of
from goldpan.kinds.repositories.sources.catalogue.packed import name_key, pack
from goldpan.kinds.repositories.sources.catalogue.reader import FORMAT
from goldpan.text import name_terms, terms

DATED = ("stars", "pushed_at", "latest_release_at")
"""The facts whose day of observation is kept."""
BATCH = 1000
"""Repositories whose texts are encoded together."""


class Record(KnownFacts):
    """A repository as a line of the input has it; only the name is required."""

    model_config = ConfigDict(extra="ignore")

    full_name: Annotated[str, Field(pattern=r"^[^/\s]+/[^/\s]+$"), pattern_in_words("must be OWNER/NAME")]
    list_description: str | None = None
    language_hint: str | None = None
    topics: tuple[str, ...] | None = None
    latest_release: str | None = None
    as_of: dict[str, date] = Field(default_factory=dict)
    """The day on which a field was observed."""

    def repository(self) -> Repository:
        """Return the repository; its README stays unknown."""
        own = {"list_description", "language", "language_hint", "topics", "latest_release", "as_of"}
        return Repository(
            **self.model_dump(exclude=own),
            url=f"https://github.com/{self.full_name}",
            language=self.language or self.language_hint,
            topics=self.topics,
            observed={name: self.as_of[name] for name in DATED if name in self.as_of},
            curator_text=self.list_description,
            latest_release_name=self.latest_release,
        )


# Times are seconds since 1970, fame is 1000 times the power of ten of the stars, the key of a name that of `name_key`.
# Terms are stored stemmed and separated by spaces, so that the tokenizer has nothing to do but split them.
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY, facts BLOB NOT NULL, language TEXT COLLATE NOCASE, stars INTEGER,
    pushed_at INTEGER, created_at INTEGER, fame INTEGER NOT NULL
);
CREATE TABLE vectors (encoder TEXT NOT NULL, dimensions INTEGER NOT NULL, content BLOB NOT NULL);
CREATE TABLE names (key INTEGER PRIMARY KEY, id INTEGER NOT NULL);
CREATE VIRTUAL TABLE topics USING fts5 (topic, content='', columnsize=0, tokenize="ascii tokenchars '-+#.'");
CREATE VIRTUAL TABLE texts USING fts5 (
    name, description, topics, readme,
    content='', tokenize="ascii tokenchars '+#.'"
);
"""


def build_catalogue(records: Iterable[Record], path: Path, title: str, encoder: Encoder | None = None) -> int:
    """Write a catalogue file of records, as `write_catalogue` does."""
    return write_catalogue(unique(records), path, title, encoder)


def write_catalogue(repositories: Iterable[Repository], path: Path, title: str, encoder: Encoder | None = None) -> int:
    """Write a catalogue file atomically, with vectors if there is an encoder; return the number of its repositories."""
    path = path.resolve()  # a link stays one
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        connection = sqlite3.connect(unfinished)
        try:
            count = fill(connection, repositories, title, encoder)
        finally:
            connection.close()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def unique(records: Iterable[Record]) -> Iterator[Repository]:
    """Yield the repository of each record; of records with the same name, in any letter case, that of the last one."""
    latest = {record.full_name.lower(): record for record in records}
    return (record.repository() for record in latest.values())


def fill(
    connection: sqlite3.Connection, repositories: Iterable[Repository], title: str, encoder: Encoder | None = None
) -> int:
    """Fill an empty database with repositories of different names, and return their number."""
    connection.executescript(SCHEMA)
    count, days, vectors, rest = 0, set[date](), list[Vector](), iter(repositories)
    keys = list[tuple[int, int]]()
    with connection:
        while batch := list(islice(rest, BATCH)):
            for count, repository in enumerate(batch, start=count + 1):  # noqa: B020 - it goes on where it was
                _insert(connection, count, repository)
                keys.append((name_key(repository.full_name), count))
                days.update(repository.observed.values())
            vectors += encoder.encode([meaning_text(each) for each in batch]) if encoder else ()
        if encoder is not None:
            row = (encoder.name, encoder.dimensions, b"".join(vectors))
            connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", row)
        connection.executemany("INSERT INTO names VALUES (?, ?)", sorted(keys))  # in order they fill whole pages
        as_of = max(days).isoformat() if days else ""
        meta = {"format": str(FORMAT), "title": title, "as_of": as_of}
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        connection.execute("INSERT INTO texts(texts) VALUES ('optimize')")
    return count


def _insert(connection: sqlite3.Connection, number: int, repository: Repository) -> None:
    fame = round(1000 * math.log10(1 + (repository.stars or 0)))
    connection.execute("INSERT INTO repositories VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *pack(repository), fame))
    topics = " ".join(repository.topics or ()).lower()
    connection.execute("INSERT INTO topics(rowid, topic) VALUES (?, ?)", (number, topics))
    owner, _, name = repository.full_name.partition("/")
    columns = (
        [*terms(owner), *name_terms(name)],
        terms(repository.description),
        [term for topic in repository.topics or () for term in terms(topic)],
        [*terms(repository.curator_text), *terms(note_of(repository))],
    )
    statement = "INSERT INTO texts(rowid, name, description, topics, readme) VALUES (?, ?, ?, ?, ?)"
    connection.execute(statement, (number, *map(" ".join, columns)))


def records_from_lines(path: Path, unknown: Counter[str] | None = None) -> Iterator[Record]:
    """Read records from JSON Lines, compressed with gzip if the name ends in `.gz`; count lines with unknown fields.

    Raises `InvalidRequest` with the number of the first line that is not a record, or if there is none.
    """
    unknown, record = Counter[str]() if unknown is None else unknown, None
    for number, line in bounded_lines(path):
        if len(line) <= MAX_LINE_BYTES and not line.strip():
            continue
        try:
            record = Record.model_validate(_fields(line, unknown))
        except ValueError as error:
            fault = describe_validation_error(error, Record) if isinstance(error, ValidationError) else str(error)
            raise InvalidRequest(f"{path} line {number}: {fault}") from error
        yield record
    if record is None:
        raise InvalidRequest(f"{path}: has no records; one JSON object a line is required")


def _fields(line: bytes, unknown: Counter[str]) -> dict[str, object]:
    """Parse a line, and count its unknown fields. Raises `ValueError` with the fault."""
    fields = parse_line(line)
    if not isinstance(fields, dict):
        message = f"a JSON object is required (given {quoted(fields)})"
        raise ValueError(message)  # noqa: TRY004 - the input is wrong, not the code
    unknown.update(unknown_fields(fields, Record.model_fields))
    if isinstance(fields.get("as_of"), dict):
        unknown.update(f"as_of.{name}" for name in unknown_fields(fields["as_of"], Record.model_fields))
    return fields
