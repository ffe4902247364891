"""A DynamoDB table: what is written, and how each fault of it is named."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.conditions import Attr
from goldpan.aws.popularity import DynamoDBPopularity
from goldpan.errors import StoreFailed
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.dynamodb_table import ConditionFailed, DynamoDBTable, open_tables, read_integer
from goldpan.infra.locks.dynamodb import DynamoDBLocks
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter

from tests.integration.stores.opened import LIMITS, REGION, TABLE
from tests.integration.stores.recorder import Recorder
from tests.support.fakes import START, FakeClock

MINUTE = timedelta(minutes=1)
CALLS: dict[str, Callable[[DynamoDBTable], object]] = {
    "read the cache": lambda table: cache_of(table).read(["key"]),
    "write the cache": lambda table: cache_of(table).write({"key": b"value"}, MINUTE),
    "acquire a lock": lambda table: DynamoDBLocks(table, FakeClock()).acquire("q", MINUTE, "one"),
    "release a lock": lambda table: DynamoDBLocks(table, FakeClock()).release("q", "one"),
    "reserve": lambda table: DynamoDBRateLimiter(table, FakeClock(), LIMITS).acquire("minute"),
    "block": lambda table: DynamoDBRateLimiter(table, FakeClock(), LIMITS).block_until("minute", START),
    "count": lambda table: DynamoDBPopularity(table, FakeClock()).count("answer:1", "{}"),
}


def cache_of(table: DynamoDBTable) -> DynamoDBCache:
    """Make a cache of the table."""
    return DynamoDBCache(table, FakeClock(), list[str]().append)


def test_an_update_assigns_adds_and_removes(recorder: Recorder) -> None:
    """Attributes of any name are changed at once; a number that is missing counts as 0."""
    table = recorder.table
    assert table.update("a", assign={"ttl": 1, "size": "x"}, add={"60s/1": 2}) == {
        "pk": "a", "ttl": 1, "size": "x", "60s/1": 2,
    }  # fmt: skip
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


def test_integers_are_read_exactly() -> None:
    """A missing number, or one of another type, is 0; a fraction is refused by name."""
    assert [read_integer({"n": value}, "n") for value in (Decimal(7), Decimal("1E3"), "7", None)] == [7, 1000, 0, 0]
    assert read_integer({}, "n") == 0
    with pytest.raises(ValueError, match=r"n is 1\.5, not a whole number"):
        read_integer({"n": Decimal("1.5")}, "n")


def test_popularity_is_counted_by_day(recorder: Recorder) -> None:
    """Each day has a counter of its own for a request, as the state machine writes it."""
    clock = FakeClock()
    popularity = DynamoDBPopularity(recorder.table, clock)
    for hours in (0, 11, 1):
        clock.wait(3600 * hours)
        popularity.count("answer:abc", '{"query":"q"}')
    days = [recorder.table.get(f"asked:2026-08-{day}:abc") for day in (22, 23)]
    assert [(item["day"], item["asked"], item["request"]) for item in days] == [
        ("2026-08-22", 2, '{"query":"q"}'),
        ("2026-08-23", 1, '{"query":"q"}'),
    ]
    assert int(days[1]["ttl"]) == int(clock.now().timestamp()) + 25 * 3600


@pytest.mark.parametrize("call", CALLS)
def test_a_missing_table_is_named(recorder: Recorder, call: str) -> None:
    """A table that does not exist fails every call by its name."""
    missing = DynamoDBTable(recorder.table._client, "missing")
    with pytest.raises(StoreFailed, match=r"^missing could not be used \(.*ResourceNotFound"):
        CALLS[call](missing)


@pytest.mark.parametrize("call", ["read the cache", "reserve"])
def test_an_unexpected_response_is_a_failure(recorder: Recorder, call: str) -> None:
    """A response without what was asked for, as a proxy may give, is no empty table."""
    recorder.silent = True
    with pytest.raises(StoreFailed, match=r"returned an unexpected response|did not return the item"):
        CALLS[call](recorder.table)


def test_an_item_that_cannot_be_read_is_a_failure(recorder: Recorder) -> None:
    """A fraction where a rate limit needs a whole number fails the call, not the process."""
    recorder.table.update("rate-limit#minute", assign={"60s/1": Decimal("1.5")})
    with pytest.raises(StoreFailed, match=r"goldpan returned an unexpected response \(ValueError\)"):
        CALLS["reserve"](recorder.table)


def test_a_call_that_hangs_is_abandoned() -> None:
    """A call ends after its seconds in any case, whatever the client does."""
    release = threading.Event()

    class HangingClient:
        def get_item(self, **_: object) -> None:
            release.wait(60)

    with pytest.raises(StoreFailed, match="no answer before the deadline"):
        DynamoDBTable(HangingClient(), TABLE, seconds=0.01).get("a")
    release.set()


@pytest.mark.enable_socket
def test_a_table_that_cannot_be_reached() -> None:
    """A connection that is refused is a failure, after a second attempt."""
    keys: dict[str, Any] = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    (table,) = open_tables(TABLE, endpoint_url="http://127.0.0.1:9", region_name=REGION, **keys)
    with pytest.raises(StoreFailed, match=r"goldpan could not be used .*Could not connect"):
        table.get("a")
    table.close()
