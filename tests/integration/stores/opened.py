"""The stores, each opened twice, as by two processes of one machine or by two functions."""

import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
from goldpan.engine.deadlines import Clock
from goldpan.infra.cache import Cache
from goldpan.infra.dynamodb_table import DynamoDBTable, open_tables
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.processes import this_process
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from moto import mock_aws

from tests.support.dynamodb_service import TABLES, create_tables

OK = SimpleNamespace(status_code=200)
"""The part of an HTTP response that botocore reads."""
STORES = ("sqlite", "dynamodb")
TABLE, REGION = TABLES["CacheTable"], "eu-central-1"
LIMITS: Limits = {"minute": (Limit(60, 10),), "hour": (Limit(3600, 5000), Limit(60, 2000))}
PATIENCE = 120.0
"""Seconds that a call may take: the simulation is slow on a busy machine."""


@dataclass(frozen=True)
class Opened:
    """The stores as one function uses them."""

    cache: Cache
    rate_limiter: RateLimiter
    locks: SingleFlightLocks


@contextmanager
def opened(store: str, folder: Path, clock: Clock, limits: Limits = LIMITS) -> Iterator[tuple[Opened, Opened]]:
    """Open a store for two functions."""
    if store == "sqlite":
        files = [SqliteFile(folder / "goldpan.sqlite") for _ in range(2)]
        yield _on_sqlite(files[0], clock, limits), _on_sqlite(files[1], clock, limits)
        for file in files:
            file.close()
    else:
        with simulated_table() as table:
            yield _on_dynamodb(table, clock, limits), _on_dynamodb(table, clock, limits)


@contextmanager
def simulated_table() -> Iterator[DynamoDBTable]:
    """Open a table of a DynamoDB that is simulated in this process, with the tables of the template."""
    with mock_aws():
        (table,) = open_tables(TABLE, seconds=PATIENCE, region_name=REGION)
        create_tables(boto3.client("dynamodb", region_name=REGION))
        yield table


def _on_sqlite(file: SqliteFile, clock: Clock, limits: Limits) -> Opened:
    table = SqliteTable(file, clock)
    locks = SingleFlightLocks(table, clock, list[str]().append, this_process)
    return Opened(Cache(table, clock), RateLimiter(table, clock, limits), locks)


def _on_dynamodb(table: DynamoDBTable, clock: Clock, limits: Limits) -> Opened:
    count = list[str]().append
    locks = SingleFlightLocks(table, clock, count)
    return Opened(Cache(table, clock, count, readable="answer"), RateLimiter(table, clock, limits), locks)


@dataclass
class Recorder:
    """The calls that a table made, such as GetItem, with their JSON bodies, and how the next ones end."""

    table: DynamoDBTable
    operations: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)  # the metrics of those who use the table
    unprocessed: int = 0  # how many of the next batches are left so
    silent: bool = False  # whether calls get an empty response
    error: str = ""  # the code of the error that calls get

    def __post_init__(self) -> None:
        """Listen to the client of the table."""
        self.table._client.meta.events.register("before-call.dynamodb", self._record)

    def _record(self, model: Any, params: Any, **_: Any) -> tuple[Any, dict[str, Any]] | None:
        body = json.loads(params["body"], object_hook=_decoded)
        self.operations.append(model.name)
        self.bodies.append(body)
        if self.unprocessed and model.name.startswith("Batch"):
            self.unprocessed -= 1
            left = body["RequestItems"]
            return OK, {"Responses": {}, "UnprocessedKeys": left, "UnprocessedItems": left}
        if self.error:
            return SimpleNamespace(status_code=400), {"Error": {"Code": self.error}, "ResponseMetadata": {}}
        return (OK, {}) if self.silent else None


def _decoded(value: dict[str, Any]) -> dict[str, Any]:
    return {"B": b64decode(value["B"])} if value.keys() == {"B"} else value
