"""The three stores, each opened twice, as two functions would open it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from goldpan.deadline import Clock
from goldpan.services.cache import Cache, ProcessCache
from goldpan.services.dynamodb_budget import DynamoDBRateBudget
from goldpan.services.dynamodb_cache import DynamoDBCache
from goldpan.services.dynamodb_flights import DynamoDBFlights
from goldpan.services.dynamodb_store import dynamodb_client
from goldpan.services.flights import Flights, ProcessFlights
from goldpan.services.rate_budget import ProcessRateBudget, RateBudget
from goldpan.services.rate_limits import LIMITS
from goldpan.services.sliding_window import Limit
from goldpan.services.sqlite_budget import SqliteRateBudget
from goldpan.services.sqlite_cache import SqliteCache
from goldpan.services.sqlite_flights import SqliteFlights
from goldpan.services.sqlite_store import SqliteFile
from moto import mock_aws

from tests.integration.crowd import REGION, TABLE

Store = Literal["process", "sqlite", "dynamodb"]
STORES: tuple[Store, ...] = ("process", "sqlite", "dynamodb")


@dataclass(frozen=True)
class Opened:
    """What one function reaches; `counted` are the metrics that its cache counted."""

    cache: Cache
    budget: RateBudget
    flights: Flights
    counted: list[str] = field(default_factory=list)


Functions = tuple[Opened, Opened]


@contextmanager
def opened(
    store: Store, folder: Path, clock: Clock, limits: Mapping[str, Sequence[Limit]] = LIMITS
) -> Iterator[Functions]:
    """Open a store for two functions."""
    if store == "process":
        own = Opened(ProcessCache(clock), ProcessRateBudget(clock, limits), ProcessFlights(clock))
        yield own, own
    elif store == "sqlite":
        files = [SqliteFile(folder / "store" / "goldpan.sqlite") for _ in range(2)]
        first, second = (
            Opened(SqliteCache(file, clock), SqliteRateBudget(file, clock, limits), SqliteFlights(file, clock))
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
        cache, DynamoDBRateBudget(client, TABLE, clock, limits), DynamoDBFlights(client, TABLE, clock), counted
    )


def make_table(client: Any, table: str = TABLE) -> None:
    """Make a table as the template does."""
    client.create_table(
        TableName=table,
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
