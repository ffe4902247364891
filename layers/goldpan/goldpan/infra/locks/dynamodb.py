"""The single-flight locks on AWS: items of the DynamoDB table that holds the rate limits too."""

from __future__ import annotations

from datetime import timedelta

from boto3.dynamodb.conditions import Attr

from goldpan.engine.deadlines import SECOND, Clock, to_micros
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable

RETENTION_SECONDS = 3600
"""How long DynamoDB keeps an expired lock; it no longer blocks anything."""


class DynamoDBLocks:
    """Locks shared by all functions: a conditional put acquires, a conditional delete releases."""

    def __init__(self, table: DynamoDBTable, clock: Clock) -> None:
        self._table, self._clock = table, clock

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; False if another owner holds a lock that has not expired."""
        now = self._clock.now()
        until = to_micros(now + ttl)
        lock = {"pk": _pk(key), "owner": owner, "until": until, "ttl": until // SECOND + RETENTION_SECONDS}
        free = Attr("pk").not_exists() | Attr("until").lte(to_micros(now)) | Attr("owner").eq(owner)
        try:
            self._table.put(lock, free)
        except ConditionFailed:
            return False
        return True

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it."""
        try:
            self._table.delete(_pk(key), Attr("owner").eq(owner))
        except ConditionFailed:
            return  # it expired, and another owner may hold it


def _pk(key: str) -> str:
    return f"lock#{key}"
