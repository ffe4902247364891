"""Rate limits in DynamoDB: one call for a reservation, none for a refusal, and items that stay small."""

from __future__ import annotations

from datetime import timedelta

import pytest
from boto3.dynamodb.conditions import Attr
from goldpan.errors import StoreFailed
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import Limit

from tests.integration.stores.opened import LIMITS
from tests.integration.stores.recorder import Recorder
from tests.support.fakes import START, FakeClock, SlowClock


def limiter_of(recorder: Recorder, clock: FakeClock) -> DynamoDBRateLimiter:
    """Make a rate limiter of the table."""
    return DynamoDBRateLimiter(recorder.table, clock, LIMITS)


def test_a_reservation_is_one_call(recorder: Recorder, clock: FakeClock) -> None:
    """After the first one of a function, each is one conditional update, which also removes expired parts."""
    limiter = limiter_of(recorder, clock)
    for _ in range(30):
        assert limiter.acquire("hour").granted
        clock.wait(11)
    assert recorder.operations == ["GetItem"] + ["UpdateItem"] * 30
    parts = [name for name in recorder.table.get("rate-limit#hour") if name.startswith("60s/")]
    assert len(parts) <= 8


def test_a_refusal_is_no_call(recorder: Recorder, clock: FakeClock) -> None:
    """A function that knows that a limit is spent does not call before there is room."""
    limiter = limiter_of(recorder, clock)
    assert limiter.acquire("minute", 10).granted
    recorder.operations.clear()
    assert not any(limiter.acquire("minute").granted for _ in range(20))
    limiter.reconcile("minute", 0, START + timedelta(seconds=9))
    assert recorder.operations == []


def test_an_outdated_state_grants_nothing(recorder: Recorder, clock: FakeClock) -> None:
    """A function whose state is outdated is refused by the table, and knows the new state then."""
    one, other = (limiter_of(recorder, clock) for _ in range(2))
    assert one.acquire("minute").granted
    assert other.acquire("minute", 9).granted
    recorder.operations.clear()
    assert not one.acquire("minute").granted
    assert recorder.operations == ["UpdateItem"]


def test_what_others_spent_is_added_once(recorder: Recorder, clock: FakeClock) -> None:
    """Of two functions with the same report one counts it; the other sees that the total has changed."""
    one, other = (limiter_of(recorder, clock) for _ in range(2))
    assert all(limiter.acquire("minute").granted for limiter in (one, other, one))
    one.reconcile("minute", 2, START + timedelta(seconds=30))
    other.reconcile("minute", 2, START + timedelta(seconds=30))
    assert [one.acquire("minute").granted for _ in range(3)] == [True, True, False]


def test_an_item_that_was_deleted_is_created_again(recorder: Recorder, clock: FakeClock) -> None:
    """DynamoDB may delete an item some hours after it counted; the next reservation creates it again."""
    limiter = limiter_of(recorder, clock)
    assert limiter.acquire("minute", 10).granted
    ttl = int(recorder.table.get("rate-limit#minute")["ttl"]) - START.timestamp()
    assert 3600 < ttl < 3 * 3600
    recorder.table.delete("rate-limit#minute", Attr("pk").exists())
    clock.wait(ttl)
    assert limiter.acquire("minute", 10).granted
    assert not limiter.acquire("minute").granted


def test_the_longest_expressions_fit(recorder: Recorder, clock: FakeClock) -> None:
    """After an hour and a minute full of calls, one update removes all parts within DynamoDB's limits.

    At most 4 KB an expression and 300 operators (service quotas of DynamoDB).
    """
    limiter = limiter_of(recorder, clock)
    for seconds in (110, 1.9):
        for _ in range(40):
            assert limiter.acquire("hour").granted
            clock.wait(seconds)
    clock.wait(2 * 3600)
    assert limiter.acquire("hour").granted
    body = recorder.bodies[-1]
    assert len(body["ExpressionAttributeValues"]) > 60
    condition = body["ConditionExpression"]
    assert max(len(condition), len(body["UpdateExpression"])) < 4096
    assert sum(condition.count(f" {operator} ") for operator in ("=", "<=", "AND", "OR")) < 300


def test_a_table_that_is_too_slow_grants_nothing(recorder: Recorder) -> None:
    """A reservation that took longer than half of its margin is not used; after two seconds the limiter fails."""
    limiter = DynamoDBRateLimiter(recorder.table, SlowClock(0.3), {"source": (Limit(5, 25),)})
    with pytest.raises(StoreFailed, match="too slow"):
        limiter.acquire("source")
    assert recorder.operations.count("UpdateItem") > 1
