"""SQLite files that are only read: one that is part of the distribution, and those that others wrote."""

import sqlite3
import threading
from pathlib import Path


def require_tables(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError` for a file with a view or a trigger, whose statements may never end."""
    row = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone()
    if row is not None:
        raise sqlite3.DatabaseError(f"it must have tables and indexes alone (given the {row[0]} {str(row[1])[:60]!r})")


class ReadOnlySqlite:
    """The file, open for as long as the process lives; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._lock = threading.Lock()

    def select(self, statement: str, *values: str | int) -> list[sqlite3.Row]:
        """Return all rows of a statement."""
        with self._lock:
            return self._connection.execute(statement, values).fetchall()
