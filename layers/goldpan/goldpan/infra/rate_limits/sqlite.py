"""The rate budgets of one machine, in its SQLite file."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from goldpan.engine.deadlines import Clock
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.rate_limits.limits import LIMITS, Limits, limits_for
from goldpan.infra.rate_limits.port import Turn
from goldpan.infra.rate_limits.sliding_window import (
    MAX_CLOSURE,
    Limit,
    Spent,
    from_micros,
    in_time,
    latest_turn,
    spent_by_others,
    to_micros,
    turn_at,
)
from goldpan.infra.sqlite_file import READING, SqliteFile

ATTEMPTS = 3


class SqliteRateLimiter:
    """Budgets that all processes of one machine share: each take is one transaction, and they follow one another."""

    def __init__(self, file: SqliteFile, clock: Clock, limits: Limits = LIMITS) -> None:
        self._file, self._clock, self._limits = file, clock, limits

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn, where it comes at the latest then."""
        limits = limits_for(key, self._limits)
        for _ in range(ATTEMPTS):
            with self._file.transaction() as connection:
                now = to_micros(self._clock.now())
                at = turn_at(_spent(connection, key), limits, cost, now)
                if at > latest_turn(now, latest):
                    return Turn(from_micros(at), taken=False)
                for limit in limits:
                    _forget(connection, key, limit, now)
                    _add(connection, key, limit, limit.part_at(at), cost)
            if in_time(at, limits, to_micros(self._clock.now())):
                return Turn(from_micros(at), taken=True)
        raise StoreFailed("the machine is too slow to count what is spent")

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone."""
        with self._file.transaction(READING) as connection:
            until = _spent(connection, key).closed_until
        return from_micros(until) if until else None

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent."""
        limits = limits_for(key, self._limits)
        if not limits or remaining is None or reset_at is None:
            return
        with self._file.transaction() as connection:
            now, spent = to_micros(self._clock.now()), _spent(connection, key)
            others = spent_by_others(spent, limits[0], remaining, to_micros(reset_at), now)
            if others is not None:
                _add(connection, key, limits[0], *others)

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then."""
        with self._file.transaction() as connection:
            connection.execute(
                "INSERT INTO closed VALUES (?, ?) ON CONFLICT DO UPDATE SET until ="
                " iif(typeof(until) = 'integer' AND until <= ?, max(until, excluded.until), excluded.until)",
                (key, to_micros(until), to_micros(self._clock.now()) + MAX_CLOSURE),
            )


def _spent(connection: sqlite3.Connection, key: str) -> Spent:
    parts: dict[str, dict[int, int]] = {}
    numbers = "typeof(part) = 'integer' AND typeof(cost) = 'integer'"  # SQLite keeps a text where a number belongs
    asked = f"SELECT window, part, cost FROM spent WHERE key = ? AND {numbers}"  # noqa: S608 - no text from outside
    for window, part, cost in connection.execute(asked, (key,)):
        parts.setdefault(window, {})[part] = cost
    (until,) = connection.execute(
        "SELECT max(until) FROM closed WHERE key = ? AND typeof(until) = 'integer'", (key,)
    ).fetchone()
    return Spent(parts, until or 0)


def _add(connection: sqlite3.Connection, key: str, limit: Limit, part: int, cost: int) -> None:
    connection.execute(
        "INSERT INTO spent VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET cost = cost + excluded.cost",
        (key, limit.name, part, cost),
    )


def _forget(connection: sqlite3.Connection, key: str, limit: Limit, now: int) -> None:
    counted = limit.counted(now)
    connection.execute(
        "DELETE FROM spent WHERE key = ? AND window = ? AND part NOT BETWEEN ? AND ?",
        (key, limit.name, counted.start, counted.stop - 1),
    )
