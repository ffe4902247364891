"""What the language model cost on each day, counted in DynamoDB by all functions together."""

from __future__ import annotations

from datetime import timedelta

from boto3.dynamodb.conditions import Attr

from goldpan.engine.deadlines import Clock
from goldpan.errors import StoreFailed
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable

RETENTION = timedelta(days=2)


class DailySpending:
    """One item of a table for each day of UTC, in millionths of a US dollar; safe between threads and functions."""

    def __init__(self, table: DynamoDBTable, clock: Clock, count: Count) -> None:
        self._table, self._clock = table, clock
        self._circuit = CircuitBreaker("count of what the language model cost", "SpendingFailed", clock, count)

    def reserve(self, amount: int, limit: int) -> str | None:
        """Count an amount; returns the key of the day, or None if the day's limit leaves no room for it.

        Raises `StoreFailed`: what cannot be counted cannot be limited.
        """
        pk = f"spending#{self._clock.now():%Y-%m-%d}"
        return self._circuit.call(lambda: pk if self._add(pk, amount, limit) else None, _refuse)

    def correct(self, pk: str, difference: int) -> None:
        """Add the difference between what was spent and what was reserved, which stands while the table fails."""
        self._circuit.call(lambda: self._add(pk, difference), lambda: False)

    def _add(self, pk: str, amount: int, limit: int | None = None) -> bool:
        if limit is not None and amount > limit:
            return False
        condition = None if limit is None else Attr("spent").not_exists() | Attr("spent").lte(limit - amount)
        ttl = int((self._clock.now() + RETENTION).timestamp())
        try:
            self._table.update(pk, condition, assign={"ttl": ttl}, add={"spent": amount})
        except ConditionFailed:
            return False
        return True


def _refuse() -> None:
    raise StoreFailed("what the language model cost today cannot be counted, so it was not asked")
