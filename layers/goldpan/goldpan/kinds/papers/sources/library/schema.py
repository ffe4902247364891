"""The file of a library: its tables and transactions, and how a paper is put into its full-text index and removed."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from goldpan.errors import Misconfigured
from goldpan.infra.sqlite_file import WRITE, create_tables, read_marks, require_tables
from goldpan.kinds.papers.sources.library.folding import fold
from goldpan.kinds.papers.sources.library.models import LibraryPaper

APPLICATION_ID = 0x676F6C6C
"""Marks the file as a library of goldpan ("goll")."""
VERSION, OLDER = 2, 1
"""To be raised when the tables or `folding.fold` change; an older file has tables that are not read any more."""
BUSY_SECONDS = 30.0
"""How long to wait for another process: a reader for moments only, a writer for the import of one file."""
SEARCHED = ("title", "abstract", "summary")
_SEPARATORS = {code: " " for code in range(128) if not chr(code).isalnum()}
"""ASCII punctuation is a space, as for the tokenizer."""
IMPORT_FIRST = "`goldpan library import PATH --project NAME` collects some"
_NAME_MARK, _BETWEEN_NAMES = "0", " 0 0 0 0 "
"""After a word of a name, so that it is not stemmed; between names, so that no match reaches over two."""
_TABLES = """
CREATE TABLE origins (origin TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE papers (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, earlier TEXT, digest BLOB NOT NULL,
    year INTEGER, title TEXT NOT NULL, abstract TEXT NOT NULL, summary TEXT NOT NULL, facts TEXT NOT NULL
);
CREATE INDEX papers_by_origin ON papers (origin);
CREATE VIRTUAL TABLE texts USING fts5 (
    title, abstract, summary, authors, venue, tags, year,
    content='', tokenize="porter unicode61 remove_diacritics 0 categories 'L* M* N*'"
);
"""
_COLUMNS = "title, abstract, summary, authors, venue, tags, year"
ADD = f"INSERT INTO texts (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - built from constants
DELETE = f"INSERT INTO texts (texts, rowid, {_COLUMNS}) VALUES ('delete', ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing, whatever mode the connection is in."""
    connection.execute(WRITE)
    with connection:
        yield


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of an empty database, within the transaction of the caller."""
    create_tables(connection, _TABLES, APPLICATION_ID, VERSION)


def is_library(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has the tables of a library, False if it is empty; within the transaction of the caller.

    Raises `sqlite3.DatabaseError` if it is damaged, and `Misconfigured` if it is of a newer version, or not a library.
    """
    owner, version = read_marks(connection)
    if not owner and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return False
    require_tables(connection)
    if owner != APPLICATION_ID:
        raise Misconfigured(f"{path} is not a library: it belongs to another program")
    if version not in {VERSION, OLDER}:
        raise Misconfigured(f"{path} is a library of version {version}, this goldpan reads {VERSION}: update goldpan")
    return True


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Raise `Misconfigured` for a file that SQLite cannot read, or that was removed since it was found."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise Misconfigured(
            f"{path} is not a library, or damaged ({error}): import its papers into a new file"
        ) from error


def change_text(connection: sqlite3.Connection, statement: str, number: int, paper: LibraryPaper) -> None:
    """Put a paper into the full-text index (`ADD`), or take it out (`DELETE`), which needs the same text."""
    names = (paper.authors, (paper.venue or "",), paper.tags)
    joined = [_BETWEEN_NAMES.join(" ".join(name_words(name)) for name in group) for group in names]
    year = year_word(paper.year) if paper.year is not None else ""
    texts = (fold(paper.title), fold(paper.abstract), fold(paper.summary))
    connection.execute(statement, (number, *texts, *joined, year))


@lru_cache(maxsize=1 << 14)
def name_words(name: str) -> tuple[str, ...]:
    """List the words of the name of an author, venue or tag as they are indexed: marked, and so not stemmed."""
    return tuple(f"{word}{_NAME_MARK}" for word in fold(name).translate(_SEPARATORS).split())


def year_word(year: int) -> str:
    """Return the word that a year is indexed as."""
    return f"y{year}"


PAPER_COLUMNS = "id, title, abstract, summary, facts"


def paper_of(row: Sequence[str]) -> LibraryPaper:
    """Make a paper of its columns, `PAPER_COLUMNS`."""
    facts = json.loads(row[4])
    return LibraryPaper.model_validate({**facts, **dict(zip(("id", *SEARCHED), row, strict=False))}, strict=False)
