"""The single-flight locks of one machine, in its SQLite file."""

from __future__ import annotations

from datetime import timedelta

from goldpan.engine.deadlines import Clock, to_micros
from goldpan.infra.sqlite_file import SqliteFile


class SqliteLocks:
    """Locks shared by all processes of one machine."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; False if another owner holds a lock that has not expired."""
        with self._file.transaction() as connection:
            now = self._clock.now()
            connection.execute("DELETE FROM locks WHERE expires_at <= ?", (to_micros(now),))
            locked = connection.execute(
                "INSERT INTO locks VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at WHERE owner = excluded.owner",
                (key, owner, to_micros(now + ttl)),
            )
            return locked.rowcount == 1

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM locks WHERE key = ? AND owner = ?", (key, owner))
