"""The stores that all functions share, in DynamoDB: cache, single-flight locks, rate limits and popularity."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.entries import Cache
from goldpan.infra.circuit_breaker import Count
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.llm.spending import DailySpending
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.popularity import DynamoDBPopularity
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.stores import Stores, shared_rate_limiter


def open_shared_stores(tables: Sequence[str], clock: Clock, count: Count, limits: Limits) -> Stores:
    """Open the tables: that of the cache, that of rate limits, locks and spending, and in one function of popularity.

    `count` adds to the metrics of the function.
    """
    cached, limited, *counted = open_tables(*tables, count=count)
    return Stores(
        shared_rate_limiter(limited, clock, count, limits),
        Cache(cached, clock, count, readable="answer"),
        SingleFlightLocks(limited, clock, count),
        DynamoDBPopularity(counted[0], clock, count) if counted else None,
        DailySpending(limited, clock, count),
        cached.close,
    )
