"""How often questions are asked, counted in DynamoDB, so that frequent ones can be answered in advance."""

from datetime import timedelta

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache.entries import STALE_TTL
from goldpan.infra.circuit_breaker import CircuitBreaker, Count
from goldpan.infra.table import Change, Scalar, Table

COUNTER_RETENTION = STALE_TTL + timedelta(hours=1)
"""How long a counter is kept after its last count: beyond the end of its day, when it is no longer read."""


class Popularity:
    """One counter for each question and day; an index returns the highest ones of a day.

    The state machine writes items of the same format for answers that it finds in the cache without a function. While
    the table fails, questions are not counted.
    """

    def __init__(self, table: Table, clock: Clock, count: Count) -> None:
        self._table, self._clock = table, clock
        self._circuit = CircuitBreaker("popularity counter", "PopularityFailed", clock, count)

    def count(self, key: str, request: str) -> None:
        """Count one occurrence of the request, as JSON text, unless the table fails; its answer has that key."""
        now = self._clock.now()
        day, digest = f"{now:%Y-%m-%d}", key.partition(":")[2]
        values: dict[str, Scalar] = {"day": day, "request": request, "ttl": int((now + COUNTER_RETENTION).timestamp())}
        pk = f"asked:{day}:{digest}"
        self._circuit.call(lambda: self._table.update(pk, Change(values, {"asked": 1})), dict)
