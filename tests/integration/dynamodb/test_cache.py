"""The cache in DynamoDB: batches to their end, sizes that fit, answers that the state machine reads itself."""

from __future__ import annotations

import random
from typing import Any

import pytest
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import STALE_TTL, TTL, cache_key

from tests.integration.crowd import TABLE
from tests.integration.dynamodb.watched import Watched
from tests.support.fakes import START, FakeClock

KEY, LIFE = cache_key("source", searches=["react"]), TTL["source"]


def test_batches_go_to_their_end(client: Watched, clock: FakeClock) -> None:
    """Keys are read a hundred at once and written 25 at once, and what DynamoDB left undone is asked for again."""
    cache = DynamoDBCache(client, TABLE, clock, list[str]().append)
    keys = [cache_key("source", number=number) for number in range(130)]
    client.lazy = 2
    cache.write(dict.fromkeys(keys, b"value"), LIFE)
    assert client.asked == ["batch_write_item"] * (6 + 2)
    client.asked.clear()
    client.lazy = 3
    assert set(cache.read(keys)) == set(keys)
    assert client.asked == ["batch_get_item"] * (2 + 3)
    assert 0 < sum(clock.waits) < 1


def test_batches_are_cut_when_their_time_is_up(client: Watched, clock: FakeClock) -> None:
    """A table that leaves all undone costs a second and a half, and a count."""
    counted: list[str] = []
    cache = DynamoDBCache(client, TABLE, clock, counted.append)
    client.lazy = 10_000
    cache.write({KEY: b"value"}, LIFE)
    assert cache.read([KEY]) == {}
    assert counted == ["CacheBatchCut"] * 2
    assert sum(clock.waits) < 2 * 1.7


def test_what_is_too_large_is_left_out(client: Watched, clock: FakeClock) -> None:
    """A value that stays over 400 KB when compressed is counted and left out; the others of its batch are kept."""
    counted: list[str] = []
    cache = DynamoDBCache(client, TABLE, clock, counted.append)
    large, other = random.Random(1).randbytes(400 * 1024), cache_key("source", searches=["vue"])
    compressible = cache_key("source", searches=["angular"])
    cache.write({KEY: large, other: b"value", compressible: b"row" * 400_000}, LIFE)
    assert set(cache.read([KEY, other, compressible])) == {other, compressible}
    assert counted == ["CacheEntryTooLarge"]


def test_the_largest_that_fits(client: Watched, clock: FakeClock) -> None:
    """A value just under the limit is kept, and its item is no larger than DynamoDB allows."""
    client.deaf = True  # moto counts bytes as base64
    cache = DynamoDBCache(client, TABLE, clock, list[str]().append)
    cache.write({KEY: random.Random(1).randbytes(400 * 1024 - 420)}, LIFE)
    (put,) = client.sent[-1]["RequestItems"][TABLE]
    sizes = [len(name) + len(next(iter(value.values()))) for name, value in put["PutRequest"]["Item"].items()]
    assert 400 * 1024 - 300 < sum(sizes) <= 400 * 1024


def test_what_lies_in_the_table(client: Watched, clock: FakeClock) -> None:
    """Source data lies there compressed, an answer as plain text; both are deleted a day after they are stale."""
    answer = cache_key("answer", query="q")
    cache = DynamoDBCache(client, TABLE, clock, list[str]().append)
    cache.write({KEY: b"row" * 1000, answer: b'{"query": "q"}'}, LIFE)
    assert len(client.item(KEY)["value"]["B"]) < 100
    assert client.item(answer)["text"] == {"S": '{"query": "q"}'}
    gone = int((START + LIFE + STALE_TTL).timestamp())
    assert {int(client.item(key)["ttl"]["N"]) for key in (KEY, answer)} == {gone}


@pytest.mark.parametrize("attributes", [{}, {"value": {"B": b"garbage"}}, {"value": {"S": "text"}}])
def test_garbage_is_not_there(client: Watched, clock: FakeClock, attributes: dict[str, Any]) -> None:
    """An item in another form is as good as none."""
    client.put_item(TableName=TABLE, Item={"pk": {"S": KEY}, **attributes})
    assert DynamoDBCache(client, TABLE, clock, list[str]().append).read([KEY]) == {}
