"""A client of DynamoDB that notes what is asked, and may do less than it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from goldpan.infra.dynamodb_client import dynamodb_client
from moto import mock_aws

from tests.integration.crowd import REGION, TABLE
from tests.integration.stores.opened import make_table


class Watched:
    """A client that notes what is asked, and may leave work undone."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.asked: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self.lazy = 0
        self.deaf = False

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._client, name)
        return inner if name == "exceptions" else lambda **asked: self._call(name, inner, asked)

    def _call(self, name: str, inner: Any, asked: dict[str, Any]) -> Any:
        self.asked.append(name)
        self.sent.append(asked)
        if self.deaf:
            return {}
        if self.lazy and name.startswith("batch"):
            self.lazy -= 1
            return {
                "Responses": {},
                "UnprocessedKeys": asked["RequestItems"],
                "UnprocessedItems": asked["RequestItems"],
            }
        return inner(**asked)

    def item(self, pk: str) -> dict[str, Any]:
        """Read an item as it lies there."""
        found: dict[str, Any] = self._client.get_item(TableName=TABLE, Key={"pk": {"S": pk}})["Item"]
        return found


@contextmanager
def watched() -> Iterator[Watched]:
    """Make a client with a table."""
    with mock_aws():
        client = Watched(dynamodb_client(region_name=REGION))
        make_table(client)
        client.asked.clear()
        yield client
