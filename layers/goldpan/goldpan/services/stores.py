"""What processes share, so that each knows what the others found and spent: made for one machine, or on AWS."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from goldpan.deadline import Clock
from goldpan.services.answers import Answers
from goldpan.services.cache import Cache, Forgiving
from goldpan.services.flights import ForgivingFlights
from goldpan.services.popularity import ForgivingPopularity, Popularity
from goldpan.services.rate_budget import ForgivingRateBudget, ProcessRateBudget, RateBudget
from goldpan.services.rate_limits import LIMITS, Limits
from goldpan.services.tolerance import Count
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

    budget: RateBudget
    cache: Cache | None = None
    answers: Answers | None = None
    popularity: Popularity | None = None
    close: Callable[[], None] = _nothing_to_close


def machine_stores(file: Path | None, clock: Clock) -> Stores:
    """Open the file that all goldpan processes of this machine share; without one each keeps to itself."""
    if file is None:
        return Stores(ProcessRateBudget(clock))
    from goldpan.services.sqlite_budget import SqliteRateBudget  # noqa: PLC0415 - only where there is a file
    from goldpan.services.sqlite_cache import SqliteCache  # noqa: PLC0415
    from goldpan.services.sqlite_flights import SqliteFlights  # noqa: PLC0415
    from goldpan.services.sqlite_store import SqliteFile  # noqa: PLC0415

    shared = SqliteFile(file, FILE_BUSY_SECONDS)
    cache = Forgiving(SqliteCache(shared, clock), clock, _noted)
    flights = ForgivingFlights(SqliteFlights(shared, clock), clock, _noted)
    budget = ForgivingRateBudget(SqliteRateBudget(shared, clock), ProcessRateBudget(clock), clock, _noted)
    return Stores(budget, cache, Answers(cache, flights, clock), close=shared.close)


def deployed_stores(
    tables: StoreSettings, clock: Clock, count: Count, limits: Limits = LIMITS, popularity_table: str | None = None
) -> Stores:
    """Reach the tables that all functions share; only one of them counts what is asked."""
    from goldpan.services.dynamodb_budget import DynamoDBRateBudget  # noqa: PLC0415 - loaded before the snapshot
    from goldpan.services.dynamodb_cache import DynamoDBCache  # noqa: PLC0415
    from goldpan.services.dynamodb_flights import DynamoDBFlights  # noqa: PLC0415
    from goldpan.services.dynamodb_popularity import DynamoDBPopularity  # noqa: PLC0415
    from goldpan.services.dynamodb_store import dynamodb_client  # noqa: PLC0415

    client = dynamodb_client()
    cache = Forgiving(DynamoDBCache(client, tables.cache_table, clock, count), clock, count)
    flights = ForgivingFlights(DynamoDBFlights(client, tables.budget_table, clock), clock, count)
    shared, own = DynamoDBRateBudget(client, tables.budget_table, clock, limits), ProcessRateBudget(clock, limits)
    budget = ForgivingRateBudget(shared, own, clock, count)
    stores = Stores(budget, cache, Answers(cache, flights, clock))
    if popularity_table is None:
        return stores
    counters = DynamoDBPopularity(client, popularity_table, clock)
    return replace(stores, popularity=ForgivingPopularity(counters, clock, count))


def _noted(name: str) -> None:
    """Count for nobody: on one machine the log has it."""
    _LOG.debug("%s", name)
