"""SQLite files: how those of goldpan are marked and read, and the one that all processes of one machine share.

That one holds their cache, rate limits and single-flight locks.
"""

import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from goldpan.errors import StoreFailed

READ, WRITE = "BEGIN DEFERRED", "BEGIN IMMEDIATE"
"""A transaction that only reads waits for no other; one that writes waits for all others that write."""
APPLICATION_ID = 0x676F6C64
"""Marks the file as goldpan's ("gold"), so that a file of another program is never emptied."""
FORMAT = 5
"""To be raised when the tables change: a file of another format is emptied, since its content can be found again."""
BUSY_SECONDS = 2.0
"""How long to wait for other processes; each holds the file for about a millisecond."""
SWITCH_SECONDS = 0.005
"""How long to wait before another attempt to switch a new file to the write-ahead log."""
QUEUE_SECONDS = 2.0
"""How long to wait at least for other threads of this process, of which there may be a hundred."""
COMPANIONS = ("", "-wal", "-shm")
"""SQLite's names for the file itself, its log and the index of that."""
OWNER_ONLY, OTHERS = 0o600, 0o077
"""The permissions of the owner to read and write, and those of all other users."""
TABLES = """
CREATE TABLE items (pk TEXT PRIMARY KEY, item TEXT NOT NULL, value BLOB, expires_at INTEGER NOT NULL);
CREATE INDEX items_by_expiry ON items (expires_at)
"""

Row = tuple[Any, ...]
"""`Any`, as SQLite's rows have no types."""


def create_tables(connection: sqlite3.Connection, statements: str, application_id: int, version: int) -> None:
    """Create tables within the transaction of the caller, and mark the file by its program and their version."""
    for statement in statements.split(";\n"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {application_id}")
    connection.execute(f"PRAGMA user_version = {version}")


def read_marks(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the id of the program that a file belongs to, and the version of its tables; 0 if it says nothing."""
    (owner,), (version,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    return owner, version


def require_tables(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` for a file with a view or a trigger, whose statements may never end."""
    row = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()
    if row is not None:
        raise sqlite3.DatabaseError(f"it must have tables and indexes alone (given the {row[0]} {str(row[1])[:60]!r})")


class SqliteReader:
    """A database that is only read, until it is closed or garbage-collected; safe to share between threads."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection, self.lock = connection, threading.RLock()
        self._close = weakref.finalize(self, connection.close)
        self._close.atexit = False  # an abandoned thread may be in a statement, which a closed connection would crash

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Open a file that no one changes. Raises `sqlite3.DatabaseError` if it cannot be read."""
        uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        reader = cls(sqlite3.connect(uri, uri=True, check_same_thread=False))
        require_tables(reader.connection)
        return reader

    def select(self, statement: str, values: Sequence[str | int] = ()) -> list[Row]:
        """Return all rows of a statement."""
        with self.lock:
            return self.connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close the file, after the statement that a thread may be in."""
        with self.lock:
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class SqliteFile:
    """The database, opened at its first use; safe between threads, but not to be passed to another process.

    Only the owner of the file can read it, because it holds questions and answers.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path, self._busy_seconds = path, busy_seconds
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    @contextmanager
    def transaction(self, begin: str = WRITE) -> Iterator[sqlite3.Connection]:
        """Run statements isolated from all others. Raises `StoreFailed`, and has written nothing then."""
        if not self._lock.acquire(timeout=max(self._busy_seconds, QUEUE_SECONDS)):
            raise StoreFailed(f"{self._path} is in use")
        try:
            self._connection = self._connection or self._open()
            self._connection.execute(begin)
            with self._connection:
                yield self._connection
        except (sqlite3.Error, OSError) as error:
            advice = "; remove it or name another" if type(error) is sqlite3.DatabaseError else ""
            raise StoreFailed(f"{self._path} could not be used ({error}){advice}") from error
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close the database; the next transaction opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.touch(mode=OWNER_ONLY)
        connection = sqlite3.connect(
            self._path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, connection.close).atexit = False  # at exit a thread may be in a statement
        try:
            tables = _tables(connection)  # read before the format: another process creates both in one transaction
            found = read_marks(connection)
            if tables and found[0] != APPLICATION_ID:
                raise sqlite3.NotSupportedError("it belongs to another program: name another")
            self._use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous = NORMAL")  # a power failure may lose the last seconds
            if found != (APPLICATION_ID, FORMAT):
                _create_tables(connection)
            self._make_private()
        except (sqlite3.Error, OSError):
            connection.close()
            raise
        return connection

    def _use_write_ahead_log(self, connection: sqlite3.Connection) -> None:
        """Let reads run during writes; SQLite fails at once where two connections switch a new file to this log."""
        latest = time.monotonic() + self._busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > latest:
                    raise
                time.sleep(SWITCH_SECONDS)

    def _make_private(self) -> None:
        """Let the owner alone read and write the file and its companions, which a copy may have left open."""
        for path in (self._path.with_name(self._path.name + suffix) for suffix in COMPANIONS):
            if path.exists() and path.stat().st_mode & OTHERS:
                path.chmod(OWNER_ONLY)


def _create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables unless another process just did, and drop those of another format."""
    connection.execute(WRITE)
    with connection:
        if read_marks(connection) == (APPLICATION_ID, FORMAT):
            return
        for name in _tables(connection):
            connection.execute(f'DROP TABLE "{name}"')
        create_tables(connection, TABLES, APPLICATION_ID, FORMAT)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
