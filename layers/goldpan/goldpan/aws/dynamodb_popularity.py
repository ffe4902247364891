"""What is asked most, on AWS: one counter a question and day, with an index that gives a day's first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.port import STALE_TTL
from goldpan.infra.dynamodb_client import number, reached

KEPT = STALE_TTL + timedelta(hours=1)
"""How long a counter is kept after it last counted: beyond the end of its day, when nothing reads it any more."""


class DynamoDBPopularity:
    """Counters in one table; the state machine counts in the same form what it answers without a function."""

    def __init__(self, client: Any, table: str, clock: Clock) -> None:
        self._client, self._table, self._clock = client, table, clock

    def count(self, key: str, request: str) -> None:
        """Count one asking of the request."""
        now = self._clock.now()
        day, of = f"{now:%Y-%m-%d}", key.partition(":")[2]
        with reached(self._table):
            self._client.update_item(
                TableName=self._table,
                Key={"pk": {"S": f"asked:{day}:{of}"}},
                UpdateExpression="SET #day = :day, #request = :request, #ttl = :ttl ADD #asked :one",
                ExpressionAttributeNames={"#day": "day", "#request": "request", "#ttl": "ttl", "#asked": "asked"},
                ExpressionAttributeValues={
                    ":day": {"S": day},
                    ":request": {"S": request},
                    ":ttl": number(int((now + KEPT).timestamp())),
                    ":one": number(1),
                },
            )
