"""The cache of one machine, in its SQLite file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import STALE_TTL, CacheFailed, Entry, packed, unpacked
from goldpan.infra.rate_limits.sliding_window import from_micros, to_micros
from goldpan.infra.sqlite_file import READING, SqliteFile


class SqliteCache:
    """A cache that all processes of one machine share."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file, self._clock = file, clock

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Read what is there of all keys."""
        asked, now = json.dumps(list(keys)), to_micros(self._clock.now())
        with self._file.transaction(READING, CacheFailed) as connection:
            rows = connection.execute(
                "SELECT key, CAST(value AS BLOB), stored_at, fresh_until FROM cache"
                " WHERE key IN (SELECT value FROM json_each(?)) AND gone_at > ?",
                (asked, now),
            ).fetchall()
        entries = ((key, _entry(kept, at, until)) for key, kept, at, until in rows)
        return {key: entry for key, entry in entries if entry is not None}

    def write(self, entries: Mapping[str, bytes], life: timedelta) -> None:
        """Write entries that are fresh for so long from now, and delete those that are gone."""
        now = self._clock.now()
        moments = tuple(to_micros(moment) for moment in (now, now + life, now + life + STALE_TTL))
        rows = [(key, packed(value), *moments) for key, value in entries.items()]
        with self._file.transaction(failure=CacheFailed) as connection:
            connection.execute("DELETE FROM cache WHERE gone_at <= ?", moments[:1])
            connection.executemany("INSERT OR REPLACE INTO cache VALUES (?, ?, ?, ?, ?)", rows)


def _entry(kept: bytes, stored_at: int, fresh_until: int) -> Entry | None:
    """Read a row, None where it is in another form."""
    value = unpacked(kept)
    try:
        return None if value is None else Entry(value, from_micros(stored_at), from_micros(fresh_until))
    except (TypeError, OverflowError):  # SQLite keeps a text where a number belongs, and numbers beyond all calendars
        return None
