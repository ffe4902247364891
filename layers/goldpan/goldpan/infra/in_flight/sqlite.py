"""The calls in flight of one machine in its SQLite file, or of one process in a database in memory."""

from __future__ import annotations

from functools import partial

from goldpan.engine.deadlines import Clock
from goldpan.infra.in_flight.port import MAX_LEASE_SECONDS, End
from goldpan.infra.sqlite_file import SqliteFile


class SqliteCallsInFlight:
    """Counts the calls of all users of the file, by the second at which they end at the latest."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def begin(self, key: str, most: int, until: int) -> End | None:
        """Count one more call, and forget those whose time has passed."""
        now = int(self._clock.now().timestamp())
        with self._file.transaction() as connection:
            connection.execute(
                "DELETE FROM in_flight WHERE key = ? AND until NOT BETWEEN ? AND ?",
                (key, now + 1, now + 2 * MAX_LEASE_SECONDS),
            )
            (calls,) = connection.execute("SELECT sum(calls) FROM in_flight WHERE key = ?", (key,)).fetchone()
            if (calls or 0) >= most:
                return None
            connection.execute(
                "INSERT INTO in_flight VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1", (key, until)
            )
        return partial(self._end, key, until)

    def _end(self, key: str, until: int) -> None:
        with self._file.transaction() as connection:
            connection.execute("UPDATE in_flight SET calls = calls - 1 WHERE key = ? AND until = ?", (key, until))
