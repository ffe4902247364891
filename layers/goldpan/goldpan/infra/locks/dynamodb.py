"""The flights on AWS: items of the DynamoDB table that holds the budgets too."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from goldpan.engine.deadlines import Clock
from goldpan.infra.dynamodb_client import number, reached
from goldpan.infra.rate_limits.sliding_window import SECOND, to_micros

KEPT_SECONDS = 3600
"""How long DynamoDB keeps a mark that nobody ended; it counts no more from the end of its life on."""


class DynamoDBLocks:
    """Flights that all functions share: a conditional put marks, a conditional delete ends."""

    def __init__(self, client: Any, table: str, clock: Clock) -> None:
        self._client, self._table, self._clock = client, table, clock

    def begin(self, key: str, life: timedelta, owner: str = "") -> bool:
        """Mark the key; False where somebody else is answering it."""
        now = self._clock.now()
        until = to_micros(now + life)
        mark = {"pk": {"S": _pk(key)}, "owner": {"S": owner}, "until": number(until)}
        free = "attribute_not_exists(pk) OR #until <= :now"
        names, values = {"#until": "until"}, {":now": number(to_micros(now))}
        if owner:
            free, names["#owner"], values[":owner"] = f"{free} OR #owner = :owner", "owner", {"S": owner}
        return self._done(
            self._client.put_item,
            Item=mark | {"ttl": number(until // SECOND + KEPT_SECONDS)},
            ConditionExpression=free,
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
        )

    def end(self, key: str, owner: str = "") -> None:
        """Take the mark away."""
        mine = {
            "ConditionExpression": "#owner = :owner",
            "ExpressionAttributeNames": {"#owner": "owner"},
            "ExpressionAttributeValues": {":owner": {"S": owner}},
        }
        self._done(self._client.delete_item, Key={"pk": {"S": _pk(key)}}, **(mine if owner else {}))

    def _done(self, call: Any, **asked: Any) -> bool:
        """Call, and tell whether the condition was met."""
        with reached(self._table):
            try:
                call(TableName=self._table, **asked)
            except self._client.exceptions.ConditionalCheckFailedException:
                return False
        return True


def _pk(key: str) -> str:
    return f"flight#{key}"
