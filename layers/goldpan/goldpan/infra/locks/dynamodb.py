"""The single-flight locks on AWS: items of the DynamoDB table that holds the rate limits too."""

from __future__ import annotations

from datetime import datetime, timedelta

from boto3.dynamodb.conditions import Attr

from goldpan.engine.deadlines import SECOND, Clock, to_micros
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable, StoreThrottled

RETENTION_SECONDS = 3600
"""How long DynamoDB keeps an expired lock; it no longer blocks anything."""
MAX_THROTTLED = timedelta(seconds=3)
"""How long throttling counts as a lock of another owner; then it is a failure of the table."""


class DynamoDBLocks:
    """Locks shared by all functions: a conditional put acquires, a conditional delete releases.

    A throttled caller gets no lock and tries again, because searches that run without a lock would all run. The client
    has by then repeated the call after a random time.
    """

    def __init__(self, table: DynamoDBTable, clock: Clock) -> None:
        self._table, self._clock = table, clock
        self._throttled_since: datetime | None = None

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key; False if another owner holds a lock that has not expired, or if the table is throttled."""
        now = self._clock.now()
        until = to_micros(now + ttl)
        lock = {"pk": _pk(key), "owner": owner, "until": until, "ttl": until // SECOND + RETENTION_SECONDS}
        free = Attr("pk").not_exists() | Attr("until").lte(to_micros(now)) | Attr("owner").eq(owner)
        try:
            self._table.put(lock, free)
        except ConditionFailed:
            self._throttled_since = None
            return False
        except StoreThrottled as error:
            self._tolerate(error, now)
            return False
        self._throttled_since = None
        return True

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it; a lock whose release is throttled expires."""
        try:
            self._table.delete(_pk(key), Attr("owner").eq(owner))
        except ConditionFailed:
            return  # it expired, and another owner may hold it
        except StoreThrottled as error:
            self._tolerate(error, self._clock.now())

    def _tolerate(self, error: StoreThrottled, now: datetime) -> None:
        """Raise the error if throttling has lasted too long."""
        self._throttled_since = self._throttled_since or now
        if now - self._throttled_since >= MAX_THROTTLED:
            self._throttled_since = None  # the next time it may be short
            raise error


def _pk(key: str) -> str:
    return f"lock#{key}"
