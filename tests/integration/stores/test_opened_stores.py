"""The stores as a function opens them, over its tables."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import pytest
from goldpan.aws import bootstrap
from goldpan.aws.bootstrap import open_shared_stores
from goldpan.infra.dynamodb_table import open_tables
from goldpan.infra.stores import Stores

from tests.integration.stores.opened import LIMITS, PATIENCE, REGION, TABLE, simulated_table
from tests.support.fakes import FakeClock

MINUTE = timedelta(minutes=1)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Simulate DynamoDB with one table, in the region of a function; returns the metrics that are counted."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setattr(bootstrap, "open_tables", partial(open_tables, seconds=PATIENCE))
    with simulated_table():
        yield []


def use(one: Stores, other: Stores) -> tuple[set[str], list[bool], int]:
    """Use all stores; returns what was cached, whether three locks were acquired, and how many calls were granted."""
    assert one.cache
    assert one.locks
    assert other.cache
    assert other.locks
    one.cache.write({"key": b"value"}, MINUTE)
    cached = set(other.cache.read(["key"]))
    locks = [one.locks.acquire("q", MINUTE, "one"), other.locks.acquire("q", MINUTE, "other")]
    one.locks.release("q", "one")
    locks.append(other.locks.acquire("q", MINUTE, "other"))
    calls = [stores.rate_limiter.acquire("minute").granted for stores in (one, other) for _ in range(11)]
    one.close()
    other.close()
    return cached, locks, sum(calls)


def test_functions_share_the_tables(counted: list[str]) -> None:
    """What one function caches, locks and spends is seen by the other; only one of them counts popularity."""
    one = open_shared_stores([TABLE, TABLE, TABLE], FakeClock(), counted.append, LIMITS)
    other = open_shared_stores([TABLE, TABLE], FakeClock(), counted.append, LIMITS)
    assert other.popularity is None
    assert one.popularity
    one.popularity.count("answer:1", "{}")
    assert use(one, other) == ({"key"}, [True, False, True], 10)
    assert counted == ["CacheHit"]
