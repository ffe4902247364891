"""A DynamoDB table: what is written, and how each fault of it is named."""

from __future__ import annotations

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr
from goldpan.errors import StoreFailed
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter

from tests.integration.stores.opened import LIMITS, PATIENCE
from tests.integration.stores.recorder import Recorder
from tests.support.fakes import FakeClock


def test_an_update_assigns_adds_and_removes(recorder: Recorder) -> None:
    """Attributes of any name are changed at once; a number that is missing counts as 0."""
    table = recorder.table
    created = table.update("a", assign={"ttl": 1, "size": "x"}, add={"60s/1": 2})
    assert created == {"pk": "a", "ttl": 1, "size": "x", "60s/1": 2}
    changed = table.update("a", Attr("60s/1").eq(2), assign={"ttl": 3}, add={"60s/1": -1, "total": 5}, remove=["size"])
    assert changed == table.get("a") == {"pk": "a", "ttl": 3, "60s/1": 1, "total": 5}
    assert table.get("missing") == {}


def test_a_condition_that_does_not_hold_changes_nothing(recorder: Recorder) -> None:
    """The failure of an update holds the item as it is."""
    table = recorder.table
    table.update("a", assign={"n": 1})
    with pytest.raises(ConditionFailed) as failed:
        table.update("a", Attr("n").lt(1) | Attr("n").not_exists(), assign={"n": 2})
    assert failed.value.item == {"pk": "a", "n": Decimal(1)}
    with pytest.raises(ConditionFailed):
        table.put({"pk": "a"}, Attr("pk").not_exists())
    with pytest.raises(ConditionFailed):
        table.delete("a", Attr("n").eq(2))
    assert table.get("a") == {"pk": "a", "n": 1}


def test_failed_calls_are_named(recorder: Recorder) -> None:
    """A missing table, a fraction instead of a whole number, and a response without what was asked for are failures."""
    with pytest.raises(StoreFailed, match=r"^missing could not be used \(.*ResourceNotFound"):
        DynamoDBTable(recorder.table._client, "missing", PATIENCE).get("a")
    limiter = DynamoDBRateLimiter(recorder.table, FakeClock(), LIMITS)
    recorder.table.update("rate-limit#minute", assign={"60s/1": Decimal("1.5")})
    with pytest.raises(StoreFailed, match=r"^goldpan returned an unexpected response \(ValueError\)"):
        limiter.acquire("minute")
    recorder.silent = True
    with pytest.raises(StoreFailed, match=r"^goldpan returned an unexpected response \(KeyError\)"):
        recorder.table.get_batch(["a"])
    with pytest.raises(StoreFailed, match="did not return the item"):
        limiter.acquire("hour")
