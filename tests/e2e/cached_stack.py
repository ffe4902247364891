"""The stack with its tables: what they hold, and how a test changes it."""

from dataclasses import dataclass
from typing import Any

from goldpan.aws.bootstrap import open_shared_stores

from tests.e2e.comparison import Searched, Stack
from tests.support.dynamodb_service import TABLES
from tests.support.search_fakes import QUESTION, Fakes, FakeSource, SharedClock, repositories

CACHE, BUDGET, POPULARITY = TABLES["CacheTable"], TABLES["BudgetTable"], TABLES["PopularityTable"]
Item = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class CachedStack:
    """The stack and a client of its tables."""

    stack: Stack
    client: Any

    def search(self, fakes: Fakes | None = None, *, refresh: bool = False, **fields: Any) -> Searched:
        """Search for the question, or for what the fields say."""
        value = {"request": {"query": QUESTION, **fields}, **({"refresh": True} if refresh else {})}
        return self.stack.execute(fakes or self.fakes(), value)

    def fakes(self, **parts: Any) -> Fakes:
        """Make fakes whose stores are the tables."""
        clock = SharedClock()
        stores = open_shared_stores([CACHE, BUDGET, POPULARITY], clock, lambda _: None, {})
        return Fakes(**{"sources": {"github": FakeSource(repositories(1))}, **parts}, clock=clock, stores=stores)

    def items(self, table: str, prefix: str = "") -> list[Item]:
        """Return the items of a table whose key has the prefix."""
        found: list[Item] = self.client.scan(TableName=table)["Items"]
        return [item for item in found if item["pk"]["S"].startswith(prefix)]

    def answers(self) -> list[Item]:
        """Return the cached pages of answers."""
        return self.items(CACHE, "answer:")

    def delete_answers(self) -> str:
        """Delete the cached pages, and the answer with all results, whose key is returned."""
        [whole] = self.items(CACHE, "search:")
        for item in (whole, *self.answers()):
            self.client.delete_item(TableName=CACHE, Key={"pk": item["pk"]})
        return str(whole["pk"]["S"])
