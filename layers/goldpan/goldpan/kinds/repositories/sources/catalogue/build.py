"""The records of a catalogue, and the file made from them: a table and a full-text index."""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from goldpan.config import pattern_in_words
from goldpan.infra.encoder.port import Encoder
from goldpan.kinds.repositories.models import Count, Moment, Repository
from goldpan.kinds.repositories.repository_text import meaning_text, note_of
from goldpan.kinds.repositories.sources.catalogue.reader import FORMAT
from goldpan.text import name_terms, terms

DATED = ("stars", "pushed_at", "latest_release_at")
"""The facts whose day of observation is kept."""


class Record(BaseModel):
    """A repository as a line of the input has it; only the name is required."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    full_name: Annotated[str, Field(pattern=r"^[^/\s]+/[^/\s]+$"), pattern_in_words("must be OWNER/NAME")]
    description: str | None = None
    list_description: str | None = None
    language: str | None = None
    language_hint: str | None = None
    topics: tuple[str, ...] | None = None
    stars: Count | None = None
    forks: Count | None = None
    watchers: Count | None = None
    open_issues: Count | None = None
    closed_issues: Count | None = None
    contributors: Count | None = None
    releases: Count | None = None
    latest_release: str | None = None
    latest_release_at: Moment | None = None
    created_at: Moment | None = None
    pushed_at: Moment | None = None
    archived: bool | None = None
    license: str | None = None
    homepage: str | None = None
    as_of: dict[str, date] = {}
    """The day on which a field was observed."""

    def repository(self) -> Repository:
        """Return the repository; its README stays unknown."""
        own = {"list_description", "language", "language_hint", "topics", "latest_release", "as_of"}
        return Repository(
            **self.model_dump(exclude=own),
            url=f"https://github.com/{self.full_name}",
            language=self.language or self.language_hint,
            topics=self.topics or (),
            observed={name: self.as_of[name] for name in DATED if name in self.as_of},
            curator_text=self.list_description,
            latest_release_name=self.latest_release,
        )


# Terms are stored stemmed and separated by spaces, so that the tokenizer has nothing to do but split them.
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY, facts TEXT NOT NULL, language TEXT, stars INTEGER,
    pushed_at TEXT, created_at TEXT, fame REAL NOT NULL
);
CREATE TABLE vectors (encoder TEXT NOT NULL, dimensions INTEGER NOT NULL, content BLOB NOT NULL);
CREATE TABLE names (name TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE topics (topic TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (topic, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE texts USING fts5 (
    name, description, topics, readme,
    content='', tokenize="ascii tokenchars '+#.'"
);
"""


def build_catalogue(records: Iterable[Record], path: Path, title: str, encoder: Encoder | None = None) -> int:
    """Write a catalogue file atomically and return the number of its repositories; answers name it by `title`.

    With an encoder the file also has the vector of each repository.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        connection = sqlite3.connect(unfinished)
        try:
            count = fill(connection, records, title, encoder)
        finally:
            connection.close()
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def fill(connection: sqlite3.Connection, records: Iterable[Record], title: str, encoder: Encoder | None = None) -> int:
    """Fill an empty database; of records with the same name, in any letter case, the last one is stored."""
    connection.executescript(SCHEMA)
    latest = {record.full_name.lower(): record for record in records}
    as_of = max((day for record in latest.values() for day in record.as_of.values()), default=None)
    with connection:
        for number, record in enumerate(latest.values(), start=1):
            _insert(connection, number, record.repository())
        if encoder is not None:
            vectors = encoder.encode([meaning_text(record.repository()) for record in latest.values()])
            row = (encoder.name, encoder.dimensions, b"".join(vectors))
            connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", row)
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
    connection.execute("INSERT INTO names VALUES (?, ?)", (repository.full_name.lower(), number))
    topics = {topic.lower() for topic in repository.topics}
    connection.executemany("INSERT INTO topics VALUES (?, ?)", [(topic, number) for topic in sorted(topics)])
    owner, _, name = repository.full_name.partition("/")
    columns = (
        [*terms(owner), *name_terms(name)],
        terms(repository.description),
        [term for topic in repository.topics for term in terms(topic)],
        [*terms(repository.curator_text), *terms(note_of(repository))],
    )
    connection.execute(
        "INSERT INTO texts(rowid, name, description, topics, readme) VALUES (?, ?, ?, ?, ?)",
        (number, *(" ".join(column) for column in columns)),
    )
