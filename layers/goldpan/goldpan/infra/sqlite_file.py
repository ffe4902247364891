"""One SQLite file, which all goldpan processes of one machine share: its cache, its budgets, its flights."""

from __future__ import annotations

import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tenacity import Retrying, retry_if_exception, stop_after_delay
from tenacity.wait import wait_random

from goldpan.infra.circuit_breaker import StoreFailed

READING, WRITING = "BEGIN DEFERRED", "BEGIN IMMEDIATE"
"""A transaction that writes nothing waits for nobody, one that writes for all others that do."""
OURS = 0x676F6C64
"""Marks the file as goldpan's ("gold"), so that no other program's is ever emptied."""
FORMAT = 1
"""Raised where the tables change; a file in another format is emptied, for all that it holds can be found again."""
BUSY_SECONDS = 2.0
"""How long another process is waited for; each holds the file for a millisecond."""
QUEUE_SECONDS = 2.0
"""How long the other threads of this process are waited for, of which there may be a hundred."""
TABLES = """
CREATE TABLE cache (
    key TEXT PRIMARY KEY, value BLOB NOT NULL,
    stored_at INTEGER NOT NULL, fresh_until INTEGER NOT NULL, gone_at INTEGER NOT NULL
);
CREATE INDEX cache_by_end ON cache (gone_at);
CREATE TABLE spent (
    key TEXT, window TEXT, part INTEGER, cost INTEGER NOT NULL, PRIMARY KEY (key, window, part)
) WITHOUT ROWID;
CREATE TABLE closed (key TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE flights (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID
"""


class SqliteFile:
    """The file, opened when it is first used; may be shared between threads, but not handed to another process.

    It is readable by its owner alone: it holds what was asked and answered.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path, self._busy = path, busy_seconds
        self._patiently = Retrying(  # SQLite's own waits grow to 0.1 s, so that newcomers overtake those who wait
            retry=retry_if_exception(_is_busy),
            stop=stop_after_delay(busy_seconds),
            wait=wait_random(0.0005, 0.004),
            reraise=True,
        )
        self._connection: sqlite3.Connection | None = None
        self._turn = threading.Lock()
        self._busy_at = 0.0

    @contextmanager
    def transaction(
        self, begin: str = WRITING, failure: type[StoreFailed] = StoreFailed
    ) -> Iterator[sqlite3.Connection]:
        """Read and write as if nobody else did; what goes wrong is raised as the failure, and nothing was written."""
        asked = time.monotonic()
        if not self._turn.acquire(timeout=max(self._busy, QUEUE_SECONDS)):
            raise failure(f"{self._path} is in use")
        try:
            if asked < self._busy_at:  # who waited for this turn need not find out what the one before did
                raise failure(f"{self._path} is held by another program")
            connection = self._connection = self._connection or self._opened()
            self._begin(connection, begin)
            with connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            if _is_busy(error):
                self._busy_at = time.monotonic()
            raise failure(f"{self._path} could not be used ({error})") from error
        finally:
            self._turn.release()

    def _begin(self, connection: sqlite3.Connection, begin: str) -> None:
        if begin == READING:
            connection.execute(begin)
            return
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            self._patiently(connection.execute, begin)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {1000 * self._busy:.0f}")

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.touch(mode=0o600)
        connection = sqlite3.connect(self._path, timeout=self._busy, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, connection.close)
        try:
            self._prepare(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Let readers and a writer work side by side, and make the tables; another program's file is refused first."""
        tables = _tables(connection)  # before the format: another process makes both in one transaction
        found = _format(connection)
        if tables and found[0] != OURS:
            raise sqlite3.DatabaseError("it belongs to another program")
        self._patiently(connection.execute, "PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a machine that loses its power may lose the last seconds
        if found != (OURS, FORMAT):
            _make_tables(connection)

    def close(self) -> None:
        """Close the file; it is opened again where it is used again."""
        with self._turn:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables where no other process has, and empty a file of another format."""
    connection.execute(WRITING)
    with connection:
        if _format(connection) == (OURS, FORMAT):
            return
        statements = [f'DROP TABLE "{name}"' for name in _tables(connection)]
        statements += [*TABLES.split(";"), f"PRAGMA application_id = {OURS}", f"PRAGMA user_version = {FORMAT}"]
        for statement in statements:
            connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _format(connection: sqlite3.Connection) -> tuple[int, int]:
    (owner,), (found,) = (connection.execute(f"PRAGMA {of}").fetchone() for of in ("application_id", "user_version"))
    return owner, found


def _is_busy(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY
