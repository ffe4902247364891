"""What processes share, so that each knows what the others found and spent: made for one machine, or on AWS."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from goldpan.aws.popularity import BestEffortPopularity, Popularity
from goldpan.engine.answer_cache import Answers
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import BestEffortCache, Cache
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.locks.port import BestEffortLocks
from goldpan.infra.rate_limits.limits import LIMITS, Limits
from goldpan.infra.rate_limits.port import BestEffortRateLimiter, ProcessRateLimiter, RateLimiter
from goldpan.settings import StoreSettings

FILE_BUSY_SECONDS = 0.5
"""How long a search waits for the file: each holder has it for a millisecond, and the shortest search has two seconds
for its sources."""
_LOG = logging.getLogger(__name__)


def _nothing_to_close() -> None:
    """Do nothing: what a process keeps to itself ends with it."""


@dataclass(frozen=True)
class Stores:
    """The rate budgets, and what is remembered, where something is."""

    budget: RateLimiter
    cache: Cache | None = None
    answers: Answers | None = None
    popularity: Popularity | None = None
    close: Callable[[], None] = _nothing_to_close


def machine_stores(file: Path | None, clock: Clock) -> Stores:
    """Open the file that all goldpan processes of this machine share; without one each keeps to itself."""
    if file is None:
        return Stores(ProcessRateLimiter(clock))
    from goldpan.infra.cache.sqlite import SqliteCache  # noqa: PLC0415
    from goldpan.infra.locks.sqlite import SqliteLocks  # noqa: PLC0415
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415 - only where there is a file
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    shared = SqliteFile(file, FILE_BUSY_SECONDS)
    cache = BestEffortCache(SqliteCache(shared, clock), clock, _noted)
    flights = BestEffortLocks(SqliteLocks(shared, clock), clock, _noted)
    budget = BestEffortRateLimiter(SqliteRateLimiter(shared, clock), ProcessRateLimiter(clock), clock, _noted)
    return Stores(budget, cache, Answers(cache, flights, clock), close=shared.close)


def deployed_stores(
    tables: StoreSettings, clock: Clock, count: Count, limits: Limits = LIMITS, popularity_table: str | None = None
) -> Stores:
    """Reach the tables that all functions share; only one of them counts what is asked."""
    from goldpan.aws.dynamodb_popularity import DynamoDBPopularity  # noqa: PLC0415
    from goldpan.infra.cache.dynamodb import DynamoDBCache  # noqa: PLC0415
    from goldpan.infra.dynamodb_client import dynamodb_client  # noqa: PLC0415
    from goldpan.infra.locks.dynamodb import DynamoDBLocks  # noqa: PLC0415
    from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter  # noqa: PLC0415 - loaded before the snapshot

    client = dynamodb_client()
    cache = BestEffortCache(DynamoDBCache(client, tables.cache_table, clock, count), clock, count)
    flights = BestEffortLocks(DynamoDBLocks(client, tables.budget_table, clock), clock, count)
    shared, own = DynamoDBRateLimiter(client, tables.budget_table, clock, limits), ProcessRateLimiter(clock, limits)
    budget = BestEffortRateLimiter(shared, own, clock, count)
    stores = Stores(budget, cache, Answers(cache, flights, clock))
    if popularity_table is None:
        return stores
    counters = DynamoDBPopularity(client, popularity_table, clock)
    return replace(stores, popularity=BestEffortPopularity(counters, clock, count))


def _noted(name: str) -> None:
    """Count for nobody: on one machine the log has it."""
    _LOG.debug("%s", name)
