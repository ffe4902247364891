"""The single-flight locks of one machine, in its SQLite file."""

from __future__ import annotations

from datetime import timedelta

from goldpan.engine.deadlines import Clock, to_micros
from goldpan.infra.locks.processes import has_ended, this_process
from goldpan.infra.sqlite_file import SqliteFile


class SqliteLocks:
    """Locks shared by all processes of one machine; a process that was killed holds none."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; False if another owner, whose process still runs, holds a lock that has not expired."""
        with self._file.transaction() as connection:
            now = self._clock.now()
            connection.execute("DELETE FROM locks WHERE expires_at <= ?", (to_micros(now),))
            held = connection.execute("SELECT owner, CAST(process AS TEXT) FROM locks WHERE key = ?", (key,)).fetchone()
            if held is not None and held[0] != owner and not has_ended(held[1]):
                return False
            lock = (key, owner, to_micros(now + ttl), this_process())
            connection.execute("INSERT OR REPLACE INTO locks VALUES (?, ?, ?, ?)", lock)
            return True

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM locks WHERE key = ? AND owner = ?", (key, owner))
