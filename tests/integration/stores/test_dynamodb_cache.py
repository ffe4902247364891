"""The cache in DynamoDB: batches are completed, items fit, and the state machine can read answers itself."""

from __future__ import annotations

import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import Binary
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import compress

from tests.integration.stores.opened import TABLE
from tests.integration.stores.recorder import Recorder
from tests.support.fakes import START, FakeClock

KEY, HOUR = "source:react", timedelta(hours=1)
GOOD = Binary(compress(b"value"))


@pytest.fixture
def counted() -> list[str]:
    """Collect the metrics that the cache counts."""
    return []


@pytest.fixture
def cache(recorder: Recorder, clock: FakeClock, counted: list[str]) -> DynamoDBCache:
    """Make a cache."""
    return DynamoDBCache(recorder.table, clock, counted.append)


def test_batches_are_completed(recorder: Recorder, cache: DynamoDBCache, clock: FakeClock) -> None:
    """Keys are read in batches of 100 and written in batches of 25; what is left unprocessed is repeated."""
    keys = [f"source:{number}" for number in range(130)]
    recorder.unprocessed = 2
    cache.write(dict.fromkeys(keys, b"value"), HOUR)
    assert recorder.operations == ["BatchWriteItem"] * (6 + 2)
    recorder.operations.clear()
    recorder.unprocessed = 3
    assert set(cache.read(keys)) == set(keys)
    assert recorder.operations == ["BatchGetItem"] * (2 + 3)
    assert 0 < sum(clock.waits) < 1


def test_batches_are_given_up(recorder: Recorder, cache: DynamoDBCache, clock: FakeClock, counted: list[str]) -> None:
    """A table that processes nothing costs half a second a batch, and is counted."""
    recorder.unprocessed = 10_000
    cache.write({KEY: b"value"}, HOUR)
    assert cache.read([KEY]) == {}
    assert counted == ["CacheBatchCut"] * 2
    assert sum(clock.waits) < 2 * 0.7


def test_an_entry_that_is_too_large_is_left_out(cache: DynamoDBCache, counted: list[str]) -> None:
    """A value over 400 KiB when compressed is counted and left out; the others of its batch are written."""
    large = random.Random(1).randbytes(400 * 1024)
    cache.write({"large": large, "small": b"value", "compressible": b"row" * 400_000}, HOUR)
    assert set(cache.read(["large", "small", "compressible"])) == {"small", "compressible"}
    assert counted == ["CacheEntryTooLarge"]


def test_the_largest_entry_that_fits(recorder: Recorder, cache: DynamoDBCache) -> None:
    """A value just below the limit is written, as an item no larger than DynamoDB allows."""
    recorder.silent = True  # the simulation counts bytes as base64
    cache.write({"k" * 71: random.Random(1).randbytes(400 * 1024 - 420)}, HOUR)
    (put,) = recorder.bodies[-1]["RequestItems"][TABLE]
    sizes = [len(name) + len(next(iter(value.values()))) for name, value in put["PutRequest"]["Item"].items()]
    assert 400 * 1024 - 300 < sum(sizes) <= 400 * 1024


def test_the_items_of_the_table(recorder: Recorder, cache: DynamoDBCache) -> None:
    """Source data is compressed; an answer is text with a time of Step Functions; both are deleted after a day."""
    cache.write({KEY: b"row" * 1000, "answer:1": b'{"query": "q"}'}, HOUR)
    micros, expiry = int(START.timestamp()) * 1_000_000, int(START.timestamp()) + 3600 + 86_400
    times = {"stored_at": micros, "fresh_until": micros + 3_600_000_000, "ttl": expiry}
    assert recorder.table.get("answer:1") == {
        "pk": "answer:1", "text": '{"query": "q"}', "fresh_until_time": "2026-08-22T13:00:00.000Z", **times,
    }  # fmt: skip
    item = dict(recorder.table.get(KEY))
    assert len(bytes(item.pop("value"))) < 100
    assert item == {"pk": KEY, **times}


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"value": Binary(b"garbage")},
        {"value": "text"},
        {"text": 7},
        {"value": GOOD, "stored_at": Decimal("1.5"), "fresh_until": Decimal(1)},
        {"value": GOOD, "stored_at": Decimal(1), "fresh_until": Decimal("9E99")},
    ],
)
def test_an_item_that_cannot_be_decoded_is_left_out(
    recorder: Recorder, cache: DynamoDBCache, attributes: dict[str, Any]
) -> None:
    """An item in another form costs only itself."""
    cache.write({"other": b"value"}, HOUR)
    recorder.table.put_batch([{"pk": KEY, **attributes}])
    assert set(cache.read([KEY, "other"])) == {"other"}
