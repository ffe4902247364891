"""The flights of one machine, in its SQLite file."""

from __future__ import annotations

from datetime import timedelta

from goldpan.engine.deadlines import Clock
from goldpan.infra.rate_limits.sliding_window import to_micros
from goldpan.infra.sqlite_file import SqliteFile


class SqliteLocks:
    """Flights that all processes of one machine share."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
        """Mark the key; False where somebody else is answering it."""
        with self._file.transaction() as connection:
            now = self._clock.now()
            connection.execute("DELETE FROM flights WHERE until <= ?", (to_micros(now),))
            marked = connection.execute(
                "INSERT INTO flights VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until"
                " WHERE owner = excluded.owner AND owner <> ''",
                (key, owner, to_micros(now + life)),
            )
            return marked.rowcount == 1

    def end(self, key: str, owner: str = "") -> None:
        """Take the mark away."""
        with self._file.transaction() as connection:
            connection.execute("DELETE FROM flights WHERE key = ? AND ? IN ('', owner)", (key, owner))
