"""A budget's item in DynamoDB: how it is read, and the updates that change it with their conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from goldpan.infra.dynamodb_client import Item, number, whole
from goldpan.infra.rate_limits.sliding_window import SECOND, Limit, Spent

KEPT_SECONDS = 7200
"""How long DynamoDB keeps an item that counts no more; no source closes for so long."""
CLOSED = "closed_until"


@dataclass(frozen=True)
class Update:
    """An update and its conditions, put together attribute by attribute."""

    changes: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, dict[str, str]] = field(default_factory=dict)

    def request(self) -> dict[str, Any]:
        """Write it as DynamoDB reads it."""
        remove = f" REMOVE {', '.join(self.removed)}" if self.removed else ""
        return {
            "UpdateExpression": f"SET {', '.join(self.changes)}{remove}",
            "ConditionExpression": " AND ".join(self.conditions),
            "ExpressionAttributeNames": self.names,
            "ExpressionAttributeValues": self.values,
        }

    def set(self, attribute: str, value: int) -> None:
        """Give an attribute a value."""
        self.changes.append(f"{self._name(attribute)} = {self._value(value)}")

    def add(self, attribute: str, amount: int) -> None:
        """Add to an attribute."""
        name = self._name(attribute)
        self.changes.append(f"{name} = if_not_exists({name}, {self._value(0)}) + {self._value(amount)}")

    def remove(self, attribute: str) -> None:
        """Take an attribute away."""
        self.removed.append(self._name(attribute))

    def require(self, attribute: str, comparison: str, value: int) -> None:
        """Make the update depend on an attribute."""
        self.conditions.append(f"{self._name(attribute)} {comparison} {self._value(value)}")

    def allow(self, attribute: str, comparison: str, value: int) -> None:
        """Make the update depend on an attribute, where the item has it."""
        name = self._name(attribute)
        self.conditions.append(f"(attribute_not_exists({name}) OR {name} {comparison} {self._value(value)})")

    def _name(self, attribute: str) -> str:
        known = {told: name for name, told in self.names.items()}
        return known.get(attribute) or self._noted(self.names, f"#n{len(self.names)}", attribute)

    def _value(self, value: int) -> str:
        return self._noted(self.values, f":v{len(self.values)}", number(value))

    @staticmethod
    def _noted(told: dict[str, Any], name: str, value: Any) -> str:
        told[name] = value
        return name


def pk_of(key: str) -> dict[str, dict[str, str]]:
    """Name the item of a budget."""
    return {"pk": {"S": f"budget#{key}"}}


def read_spent(item: Item) -> Spent:
    """Read what the item tells: a part of a limit's window stands under the limit's name and its number."""
    parts: dict[str, dict[int, int]] = {}
    for attribute in item:
        window, of, part = attribute.partition("/")
        if of:
            parts.setdefault(window, {})[int(part)] = whole(item, attribute)
    return Spent(parts, whole(item, CLOSED))


def spending(spent: Spent, limits: Sequence[Limit], cost: int, at: int, now: int) -> Update:
    """Spend a cost at a moment, where there still is room, and forget the parts that no longer count.

    Parts that are gone by that moment make room for it; they have to be what they were when it was chosen.
    """
    update = Update()
    update.allow(CLOSED, "<=", at)
    for limit in limits:
        counting = spent.counting(limit, now)
        passing = {part: was for part, was in counting.items() if limit.gone_at(part) <= at}
        gone = {part: was for part, was in spent.of(limit).items() if part not in counting}
        for part, was in {**gone, **passing}.items():
            update.require(f"{limit.name}/{part}", "=", was)
        for part in gone:
            update.remove(f"{limit.name}/{part}")
        leaving = sum(gone.values())
        update.allow(limit.name, "<=", limit.most - cost + leaving + sum(passing.values()))
        update.add(limit.name, cost - leaving)
        update.add(f"{limit.name}/{limit.part_at(at)}", cost)
    _keep(update, at, limits)
    return update


def addition(spent: Spent, limit: Limit, part: int, cost: int) -> Update:
    """Add what others spent, once: only to what was seen when it was worked out."""
    update, seen = Update(), sum(spent.of(limit).values())
    if seen:
        update.require(limit.name, "=", seen)
    else:
        update.allow(limit.name, "=", 0)
    update.add(limit.name, cost)
    update.add(f"{limit.name}/{part}", cost)
    _keep(update, limit.begin(part), [limit])
    return update


def closing(until: int) -> Update:
    """Close the budget, where it is not closed for longer."""
    update = Update()
    update.allow(CLOSED, "<", until)
    update.set(CLOSED, until)
    _keep(update, until, ())
    return update


def _keep(update: Update, at: int, limits: Sequence[Limit]) -> None:
    end = max([at, *(limit.gone_at(limit.part_at(at)) for limit in limits)])
    update.set("ttl", end // SECOND + KEPT_SECONDS)
