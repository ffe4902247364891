"""The three stores, each opened twice, as two functions would open it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import Cache, ProcessCache
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.dynamodb_client import dynamodb_client
from goldpan.infra.locks.dynamodb import DynamoDBLocks
from goldpan.infra.locks.port import ProcessLocks, SingleFlightLocks
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import LIMITS
from goldpan.infra.rate_limits.port import ProcessRateLimiter, RateLimiter
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile
from moto import mock_aws

from tests.integration.crowd import REGION, TABLE

Store = Literal["process", "sqlite", "dynamodb"]
STORES: tuple[Store, ...] = ("process", "sqlite", "dynamodb")


@dataclass(frozen=True)
class Opened:
    """What one function reaches; `counted` are the metrics that its cache counted."""

    cache: Cache
    budget: RateLimiter
    flights: SingleFlightLocks
    counted: list[str] = field(default_factory=list)


Functions = tuple[Opened, Opened]


@contextmanager
def opened(
    store: Store, folder: Path, clock: Clock, limits: Mapping[str, Sequence[Limit]] = LIMITS
) -> Iterator[Functions]:
    """Open a store for two functions."""
    if store == "process":
        own = Opened(ProcessCache(clock), ProcessRateLimiter(clock, limits), ProcessLocks(clock))
        yield own, own
    elif store == "sqlite":
        files = [SqliteFile(folder / "store" / "goldpan.sqlite") for _ in range(2)]
        first, second = (
            Opened(SqliteCache(file, clock), SqliteRateLimiter(file, clock, limits), SqliteLocks(file, clock))
            for file in files
        )
        yield first, second
        for file in files:
            file.close()
    else:
        with mock_aws():
            client = dynamodb_client(region_name=REGION)
            make_table(client)
            yield _on_dynamodb(client, clock, limits), _on_dynamodb(client, clock, limits)


def _on_dynamodb(client: Any, clock: Clock, limits: Mapping[str, Sequence[Limit]]) -> Opened:
    counted: list[str] = []
    cache = DynamoDBCache(client, TABLE, clock, counted.append)
    return Opened(
        cache, DynamoDBRateLimiter(client, TABLE, clock, limits), DynamoDBLocks(client, TABLE, clock), counted
    )


def make_table(client: Any, table: str = TABLE) -> None:
    """Make a table as the template does."""
    client.create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
