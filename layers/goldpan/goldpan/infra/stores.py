"""What processes share, so that each knows what the others found and spent: made for one machine, or on AWS."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from goldpan.aws.popularity import BestEffortPopularity, Popularity
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import BestEffortCache, Cache
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.locks.port import BestEffortLocks, SingleFlightLocks
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.rate_limits.port import BestEffortRateLimiter, ProcessRateLimiter, RateLimiter

FILE_BUSY_SECONDS = 0.5
"""How long a search waits for the file: each holder has it for a millisecond, and the shortest search has two seconds
for its sources."""
_LOG = logging.getLogger(__name__)


def _nothing_to_close() -> None:
    """Do nothing: what a process keeps to itself ends with it."""


@dataclass(frozen=True)
class Stores:
    """The rate budgets, and what is remembered, where something is."""

    rate_limiter: RateLimiter
    cache: Cache | None = None
    locks: SingleFlightLocks | None = None
    popularity: Popularity | None = None
    close: Callable[[], None] = _nothing_to_close


def local_stores(file: Path | None, clock: Clock, limits: Limits) -> Stores:
    """Open the file that all goldpan processes of this machine share; without a file nothing is shared."""
    if file is None:
        return Stores(ProcessRateLimiter(clock, limits))
    from goldpan.infra.cache.sqlite import SqliteCache  # noqa: PLC0415
    from goldpan.infra.locks.sqlite import SqliteLocks  # noqa: PLC0415
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    shared = SqliteFile(file, FILE_BUSY_SECONDS)
    cache = BestEffortCache(SqliteCache(shared, clock), clock, _noted)
    locks = BestEffortLocks(SqliteLocks(shared, clock), clock, _noted)
    limiter = BestEffortRateLimiter(
        SqliteRateLimiter(shared, clock, limits), ProcessRateLimiter(clock, limits), clock, _noted
    )
    return Stores(limiter, cache, locks, close=shared.close)


def shared_stores(
    cache_table: str,
    budget_table: str,
    clock: Clock,
    count: Count,
    limits: Limits,
    *,
    popularity_table: str | None = None,
) -> Stores:
    """Reach the tables that all functions share."""
    from goldpan.aws.dynamodb_popularity import DynamoDBPopularity  # noqa: PLC0415
    from goldpan.infra.cache.dynamodb import DynamoDBCache  # noqa: PLC0415
    from goldpan.infra.dynamodb_client import dynamodb_client  # noqa: PLC0415
    from goldpan.infra.locks.dynamodb import DynamoDBLocks  # noqa: PLC0415
    from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter  # noqa: PLC0415

    client = dynamodb_client()
    cache = BestEffortCache(DynamoDBCache(client, cache_table, clock, count), clock, count)
    locks = BestEffortLocks(DynamoDBLocks(client, budget_table, clock), clock, count)
    shared, own = DynamoDBRateLimiter(client, budget_table, clock, limits), ProcessRateLimiter(clock, limits)
    stores = Stores(BestEffortRateLimiter(shared, own, clock, count), cache, locks)
    if popularity_table is None:
        return stores
    counters = DynamoDBPopularity(client, popularity_table, clock)
    return replace(stores, popularity=BestEffortPopularity(counters, clock, count))


def _noted(name: str) -> None:
    """Count for nobody: on one machine the log has it."""
    _LOG.debug("%s", name)
