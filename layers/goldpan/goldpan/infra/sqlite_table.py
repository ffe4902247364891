"""A table in the SQLite file that all goldpan processes of one machine share: each change is one transaction."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress

from goldpan.engine.deadlines import Clock
from goldpan.infra.sqlite_file import READ, SqliteFile
from goldpan.infra.table import Change, Item, read_integer

BINARY = "value"
"""The attribute that has a column of its own, because JSON holds no bytes."""


class SqliteTable:
    """A table whose items are JSON; safe between threads and processes. A write deletes the items that have expired."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def get(self, pk: str) -> Item:
        """Read an item."""
        return self.get_many([pk]).get(pk, {})

    def get_many(self, pks: Sequence[str], *, latest: bool = True) -> dict[str, Item]:
        """Read many items, always the latest."""
        del latest
        with self._file.transaction(READ) as connection:
            return _read(connection, pks)

    def keys(self, beginning: str) -> list[str]:
        """List the keys that begin so."""
        with self._file.transaction(READ) as connection:
            rows = connection.execute("SELECT pk FROM items WHERE substr(pk, 1, ?) = ?", (len(beginning), beginning))
            return [pk for (pk,) in rows]

    def update(self, pk: str, change: Change) -> Item:
        """Change an item."""
        with self._file.transaction() as connection:
            item = change.made(_read(connection, [pk]).get(pk, {}))
            self._write(connection, {pk: item})
            return item

    def put_many(self, items: Mapping[str, Item]) -> None:
        """Store many items."""
        with self._file.transaction() as connection:
            self._write(connection, items)

    def _write(self, connection: sqlite3.Connection, items: Mapping[str, Item]) -> None:
        connection.execute("DELETE FROM items WHERE expires_at <= ?", (int(self._clock.now().timestamp()),))
        for pk, item in items.items():
            written = json.dumps({name: value for name, value in item.items() if name != BINARY})
            row = (pk, written, item.get(BINARY), read_integer(item, "ttl"))
            connection.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)", row)


def _read(connection: sqlite3.Connection, pks: Sequence[str]) -> dict[str, Item]:
    """Read items; what is no JSON object, which goldpan never wrote, is none."""
    rows = connection.execute(
        "SELECT pk, CAST(item AS BLOB), CAST(value AS BLOB) FROM items WHERE pk IN (SELECT value FROM json_each(?))",
        (json.dumps(list(pks)),),
    )
    found = dict[str, Item]()
    for pk, written, value in rows:
        with suppress(ValueError):
            item = json.loads(written)
            if isinstance(item, dict):
                found[pk] = item if value is None else {**item, BINARY: value}
    return found
