"""What may be wrong with DynamoDB: each is named, within a moment."""

from __future__ import annotations

import time
from datetime import datetime

import pytest
from goldpan.infra.cache.dynamodb import DynamoDBCache
from goldpan.infra.cache.port import TTL, CacheFailed, cache_key
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.locks.dynamodb import DynamoDBLocks
from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter
from goldpan.infra.rate_limits.limits import rate_limit_key
from goldpan.infra.rate_limits.limits import Limit

from tests.integration.crowd import TABLE, client_of
from tests.integration.dynamodb.watched import Watched
from tests.support.fakes import START, FakeClock

KEY, LIFE = cache_key("source", searches=["react"]), TTL["source"]
TOKEN = rate_limit_key("github:graphql", "https://api.github.com", "good-token")


def test_a_table_that_is_not_there(client: Watched, clock: FakeClock) -> None:
    """A table that does not exist is a failure that names it, in the cache, the budgets and the flights."""
    cache, none = DynamoDBCache(client, "none", clock, list[str]().append), "none could not be used .*ResourceNotFound"
    with pytest.raises(CacheFailed, match=none):
        cache.read([KEY])
    with pytest.raises(CacheFailed, match=none):
        cache.write({KEY: b"value"}, LIFE)
    budget, flights = DynamoDBRateLimiter(client, "none", clock), DynamoDBLocks(client, "none", clock)
    with pytest.raises(StoreFailed, match=none):
        budget.take(TOKEN)
    with pytest.raises(StoreFailed, match=none):
        budget.close(TOKEN, START)
    with pytest.raises(StoreFailed, match=none):
        flights.begin("q", LIFE)
    with pytest.raises(StoreFailed, match=none):
        flights.end("q")


def test_a_table_that_is_too_slow_gives_no_turn(client: Watched) -> None:
    """A turn that took longer to count than half of its margin is not used, and in the end none is given."""

    class SlowClock(FakeClock):
        def now(self) -> datetime:
            self.wait(0.3)
            return super().now()

    budget = DynamoDBRateLimiter(client, TABLE, SlowClock(), {"source": (Limit(5, 25),)})
    with pytest.raises(StoreFailed, match="too slow"):
        budget.take("source")
    assert client.asked.count("update_item") > 1


@pytest.mark.enable_socket
def test_nobody_listens(clock: FakeClock) -> None:
    """A DynamoDB that cannot be reached is a failure within a moment."""
    client, began = client_of("http://127.0.0.1:9", seconds=1), time.monotonic()
    with pytest.raises(CacheFailed, match="could not be used"):
        DynamoDBCache(client, TABLE, clock, list[str]().append).read([KEY])
    with pytest.raises(StoreFailed, match="could not be used"):
        DynamoDBRateLimiter(client, TABLE, clock).take(TOKEN)
    assert time.monotonic() - began < 5
    client.close()
