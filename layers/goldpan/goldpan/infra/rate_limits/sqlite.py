"""The rate limits of one machine in its SQLite file, or of one process in a database in memory."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from goldpan.engine.deadlines import Clock, from_micros, to_micros
from goldpan.errors import StoreFailed
from goldpan.infra.in_flight.sqlite import SqliteCallsInFlight
from goldpan.infra.rate_limits.limits import Limit, Limits, limits_for
from goldpan.infra.rate_limits.port import Reservation
from goldpan.infra.rate_limits.sliding_window import (
    MAX_BLOCK,
    Spent,
    earliest_time,
    is_usable,
    latest_grant,
    unknown_cost,
)
from goldpan.infra.sqlite_file import READ, SqliteFile

ATTEMPTS = 3


class SqliteRateLimiter:
    """A rate limiter shared by all users of the file: each reservation is one transaction."""

    def __init__(self, file: SqliteFile, clock: Clock, limits: Limits) -> None:
        self._file, self._clock, self._limits = file, clock, limits
        self.in_flight = SqliteCallsInFlight(file, clock)

    def acquire(self, key: str, cost: int = 1, latest: datetime | None = None) -> Reservation:
        """Reserve the next possible time, unless it is later than `latest`."""
        limits = limits_for(key, self._limits)
        for _ in range(ATTEMPTS):
            with self._file.transaction() as connection:
                now = to_micros(self._clock.now())
                at = earliest_time(_read(connection, key), limits, cost, now)
                if at > latest_grant(now, latest):
                    return Reservation(from_micros(at), granted=False)
                for limit in limits:
                    _delete_expired(connection, key, limit, now)
                    _add(connection, key, limit, limit.part_at(at), cost)
            if is_usable(at, limits, to_micros(self._clock.now())):
                return Reservation(from_micros(at), granted=True)
        raise StoreFailed("the machine is too slow to count what is spent of a rate limit")

    def release(self, key: str, reservation: Reservation, cost: int = 1) -> None:
        """Return what was reserved."""
        with self._file.transaction() as connection:
            for limit in limits_for(key, self._limits):
                connection.execute(
                    "UPDATE spent SET cost = cost - ? WHERE key = ? AND window = ? AND part = ? AND cost >= ?",
                    (cost, key, limit.name, limit.part_at(to_micros(reservation.at)), cost),
                )

    def reconcile(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent."""
        limits = limits_for(key, self._limits)
        if not limits or remaining is None or reset_at is None:
            return
        with self._file.transaction() as connection:
            now, spent = to_micros(self._clock.now()), _read(connection, key)
            unknown = unknown_cost(spent, limits[0], remaining, to_micros(reset_at), now)
            if unknown is not None:
                _add(connection, key, limits[0], *unknown)

    def block_until(self, key: str, until: datetime) -> None:
        """Grant nothing before that time; replace a time that a wrong clock wrote."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO blocked VALUES (?, ?) ON CONFLICT DO UPDATE SET until ="
                " iif(typeof(until) = 'integer' AND until <= ?, max(until, excluded.until), excluded.until)",
                (key, to_micros(until), to_micros(self._clock.now()) + MAX_BLOCK),
            )

    def blocked_until(self, key: str) -> datetime | None:
        """Return the time of the last block."""
        with self._file.transaction(READ) as connection:
            until = _read(connection, key).block_at(to_micros(self._clock.now()))
        return from_micros(until) if until else None


def _read(connection: sqlite3.Connection, key: str) -> Spent:
    costs: dict[str, dict[int, int]] = {}
    integers = "typeof(part) = 'integer' AND typeof(cost) = 'integer'"  # SQLite accepts text in an integer column
    query = f"SELECT window, part, cost FROM spent WHERE key = ? AND {integers}"  # noqa: S608 - constant text
    for window, part, cost in connection.execute(query, (key,)):
        costs.setdefault(window, {})[part] = cost
    (until,) = connection.execute(
        "SELECT max(until) FROM blocked WHERE key = ? AND typeof(until) = 'integer'", (key,)
    ).fetchone()
    return Spent(costs, until or 0)


def _add(connection: sqlite3.Connection, key: str, limit: Limit, part: int, cost: int) -> None:
    connection.execute(
        "INSERT INTO spent VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost",
        (key, limit.name, part, cost),
    )


def _delete_expired(connection: sqlite3.Connection, key: str, limit: Limit, now: int) -> None:
    counted = limit.counted_parts(now)
    connection.execute(
        "DELETE FROM spent WHERE key = ? AND window = ? AND part NOT BETWEEN ? AND ?",
        (key, limit.name, counted.start, counted.stop - 1),
    )
