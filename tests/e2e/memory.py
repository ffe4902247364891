"""The stack with its tables: what is remembered in them, and how a test changes it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from goldpan.engine.deadlines import Clock, WallClock
from goldpan.infra.stores import deployed_stores
from goldpan.settings import ScreenerSettings

from tests.e2e.comparison import Searched, Stack
from tests.e2e.dynamodb_service import DynamoService
from tests.e2e.fakes import QUESTION, Fakes
from tests.e2e.machine import TABLES

CACHE, BUDGET, POPULARITY = TABLES["CacheTable"], TABLES["BudgetTable"], TABLES["PopularityTable"]
SETTINGS = ScreenerSettings(cache_table=CACHE, budget_table=BUDGET, popularity_table=POPULARITY)
Item = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class CachedValue:
    """The stack, and what it shares.

    Attributes:
        service: What makes the tables fail.
        client: A way to the tables past all that a test breaks.
    """

    stack: Stack
    service: DynamoService
    client: Any

    def search(self, fakes: Fakes | None = None, *, refresh: bool = False, **fields: Any) -> Searched:
        """Search for the question, or for what the fields say."""
        given: dict[str, Any] = {"request": {"query": QUESTION, **fields}, **({"refresh": True} if refresh else {})}
        return self.stack.execute(fakes or self.fakes(), given)

    def fakes(self, clock: Clock | None = None, **parts: Any) -> Fakes:
        """Make what the functions reach, with stores of their own over the tables."""
        used, counted = clock or WallClock(), Counter[str]()
        stores = deployed_stores(SETTINGS, used, counted.update, popularity_table=POPULARITY)
        return Fakes(**parts, clock=used, stores=stores)

    def items(self, table: str, begin: str = "") -> list[Item]:
        """Give the items of a table, or those whose key begins so."""
        found: list[Item] = self.client.scan(TableName=table)["Items"]
        return [item for item in found if item["pk"]["S"].startswith(begin)]

    def answers(self) -> list[Item]:
        """Give the answers that are remembered."""
        return self.items(CACHE, "answer:")

    def put(self, table: str, item: Item) -> None:
        """Write an item."""
        self.client.put_item(TableName=table, Item=item)
