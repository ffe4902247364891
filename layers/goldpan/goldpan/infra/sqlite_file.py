"""One SQLite database for all goldpan processes of one machine: its cache, rate limits and single-flight locks."""

import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tenacity import Retrying, retry_if_exception, stop_after_delay
from tenacity.wait import wait_random

from goldpan.errors import StoreFailed
from goldpan.infra.sqlite_repair import DAMAGE, belongs_to, make_private, move_aside

READ, WRITE = "BEGIN DEFERRED", "BEGIN IMMEDIATE"
"""A transaction that only reads waits for no other; one that writes waits for all others that write."""
APPLICATION_ID = 0x676F6C64
"""Marks the file as goldpan's ("gold"), so that a file of another program is never emptied."""
FORMAT = 5
"""To be raised when the tables change: a file of another format is emptied, since its content can be found again."""
BUSY_SECONDS = 2.0
"""How long to wait for other processes; each holds the file for about a millisecond."""
QUEUE_SECONDS = 2.0
"""How long to wait at least for other threads of this process, of which there may be a hundred."""
TABLES = """
CREATE TABLE items (pk TEXT PRIMARY KEY, item TEXT NOT NULL, value BLOB, expires_at INTEGER NOT NULL);
CREATE INDEX items_by_expiry ON items (expires_at)
"""
_LOG = logging.getLogger(__name__)


class SqliteFile:
    """The database, opened at its first use; safe between threads, but not to be passed to another process.

    Only the owner of the file can read it, because it holds questions and answers. If it is damaged, it is moved aside
    and a new one is begun; if another process did so, or someone deleted it, the next transaction follows.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self._path, self._busy_seconds = path, busy_seconds
        self._while_busy = Retrying(  # SQLite's own waits grow to 0.1 s, so that later processes overtake earlier ones
            retry=retry_if_exception(_is_busy),
            stop=stop_after_delay(busy_seconds),
            wait=wait_random(0.0005, 0.004),
            reraise=True,
        )
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._busy_at = 0.0

    @contextmanager
    def transaction(self, begin: str = WRITE) -> Iterator[sqlite3.Connection]:
        """Run statements isolated from all others. Raises `StoreFailed`, and has written nothing then."""
        requested_at = time.monotonic()
        if not self._lock.acquire(timeout=max(self._busy_seconds, QUEUE_SECONDS)):
            raise StoreFailed(f"{self._path} is in use")
        try:
            if requested_at < self._busy_at:  # another thread found the file busy while this one waited for it
                raise StoreFailed(f"{self._path} is locked by another program")
            connection = self._current()
            self._begin(connection, begin)
            with connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            if _is_busy(error):
                self._busy_at = time.monotonic()
            self._replace_if_damaged(error)
            raise StoreFailed(f"{self._path} could not be used ({error})") from error
        finally:
            self._lock.release()

    def _begin(self, connection: sqlite3.Connection, begin: str) -> None:
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            self._while_busy(connection.execute, begin)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {1000 * self._busy_seconds:.0f}")

    def _current(self) -> sqlite3.Connection:
        """Return the connection to the file that the path names now."""
        if self._connection is not None and self._opened != self._identity():
            self._disconnect()
        if self._connection is None:
            try:
                self._connection = self._open()
            except sqlite3.Error as error:
                if not self._replace_if_damaged(error):
                    raise
                self._connection = self._open()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path.touch(mode=0o600)
        self._opened = self._identity()
        connection = sqlite3.connect(
            self._path, timeout=self._busy_seconds, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, _close_unless_in_use, connection, self._lock)
        try:
            tables = _tables(connection)  # read before the format: another process creates both in one transaction
            found = _format(connection)
            if tables and found[0] != APPLICATION_ID:
                raise sqlite3.DatabaseError("it belongs to another program")
            self._while_busy(connection.execute, "PRAGMA journal_mode = WAL")  # readers run during writes
            connection.execute("PRAGMA synchronous = NORMAL")  # a power failure may lose the last seconds
            if found != (APPLICATION_ID, FORMAT):
                _create_tables(connection)
            make_private(self._path)
        except (sqlite3.Error, OSError):
            connection.close()
            raise
        return connection

    def _identity(self) -> tuple[int, int] | None:
        """Identify the file that the path names; None if there is none."""
        try:
            found = os.stat(self._path)  # noqa: PTH116 - a tenth of a transaction's time less than Path.stat
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _replace_if_damaged(self, error: Exception) -> bool:
        """Move a damaged file of goldpan aside, if no other process did so; return whether to open a new one."""
        try:
            is_damage = (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DAMAGE
            if not is_damage:
                return False
            if not belongs_to(APPLICATION_ID, self._path):
                raise StoreFailed(f"{self._path} is no file of goldpan and stays: remove it or name another") from error
            self._disconnect()
            if self._opened == self._identity():
                moved = f"it was moved to {move_aside(self._path)}, and a new file takes its place"
                _LOG.warning("%s is damaged (%s); %s", self._path, error, moved)
        except OSError as failure:
            raise StoreFailed(f"{self._path} is damaged ({error}), and could not be moved aside ({failure})") from error
        return True

    def close(self) -> None:
        """Close the database; the next transaction opens it again."""
        with self._lock:
            self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _close_unless_in_use(connection: sqlite3.Connection, lock: threading.Lock) -> None:
    """Close the connection, unless an abandoned thread is in a statement, which that would crash; keep the lock."""
    if lock.acquire(blocking=False):
        connection.close()


def _create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables unless another process just did, and drop those of another format."""
    connection.execute(WRITE)
    with connection:
        if _format(connection) == (APPLICATION_ID, FORMAT):
            return
        statements = [f'DROP TABLE "{name}"' for name in _tables(connection)]
        statements += [
            *TABLES.split(";"),
            f"PRAGMA application_id = {APPLICATION_ID}",
            f"PRAGMA user_version = {FORMAT}",
        ]
        for statement in statements:
            connection.execute(statement)


def _tables(connection: sqlite3.Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _format(connection: sqlite3.Connection) -> tuple[int, int]:
    (owner,), (found,) = (
        connection.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    return owner, found


def _is_busy(error: BaseException) -> bool:
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_BUSY
