"""DynamoDB in this process: the tables of the stack, and what goes wrong with them."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from botocore.exceptions import ClientError, EndpointConnectionError

from tests.e2e.machine import TABLES

UNREACHABLE = EndpointConnectionError(endpoint_url="https://dynamodb.us-east-1.amazonaws.com")
Key = tuple[str, str]
"""An operation and a table."""


class DynamoService:
    """The tables; each operation runs alone, because the simulator checks a condition before it writes.

    Attributes:
        asked: How often each operation was asked of each table.
    """

    def __init__(self) -> None:
        self.asked: Counter[Key] = Counter()
        self._failures: dict[str, Exception] = {}
        self.turn = threading.RLock()

    def fail(self, table: str, failure: Exception | None = None) -> None:
        """Let a table fail from now on; it is throttled, where nothing else is said."""
        self._failures[table] = failure or throttled()

    def mend(self) -> None:
        """Let the tables work again."""
        self._failures.clear()

    def met(self, operation: str, table: str) -> None:
        """Count what is asked. Raises what was told to go wrong."""
        self.asked[operation, table] += 1
        if table in self._failures:
            raise self._failures[table]


def throttled() -> ClientError:
    """Make what DynamoDB answers where too much is asked of it."""
    told: Any = {
        "Error": {"Code": "ThrottlingException", "Message": "Rate exceeded"},
        "ResponseMetadata": {"HTTPStatusCode": 400, "RequestId": "1"},
    }
    return ClientError(told, "Any")


def make_tables(client: Any) -> None:
    """Make the tables as the template does."""
    for table in TABLES.values():
        client.create_table(
            TableName=table,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in _attributes(table)],
            BillingMode="PAY_PER_REQUEST",
            **({"GlobalSecondaryIndexes": [BY_DAY]} if table == TABLES["PopularityTable"] else {}),
        )


BY_DAY = {
    "IndexName": "by_day",
    "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}, {"AttributeName": "asked", "KeyType": "RANGE"}],
    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["request"]},
}


def _attributes(table: str) -> list[tuple[str, str]]:
    return [("pk", "S"), *([("day", "S"), ("asked", "N")] if table == TABLES["PopularityTable"] else [])]


def drop_tables(client: Any) -> None:
    """Take the tables away."""
    for table in TABLES.values():
        client.delete_table(TableName=table)
