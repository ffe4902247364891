"""The port of a table: items by their key, each changed in one step under conditions; DynamoDB's, or in a SQLite file.

Several processes count in one item at the same time: a change adds to numbers without reading them, and is made only if
its conditions hold for what the item then holds. A table that fails never fails a search, and costs it little time.
"""

import logging
import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol, TypeVar

from goldpan.engine.deadlines import Clock
from goldpan.errors import CallFailed, StoreFailed

Scalar = int | str
Item = Mapping[str, object]
"""Attributes by their names: whole numbers and texts, and for a cache also bytes."""
OPERATORS: Mapping[str, Callable[..., bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Result = TypeVar("Result")
Count = Callable[[str], None]
"""Adds one to the metric of that name."""
OPEN_TIME = timedelta(seconds=30)
"""Longer than any search: each logs one warning at most, and loses the time of one failed call at most."""
_LOG = logging.getLogger(__name__)


class ConditionFailed(CallFailed):
    """The condition of a change did not hold; `item` is what the table holds instead, empty if it holds nothing."""

    def __init__(self, item: Item) -> None:
        super().__init__("the condition of a change did not hold")
        self.item = item


class StoreThrottled(StoreFailed):
    """The table refuses calls because too many come at once; a call that waits a moment may succeed."""


@dataclass(frozen=True)
class Comparison:
    """Compares an attribute with a value; one that is missing, or of another type, counts as 0 or an empty text."""

    name: str
    operator: Literal["=", "<", "<=", ">", ">="]
    value: Scalar

    def holds(self, item: Item) -> bool:
        """Whether it holds for an item."""
        held = item.get(self.name)
        same = isinstance(held, type(self.value))
        return OPERATORS[self.operator](held if same else type(self.value)(), self.value)


@dataclass(frozen=True)
class Change:
    """A change of an item, which need not exist: of each condition at least one comparison must hold.

    No attribute may be in two of `assign`, `add` and `remove`. `ttl` among the assigned ones is when the item may be
    deleted, in seconds since 1970.
    """

    assign: Mapping[str, Scalar]
    add: Mapping[str, int] = field(default_factory=dict)
    remove: Sequence[str] = ()
    conditions: Sequence[Sequence[Comparison]] = ()

    def made(self, item: Item) -> dict[str, object]:
        """Return the item with this change. Raises `ConditionFailed`."""
        if not all(any(each.holds(item) for each in condition) for condition in self.conditions):
            raise ConditionFailed(item)
        kept = {name: value for name, value in item.items() if name not in self.remove}
        return {**kept, **self.assign, **{name: read_integer(item, name) + more for name, more in self.add.items()}}


class Table(Protocol):
    """Its methods raise `StoreFailed`."""

    def get(self, pk: str) -> Item:
        """Read an item, as it is after all earlier changes; empty if there is none."""

    def update(self, pk: str, change: Change) -> Item:
        """Change an item, and return all of it. Raises `ConditionFailed`."""


class ItemStore(Protocol):
    """A table for items that are replaced as a whole, many at once. Its methods raise `StoreFailed`."""

    def get_many(self, pks: Sequence[str], *, latest: bool = False) -> dict[str, Item]:
        """Read the items of those keys that have one, the `latest` or as they were a moment ago, for half the price."""

    def put_many(self, items: Mapping[str, Item]) -> None:
        """Store items as they are, by their keys."""


class MemoryTable:
    """A table of this process alone; safe between threads."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._lock = threading.Lock()

    def get(self, pk: str) -> Item:
        """Read an item."""
        return self._items.get(pk, {})

    def update(self, pk: str, change: Change) -> Item:
        """Change an item."""
        with self._lock:
            return self.put(pk, change.made(self.get(pk)))

    def put(self, pk: str, item: Item) -> Item:
        """Store an item as it is, and return it."""
        self._items[pk] = item
        return item


def uncounted(metric: str) -> None:
    """Count nothing."""
    del metric


class CircuitBreaker:
    """Calls a store; for `OPEN_TIME` after a failure, which is counted and logged, a fallback. Safe between threads."""

    def __init__(self, store: str, metric: str, clock: Clock, count: Count) -> None:
        self._store, self._metric, self._clock, self._count = store, metric, clock, count
        self._open_until = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def call(self, work: Callable[[], Result], fallback: Callable[[], Result]) -> Result:
        """Return what the work returns, or what the fallback returns if the store fails or the circuit is open."""
        if self._clock.now() < self._open_until:
            return fallback()
        try:
            return work()
        except StoreFailed as failure:
            self._count(self._metric)
            with self._lock:
                now = self._clock.now()
                opens = now >= self._open_until
                if opens:
                    self._open_until = now + OPEN_TIME
            if opens:
                _LOG.warning("The %s failed; searches continue without it: %s", self._store, failure)
            return fallback()


class BestEffortTable:
    """A shared table of rate limits; while it fails, this process goes on with what it last read of each item."""

    def __init__(self, shared: Table, clock: Clock, count: Count) -> None:
        self._shared, self._own = shared, MemoryTable()
        self._circuit = CircuitBreaker("rate limiter", "RateBudgetFailed", clock, count)

    def get(self, pk: str) -> Item:
        """Read an item."""
        return self._circuit.call(lambda: self._own.put(pk, self._shared.get(pk)), lambda: self._own.get(pk))

    def update(self, pk: str, change: Change) -> Item:
        """Change an item."""
        return self._circuit.call(lambda: self._update_shared(pk, change), lambda: self._own.update(pk, change))

    def _update_shared(self, pk: str, change: Change) -> Item:
        try:
            return self._own.put(pk, self._shared.update(pk, change))
        except ConditionFailed as failed:
            self._own.put(pk, failed.item)
            raise


class BestEffortUpdates:
    """Updates of a table that others read; while it fails, nothing is written."""

    def __init__(self, table: Table, circuit: CircuitBreaker) -> None:
        self._table, self._circuit = table, circuit

    def update(self, pk: str, change: Change) -> None:
        """Change an item. Raises `ConditionFailed`."""
        self._circuit.call(lambda: self._table.update(pk, change), dict)


def read_integer(item: Item, name: str) -> int:
    """Return a whole number; 0 if there is no number of that name."""
    value = item.get(name)
    return value if isinstance(value, int) else 0
