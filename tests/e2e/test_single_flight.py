"""Of several executions with the same request one searches; the others wait for its answer, but not for good."""

import json
import threading
from datetime import datetime, timedelta

import pytest
from goldpan.errors import Unavailable

from tests.e2e.comparison import BUDGET, CACHE, POPULARITY, CachedStack, Searched
from tests.support.search_fakes import QUESTION, FakeSource

VALUE = {"request": {"query": QUESTION, "max_seconds": 27}}


def waits(searched: Searched) -> int:
    """Count how often an execution waited for a second."""
    return searched.execution.states().count("Wait for the other search")


def test_a_crowd_costs_one_search(cached_stack: CachedStack) -> None:
    """All have its answer, and each is counted."""
    crowd = cached_stack.stack.crowd(cached_stack.fakes(), VALUE, size=4)
    calls = crowd[0].calls
    assert (calls["translate"], calls["scout"], calls["assemble"]) == (1, 3, 1)
    assert len({json.loads(searched.response.body)["answered_at"] for searched in crowd}) == 1
    assert sorted(searched.answer.cached for searched in crowd) == [False, True, True, True]
    assert sum(int(item["asked"]["N"]) for item in cached_stack.items(POPULARITY)) == 4
    assert not waits(cached_stack.search(max_seconds=26))


@pytest.mark.parametrize(("table", "operation"), [(BUDGET, "UpdateItem"), (CACHE, "GetItem")])
def test_a_crowd_that_is_throttled_costs_one_search(cached_stack: CachedStack, table: str, operation: str) -> None:
    """Six of ten are refused at the lock, or at the lookup of the answer; none searches by itself."""
    throttled = cached_stack.stack.platform.tables.throttled
    throttled[table, operation] = 12  # each call is made twice
    crowd = cached_stack.stack.crowd(cached_stack.fakes(), VALUE, size=10)
    assert throttled[table, operation] < 12
    assert (crowd[0].calls["translate"], crowd[0].calls["scout"]) == (1, 3)
    assert sorted(searched.answer.cached for searched in crowd) == [False] + [True] * 9


def test_no_execution_waits_longer_than_half_of_the_time(cached_stack: CachedStack) -> None:
    """Of six seconds three are for a search of its own, which gets what is left."""
    cached_stack.search(max_seconds=6)
    key, fakes = cached_stack.delete_answers(), cached_stack.fakes()
    locks = fakes.stores["query_translator"].locks
    assert locks is not None
    locks.acquire(key, timedelta(minutes=1), "another execution")
    searched = cached_stack.search(fakes, max_seconds=6)
    assert waits(searched) == 3
    assert not searched.answer.cached
    [event] = [event for event in cached_stack.stack.events if event["stage"] == "translate"]
    waited = datetime.fromisoformat(event["started_at"]) - datetime.fromisoformat(event["requested_at"])
    assert waited == timedelta(seconds=3)


def test_a_search_that_fails_lets_the_next_one_search(cached_stack: CachedStack) -> None:
    """One client gets the problem, and all others the answer of one further search."""
    searches, lock = [0], threading.Lock()

    def fail_first(_strategy: str) -> None:
        with lock:
            searches[0] += 1
            if searches[0] <= 3:
                raise Unavailable("github answered 502")

    fakes = cached_stack.fakes(sources={"github": FakeSource(on_search=fail_first)})
    crowd = cached_stack.stack.crowd(fakes, VALUE, size=4)
    assert sorted(searched.response.statusCode for searched in crowd) == [200, 200, 200, 503]
    assert crowd[0].calls["translate"] == 2
