"""The stores that all functions share, opened as a function opens them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from goldpan.aws.shared_stores import Tables, open_shared_stores
from goldpan.infra.stores import Stores

from tests.integration.stores.opened import LIMITS, REGION, TABLE, simulated_table
from tests.support.fakes import FakeClock

MINUTE = timedelta(minutes=1)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Simulate DynamoDB with one table, in the region of a function; returns the metrics that are counted."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with simulated_table():
        yield []


def use(stores: Stores) -> tuple[int, bool, list[bool]]:
    """Use all stores; returns how many entries the cache holds, and whether a lock and eleven calls were granted."""
    assert stores.cache
    assert stores.locks
    assert stores.popularity
    stores.cache.write({"key": b"value"}, MINUTE)
    stores.popularity.count("answer:1", "{}")
    lock = stores.locks.acquire("q", MINUTE, "one") and not stores.locks.acquire("q", MINUTE, "other")
    calls = [stores.rate_limiter.acquire("minute").granted for _ in range(11)]
    stores.close()
    return len(stores.cache.read(["key"])), lock, calls


def test_functions_share_the_tables(counted: list[str]) -> None:
    """Cache, locks, rate limits and popularity work on the tables that are named."""
    stores = open_shared_stores(Tables(TABLE, TABLE, TABLE), FakeClock(), counted.append, LIMITS)
    assert use(stores) == (1, True, [True] * 10 + [False])
    assert counted == ["CacheHit"]


def test_a_search_continues_without_the_tables(counted: list[str]) -> None:
    """Each store that fails is counted once; the rate limits then hold for this function alone."""
    stores = open_shared_stores(Tables("a", "b", "c"), FakeClock(), counted.append, LIMITS)
    assert use(stores) == (0, False, [True] * 10 + [False])
    assert counted == ["CacheFailed", "PopularityFailed", "FlightsFailed", "RateBudgetFailed"]


def test_only_one_function_counts_popularity(counted: list[str]) -> None:
    """Without a table there is no counter."""
    assert open_shared_stores(Tables(TABLE, TABLE), FakeClock(), counted.append, LIMITS).popularity is None
