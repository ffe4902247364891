"""A table in the SQLite file that all goldpan processes of one machine share: each change is one transaction."""

from __future__ import annotations

import json
import sqlite3

from goldpan.engine.deadlines import Clock
from goldpan.infra.sqlite_file import READ, SqliteFile
from goldpan.infra.table import Change, Item, read_integer


class SqliteTable:
    """A table whose items are JSON; safe between threads and processes."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def get(self, pk: str) -> Item:
        """Read an item."""
        with self._file.transaction(READ) as connection:
            return _read(connection, pk)

    def update(self, pk: str, change: Change) -> Item:
        """Change an item, and delete those that have expired."""
        with self._file.transaction() as connection:
            item = change.made(_read(connection, pk))
            connection.execute("DELETE FROM items WHERE expires_at <= ?", (int(self._clock.now().timestamp()),))
            row = (pk, json.dumps(item), read_integer(item, "ttl"))
            connection.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?)", row)
            return item


def _read(connection: sqlite3.Connection, pk: str) -> Item:
    """Read an item; what is no JSON object, which goldpan never wrote, is none."""
    row = connection.execute("SELECT CAST(item AS BLOB) FROM items WHERE pk = ?", (pk,)).fetchone()
    try:
        item = json.loads(row[0]) if row else {}
    except ValueError:
        return {}
    return item if isinstance(item, dict) else {}
