"""The stores that all functions share, in DynamoDB: cache, single-flight locks, rate limits and popularity."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from goldpan.engine.deadlines import Clock
from goldpan.engine.dependencies import Popularity
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import STALE_TTL
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.locks.dynamodb import DynamoDBLocks
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.rate_limits.port import BestEffortRateLimiter
from goldpan.infra.stores import BestEffortCache, BestEffortLocks, CircuitBreaker, Count, Stores, process_rate_limiter

if TYPE_CHECKING:
    from goldpan.infra.dynamodb_table import DynamoDBTable

RETENTION = STALE_TTL + timedelta(hours=1)
"""How long a counter is kept after its last count: beyond the end of its day, when it is no longer read."""


class BestEffortPopularity:
    """A counter that never fails a search: while its store fails, questions are not counted."""

    def __init__(self, popularity: Popularity, clock: Clock, count: Count) -> None:
        self._popularity = popularity
        self._circuit = CircuitBreaker("popularity counter", "PopularityFailed", clock, count)

    def count(self, key: str, request: str) -> None:
        """Count one occurrence of the request, unless the store fails."""
        self._circuit.call(lambda: self._popularity.count(key, request), lambda: None)


class DynamoDBPopularity:
    """One counter for each question and day; an index returns the highest ones of a day.

    The state machine writes items of the same format for answers that it finds in the cache without a function.
    """

    def __init__(self, table: DynamoDBTable, clock: Clock) -> None:
        self._table, self._clock = table, clock

    def count(self, key: str, request: str) -> None:
        """Count one occurrence of the request."""
        now = self._clock.now()
        day, digest = f"{now:%Y-%m-%d}", key.partition(":")[2]
        values = {"day": day, "request": request, "ttl": int((now + RETENTION).timestamp())}
        self._table.update(f"asked:{day}:{digest}", assign=values, add={"asked": 1})


@dataclass(frozen=True)
class Tables:
    """The names of the tables; the locks share the one of the rate limits, and one function alone counts popularity."""

    cache: str
    rate_limits: str
    popularity: str | None = None


def open_shared_stores(tables: Tables, clock: Clock, count: Count, limits: Limits) -> Stores:
    """Open the tables; `count` adds to the metrics of the function."""
    names = [tables.cache, tables.rate_limits, *([tables.popularity] if tables.popularity else [])]
    cached, limited, *counted = open_tables(*names)
    shared, fallback = DynamoDBRateLimiter(limited, clock, limits), process_rate_limiter(clock, limits)
    return Stores(
        lambda: BestEffortRateLimiter(shared, fallback, clock, count),
        BestEffortCache(DynamoDBCache(cached, clock, count), clock, count),
        BestEffortLocks(DynamoDBLocks(limited, clock), clock, count),
        BestEffortPopularity(DynamoDBPopularity(counted[0], clock), clock, count) if counted else None,
        cached.close,
    )
