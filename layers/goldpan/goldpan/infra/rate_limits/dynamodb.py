"""The rate budgets on AWS: one item of a DynamoDB table for each source and credential.

The item holds what was spent in each part of a window, and the total of all parts. A take adds to both, on the
condition that the total leaves room: takes side by side need not know of each other, so that one update is enough.
Parts that no longer count leave the item and the total with the next take that knows of them, on the condition that
they still are what that take knows.
"""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from goldpan.engine.deadlines import Clock, Deadline
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.dynamodb_client import Item, reached
from goldpan.infra.rate_limits.dynamodb_updates import Update, addition, closing, pk_of, read_spent, spending
from goldpan.infra.rate_limits.limits import LIMITS, Limits, limits_for
from goldpan.infra.rate_limits.port import Turn
from goldpan.infra.rate_limits.sliding_window import (
    Spent,
    from_micros,
    in_time,
    latest_turn,
    spent_by_others,
    to_micros,
    turn_at,
)

PATIENCE = 2.0
"""Seconds for a take while others take side by side."""
LESSONS = 3


class DynamoDBRateLimiter:
    """Budgets that all functions share; may be shared between threads.

    What the last answer told of an item is remembered. An item only ever grows but for parts that no longer count,
    so what was remembered may refuse a take without asking, and never allows one.
    """

    def __init__(self, client: Any, table: str, clock: Clock, limits: Limits = LIMITS) -> None:
        self._client, self._table, self._clock, self._limits = client, table, clock, limits
        self._known: dict[str, Spent] = {}

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take the next turn, where it comes at the latest then."""
        limits, until = limits_for(key, self._limits), Deadline.after(PATIENCE, self._clock)
        while until.left:
            spent = (limits and self._known.get(key)) or self._read(key)
            now = to_micros(self._clock.now())
            at = turn_at(spent, limits, cost, now)
            if at > latest_turn(now, latest):
                return Turn(from_micros(at), taken=False)
            if limits and not self._done(key, spending(spent, limits, cost, at, now)):
                self._clock.wait(random.uniform(0, 0.01))  # noqa: S311 - spreads load, guards nothing
            elif in_time(at, limits, to_micros(self._clock.now())):
                return Turn(from_micros(at), taken=True)
        raise StoreFailed(f"{self._table} is too slow to count what is spent")

    def closed_until(self, key: str) -> datetime | None:
        """Tell until when the source wants to be left alone."""
        until = self._read(key).closed_until
        return from_micros(until) if until else None

    def learn(self, key: str, remaining: int | None, reset_at: datetime | None) -> None:
        """Count what others spent; where many learn at once, one of them counts it, and the next call tells again."""
        limits = limits_for(key, self._limits)
        if not limits or remaining is None or reset_at is None:
            return
        for _ in range(LESSONS):
            spent = self._known.get(key) or self._read(key)
            now = to_micros(self._clock.now())
            others = spent_by_others(spent, limits[0], remaining, to_micros(reset_at), now)
            if others is None or self._done(key, addition(spent, limits[0], *others)):
                return

    def close(self, key: str, until: datetime) -> None:
        """Leave the source alone until then."""
        self._done(key, closing(to_micros(until)))

    def _read(self, key: str) -> Spent:
        with reached(self._table):
            reply = self._client.get_item(TableName=self._table, Key=pk_of(key), ConsistentRead=True)
        return self._remembered(key, reply.get("Item", {}))

    def _done(self, key: str, update: Update) -> bool:
        """Update the item where the condition is met; either way its answer is what is known from then on."""
        with reached(self._table):
            try:
                reply = self._client.update_item(
                    TableName=self._table,
                    Key=pk_of(key),
                    ReturnValues="ALL_NEW",
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                    **update.request(),
                )
            except self._client.exceptions.ConditionalCheckFailedException as refusal:
                self._remembered(key, refusal.response.get("Item", {}))
                return False
            self._remembered(key, reply["Attributes"])
        return True

    def _remembered(self, key: str, item: Item) -> Spent:
        with reached(self._table):
            self._known[key] = read_spent(item)
        return self._known[key]
