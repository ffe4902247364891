"""The cache and the rate limits in DynamoDB: few calls, items that fit, and answers that the state machine can read."""

import random
import zlib
from datetime import timedelta
from decimal import Decimal

import pytest
from goldpan.aws.bootstrap import open_shared_stores
from goldpan.infra.cache import Cache
from goldpan.infra.dynamodb_table import DynamoDBTable
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.source_client import LEASE_SECONDS

from tests.integration.stores.opened import LIMITS, PATIENCE, REGION, TABLE, Recorder
from tests.support.fakes import START, FakeClock

KEY, HOUR = "source:react", timedelta(hours=1)


@pytest.fixture
def cache(recorder: Recorder, clock: FakeClock) -> Cache:
    """Make a cache."""
    table = DynamoDBTable(recorder.table._client, TABLE, PATIENCE, clock, recorder.counted.append)
    return Cache(table, clock, readable="answer")


def test_batches_are_completed(recorder: Recorder, cache: Cache, clock: FakeClock) -> None:
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
    recorder.unprocessed = 1000
    assert (cache.read(keys[:1]), recorder.counted) == ({}, ["CacheBatchCut"])


def test_an_entry_that_is_too_large_is_left_out(recorder: Recorder, cache: Cache) -> None:
    """A value over 400 KiB when compressed is counted and left out; one just below is an item that DynamoDB accepts."""
    large = random.Random(1).randbytes(400 * 1024)
    cache.write({"large": large, "small": b"value", "compressible": b"row" * 400_000}, HOUR)
    assert set(cache.read(["large", "small", "compressible"])) == {"small", "compressible"}
    cache.write({"answer:of letters": ("動" * 140_000).encode()}, HOUR)
    assert recorder.counted == ["CacheEntryTooLarge"] * 2
    recorder.silent = True  # the simulation counts bytes as base64
    cache.write({"k" * 71: large[:-420]}, HOUR)
    (put,) = recorder.bodies[-1]["RequestItems"][TABLE]
    sizes = [len(name) + len(next(iter(value.values()))) for name, value in put["PutRequest"]["Item"].items()]
    assert 400 * 1024 - 300 < sum(sizes) <= 400 * 1024


def test_items_are_as_the_state_machine_reads_them_and_have_an_end(
    recorder: Recorder, cache: Cache, clock: FakeClock
) -> None:
    """Source data is compressed, an answer is text with a time of Step Functions; the table deletes them, and locks."""
    cache.write({KEY: b"row" * 1000, "answer:1": b'{"query": "q"}'}, HOUR)
    micros, expiry = int(START.timestamp()) * 1_000_000, int(START.timestamp()) + 3600 + 86_400
    times = {"stored_at": micros, "fresh_until": micros + 3_600_000_000, "ttl": expiry}
    assert recorder.table.get("answer:1") == {
        "pk": "answer:1", "text": '{"query": "q"}', "fresh_until_time": "2026-08-22T13:00:00.000Z", **times,
    }  # fmt: skip
    item = dict(recorder.table.get(KEY))
    assert len(str(item.pop("value"))) < 300
    assert item == {"pk": KEY, **times}
    assert SingleFlightLocks(recorder.table, clock, recorder.counted.append).acquire("q", HOUR, "execution")
    kept = timedelta(seconds=int(str(recorder.table.get("lock#q")["ttl"])) - clock.now().timestamp())
    assert HOUR <= kept <= timedelta(days=3)


def test_items_that_cannot_be_decoded_are_left_out(recorder: Recorder, cache: Cache) -> None:
    """An item in another form costs only itself."""
    value = zlib.compress(b"value")
    items: list[dict[str, object]] = [
        {"pk": "without a value"},
        {"pk": "garbage", "value": b"garbage"},
        {"pk": "text", "value": "text"},
        {"pk": "number", "text": 7},
        {"pk": "fraction", "value": value, "stored_at": Decimal("1.5"), "fresh_until": Decimal(1)},
        {"pk": "far time", "value": value, "stored_at": Decimal(1), "fresh_until": Decimal("9E99")},
    ]
    recorder.table.put_many({str(item["pk"]): item for item in items})
    cache.write({KEY: b"value"}, HOUR)
    assert set(cache.read([KEY, *(str(item["pk"]) for item in items)])) == {KEY}


def test_a_throttled_lock_is_waited_for_and_then_given_up(recorder: Recorder, clock: FakeClock) -> None:
    """For three seconds it counts as the lock of another search; then the circuit breaker lets the search run."""
    counted = list[str]()
    locks = SingleFlightLocks(recorder.table, clock, counted.append)
    recorder.error = "ThrottlingException"
    assert not locks.acquire("answer:1", HOUR, "one")
    clock.wait(2)
    recorder.error = ""
    assert locks.acquire("answer:2", HOUR, "one")
    recorder.error = "ThrottlingException"
    for failures in (1, 2):
        assert not locks.acquire("answer:1", HOUR, "one")
        clock.wait(2.9)
        assert not locks.acquire("answer:1", HOUR, "one")
        clock.wait(0.1)
        assert locks.acquire("answer:1", HOUR, "one")
        assert counted == ["FlightsFailed"] * failures
        clock.wait(30)


def test_a_reservation_is_one_call(recorder: Recorder, clock: FakeClock) -> None:
    """After the first one of a function, each is one update, which removes expired parts within DynamoDB's limits.

    At most 4 KB an expression and 300 operators (service quotas of DynamoDB).
    """
    limiter = RateLimiter(recorder.table, clock, LIMITS)
    for seconds in (110, 1.9):
        for _ in range(40):
            assert limiter.acquire("hour").granted
            clock.wait(seconds)
    clock.wait(2 * 3600)
    assert limiter.acquire("hour").granted
    assert recorder.operations == ["GetItem"] + ["UpdateItem"] * 81
    assert recorder.bodies[0]["ConsistentRead"], "another function may have reserved a moment ago"
    body = recorder.bodies[-1]
    assert len(body["ExpressionAttributeNames"]) > 60
    condition = body["ConditionExpression"]
    assert max(len(condition), len(body["UpdateExpression"])) < 4096
    assert sum(condition.count(f" {operator} ") for operator in ("=", "<=", "AND", "OR")) < 300
    assert sum("s/" in attribute for attribute in recorder.table.get("rate-limit#hour")) == 2


@pytest.mark.usefixtures("recorder")
def test_deployed_functions_share_a_limit(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one of them has spent, another one has not left."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    limits = {"minute": (Limit(60, 1),)}
    functions = [open_shared_stores([TABLE, TABLE], clock, list[str]().append, limits)[1] for _ in range(2)]
    assert [limiter.acquire("minute:key").granted for limiter in functions] == [True, False]


def test_a_call_costs_two_writes_of_dynamodb(recorder: Recorder, clock: FakeClock) -> None:
    """One update begins it and one ends it, without a read, however many others died before; the item stays small."""
    bound = {"source": (Limit(LEASE_SECONDS, 100),)}
    for _ in range(60):
        fresh = RateLimiter(recorder.table, clock, {}).for_calls(bound)  # of a function that is killed
        assert fresh.acquire("source").granted
        clock.wait(3)
    calls = RateLimiter(recorder.table, clock, {}).for_calls(bound)
    calls.release("source", calls.acquire("source"))
    recorder.operations.clear()
    for _ in range(5):
        calls.release("source", calls.acquire("source"))
        clock.wait(3)
    assert recorder.operations == ["UpdateItem"] * 10
    assert len(recorder.table.get("rate-limit#source")) < 12
