"""The cache of one machine, in its SQLite file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta

from goldpan.engine.deadlines import Clock, from_micros, to_micros
from goldpan.infra.cache.port import STALE_TTL, Entry, Namespace, compress, decompress
from goldpan.infra.sqlite_file import READ, SqliteFile


class SqliteCache:
    """A cache shared by all processes of one machine."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of those keys that have one."""
        parameters = (json.dumps(list(keys)), to_micros(self._clock.now()))
        with self._file.transaction(READ) as connection:
            rows = connection.execute(
                "SELECT key, CAST(value AS BLOB), stored_at, fresh_until FROM cache"
                " WHERE key IN (SELECT value FROM json_each(?)) AND expires_at > ?",
                parameters,
            ).fetchall()
        entries = ((key, _read_entry(*columns)) for key, *columns in rows)
        return {key: entry for key, entry in entries if entry is not None}

    def values(self, namespace: Namespace) -> list[bytes]:
        """Return all values of a namespace that have not expired."""
        now, first = to_micros(self._clock.now()), f"{namespace}:"
        with self._file.transaction(READ) as connection:
            rows = connection.execute(
                "SELECT CAST(value AS BLOB) FROM cache WHERE substr(key, 1, ?) = ? AND expires_at > ?",
                (len(first), first, now),
            ).fetchall()
        return [value for (stored,) in rows if (value := decompress(stored)) is not None]

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Write entries that are fresh for `ttl` from now, and delete expired ones."""
        now = self._clock.now()
        times = tuple(to_micros(time) for time in (now, now + ttl, now + ttl + STALE_TTL))
        rows = [(key, compress(value), *times) for key, value in entries.items()]
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM cache WHERE expires_at <= ?", times[:1])
            connection.executemany("INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?, ?)", rows)


def _read_entry(stored: bytes, stored_at: int, fresh_until: int) -> Entry | None:
    """Read a row; None if it cannot be decoded."""
    value = decompress(stored)
    try:
        return None if value is None else Entry(value, from_micros(stored_at), from_micros(fresh_until))
    except (TypeError, OverflowError):  # SQLite accepts text in an integer column, and integers beyond any calendar
        return None
