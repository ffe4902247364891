"""The stores, each opened twice, as by two processes of one machine or by two functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import boto3
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import Cache
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.dynamodb_table import DynamoDBTable, open_tables
from goldpan.infra.locks.dynamodb import DynamoDBLocks
from goldpan.infra.locks.port import SingleFlightLocks
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.rate_limits.port import RateLimiter
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile
from moto import mock_aws

Store = Literal["sqlite", "dynamodb"]
STORES: tuple[Store, ...] = ("sqlite", "dynamodb")
TABLE, REGION = "goldpan", "eu-central-1"
LIMITS: Limits = {"minute": (Limit(60, 10),), "hour": (Limit(3600, 5000), Limit(60, 2000))}


@dataclass(frozen=True)
class Opened:
    """The stores as one function uses them; `counted` are the metrics of its cache."""

    cache: Cache
    rate_limiter: RateLimiter
    locks: SingleFlightLocks
    counted: list[str] = field(default_factory=list)


@contextmanager
def opened(store: Store, folder: Path, clock: Clock, limits: Limits = LIMITS) -> Iterator[tuple[Opened, Opened]]:
    """Open a store for two functions."""
    if store == "sqlite":
        files = [SqliteFile(folder / "store" / "goldpan.sqlite") for _ in range(2)]
        one, other = (
            Opened(SqliteCache(file, clock), SqliteRateLimiter(file, clock, limits), SqliteLocks(file, clock))
            for file in files
        )
        yield one, other
        for file in files:
            file.close()
    else:
        with simulated_table() as table:
            yield _on_dynamodb(table, clock, limits), _on_dynamodb(table, clock, limits)


@contextmanager
def simulated_table() -> Iterator[DynamoDBTable]:
    """Open a table of a DynamoDB that is simulated in this process."""
    with mock_aws():
        (table,) = open_tables(TABLE, region_name=REGION)
        create_table(region_name=REGION)
        yield table
        table.close()


def create_table(**options: str) -> None:
    """Create the table as the template does; the options are those of `boto3.client`."""
    client = boto3.client("dynamodb", **options)
    client.create_table(
        TableName=TABLE,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    client.close()


def _on_dynamodb(table: DynamoDBTable, clock: Clock, limits: Limits) -> Opened:
    counted: list[str] = []
    cache = DynamoDBCache(table, clock, counted.append)
    return Opened(cache, DynamoDBRateLimiter(table, clock, limits), DynamoDBLocks(table, clock), counted)
