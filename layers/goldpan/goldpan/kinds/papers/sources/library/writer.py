"""Changes a library: replaces or removes the papers of one origin, such as a file, in one transaction."""

import contextlib
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Self

from goldpan.errors import Misconfigured, naming
from goldpan.infra.sqlite_file import read_marks
from goldpan.kinds.papers.models import ID_SYSTEMS, LIBRARY
from goldpan.kinds.papers.results import RankedPaper
from goldpan.kinds.papers.sources.library import schema
from goldpan.kinds.papers.sources.library.folding import tokens
from goldpan.kinds.papers.sources.library.models import LibraryPaper

SHARE_TO_OPTIMIZE = 0.1
"""From which share of papers written on, the full-text index is written anew at the end: a second for 100,000."""
MAX_YEAR = 9999
"""What lies beyond is no year, and could be more than SQLite's integers hold."""
_INSERT = (
    "INSERT INTO papers (id, origin, earlier, digest, year, title, abstract, summary, facts) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
ORIGIN = "goldpan search"
"""The origin of all papers that searches added to a library."""
TITLE, WITHOUT_DOI = "title", "title without DOI"
Keys = set[tuple[str, str]]
Counts = Counter[str]
"""How many papers an import `added`, `changed` and `removed`, left `unchanged`, and had as `duplicates`."""


class LibraryWriter:
    """A library, open for writing by one process at a time.

    A paper belongs to the origin that imported its id last. A process that is killed leaves every origin as it was
    before or after its transaction.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        """For writing tables of the same file that other modules own, which refer to `papers.number` with
        ON DELETE CASCADE: a paper that changes is deleted and inserted, so that what was made from its text goes."""
        self.replaced: dict[str, None] = {}
        """The ids of papers that took the place of another origin's."""
        self._written = 0

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Open a file, or begin a new one; raises `Misconfigured` if it is not a library or cannot be written.

        While it is open the file has a write-ahead log (WAL) beside it, so that readers see the state before.
        """
        what = f"{path}: cannot be written"
        with naming(what, OSError, raised=Misconfigured):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # SQLite gives the files beside it the same mode
        with (
            naming(what, sqlite3.Error, raised=Misconfigured),
            contextlib.closing(sqlite3.connect(path, timeout=schema.BUSY_SECONDS, isolation_level=None)) as connection,
        ):
            with schema.readable(path):
                read_marks(connection)
            with schema.transaction(connection):
                if not schema.is_library(connection, path):
                    schema.create(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA foreign_keys = ON")
            writer = cls(connection)
            try:
                yield writer
            finally:
                writer.complete()

    @classmethod
    def in_memory(cls) -> Self:
        """Begin a library in memory, for one process."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with schema.transaction(connection):
            schema.create(connection)
        return cls(connection)

    def origins(self) -> dict[str, str]:
        """Return the digest of every origin, by its name; empty where it has to be imported again."""
        return dict(self.connection.execute("SELECT origin, digest FROM origins ORDER BY origin"))

    def replace_origin(self, origin: str, digest: str, papers: Iterable[LibraryPaper]) -> Counts:
        """Make these papers all that an origin has, in one transaction; papers that did not change stay untouched.

        The papers are read one by one; of those with the same id the last one counts. An exception that they raise
        leaves the origin as it was.
        """
        with schema.transaction(self.connection):
            self.connection.execute("INSERT OR REPLACE INTO origins VALUES (?, ?)", (origin, digest))
            counts, kept = Counts(), set[str]()
            for paper in papers:
                change = self._put(origin, paper)
                counts["duplicates" if paper.id in kept else change] += 1
                kept.add(paper.id)
            counts["removed"] = self._remove(origin, kept)
        return counts

    def add(self, origin: str, papers: Iterable[LibraryPaper]) -> Counts:
        """Add papers to those of an origin, in one transaction."""
        with schema.transaction(self.connection):
            self.connection.execute("INSERT OR IGNORE INTO origins VALUES (?, ?)", (origin, origin))
            return Counts(self._put(origin, paper) for paper in papers)

    def remove_origin(self, origin: str) -> Counts:
        """Remove an origin with its papers; an unknown one changes nothing."""
        with schema.transaction(self.connection):
            removed = self._remove(origin, ())
            self.connection.execute("DELETE FROM origins WHERE origin = ?", (origin,))
        return Counts(removed=removed)

    def complete(self) -> None:
        """Make the file complete in itself: without its log, if no reader has it open."""
        count = self.connection.execute("SELECT count(*) FROM papers").fetchone()[0]
        if self._written > count * SHARE_TO_OPTIMIZE:
            self.connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.execute("PRAGMA busy_timeout = 0")
        with contextlib.suppress(sqlite3.OperationalError):  # a reader has it open: the next import tries again
            self.connection.execute("PRAGMA journal_mode = DELETE")

    def _put(self, origin: str, paper: LibraryPaper) -> str:
        """Write a paper unless the library has it as it is, and return which of its counts goes up."""
        digest = hashlib.blake2b(paper.model_dump_json().encode(), digest_size=16).digest()
        select = "SELECT number, origin, earlier, digest FROM papers WHERE id = ?"
        found = self.connection.execute(select, (paper.id,)).fetchone()
        if found is None:
            self._insert(origin, None, digest, paper)
            return "added"
        number, owner, earlier, known = found
        earlier = earlier if owner == origin else owner
        if known != digest:
            self.replaced |= {} if owner == origin else {paper.id: None}
            self._delete(number)
            self._insert(origin, earlier, digest, paper)
            return "changed"
        statement = "UPDATE papers SET origin = ?1, earlier = ?2 WHERE number = ?3 AND origin <> ?1"
        self.connection.execute(statement, (origin, earlier, number))
        return "unchanged"

    def _insert(self, origin: str, earlier: str | None, digest: bytes, paper: LibraryPaper) -> None:
        facts = paper.model_dump_json(exclude={"id", *schema.SEARCHED}, exclude_defaults=True)
        year = paper.year if paper.year is not None and abs(paper.year) <= MAX_YEAR else None
        values = (paper.id, origin, earlier, digest, year, paper.title, paper.abstract, paper.summary, facts)
        number = self.connection.execute(_INSERT, values).lastrowid or 0
        schema.change_text(self.connection, schema.ADD, number, paper)
        self._written += 1

    def _remove(self, origin: str, kept: Container[str]) -> int:
        """Remove the papers of an origin that are not kept; an origin that had one before is to be imported again."""
        rows = self.connection.execute("SELECT id, number, earlier FROM papers WHERE origin = ?", (origin,))
        left = [(number, earlier) for name, number, earlier in rows if name not in kept]
        again = {(earlier,) for _, earlier in left}
        self.connection.executemany("UPDATE origins SET digest = '' WHERE origin = ?", again)
        for number, _ in left:
            self._delete(number)
        return len(left)

    def _delete(self, number: int) -> None:
        columns = schema.PAPER_COLUMNS
        row = self.connection.execute(f"SELECT {columns} FROM papers WHERE number = ?", (number,)).fetchone()  # noqa: S608
        schema.change_text(self.connection, schema.DELETE, number, schema.paper_of(row))
        self._written += 1
        self.connection.execute("DELETE FROM papers WHERE number = ?", (number,))


def add_results(writer: LibraryWriter, project: str, results: Iterable[RankedPaper]) -> Counts:
    """Add the papers that the project lacks; returns how many were `added`, and how many are `duplicates`.

    A paper is there already if one has an identifier of it or of its other version, or the same title where one of
    the two has no DOI.
    """
    known, new, counts = Keys(), list[LibraryPaper](), Counts()
    for name, title, facts in writer.connection.execute("SELECT id, title, facts FROM papers"):
        ids = json.loads(facts).get("ids", {})
        known |= _keys(ids) | _titles(title, ids) | {(LIBRARY, f"{project}/{name}"), ("id", name)}
    for result in results:
        ids = result.ids.model_dump()
        own = _keys(ids).union({("id", result.id)}, *(_keys(each.model_dump()) for each in result.versions))
        if known & (own | {(WITHOUT_DOI if ids["doi"] else TITLE, " ".join(tokens(result.title)))}):
            counts["duplicates"] += 1
        else:
            known |= own | _titles(result.title, ids)
            fields = {name: value for name, value in result if name in LibraryPaper.model_fields and value is not None}
            new.append(LibraryPaper.model_validate(fields))
    return counts + writer.add(ORIGIN, new)


def _keys(ids: Mapping[str, object]) -> Keys:
    """Return the identifiers among some fields, with their systems, those of other systems too."""
    other = ids.get("other")
    known = [*((name, ids.get(name)) for name in ID_SYSTEMS), *(other.items() if isinstance(other, dict) else ())]
    return {(name, value) for name, value in known if isinstance(value, str)}


def _titles(title: str, ids: Mapping[str, object]) -> Keys:
    return {(kind, " ".join(tokens(title))) for kind in (TITLE, *(() if ids.get("doi") else (WITHOUT_DOI,)))}
