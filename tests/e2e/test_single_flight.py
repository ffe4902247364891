"""Of many who ask the same at the same time one searches; the others wait a while for its answer, never for good."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import Any

from goldpan.errors import Unavailable

from tests.e2e.comparison import Searched
from tests.e2e.fakes import QUESTION, Shelf
from tests.e2e.lambda_service import PlatformFailure
from tests.e2e.memory import BUDGET, CACHE, POPULARITY, CachedValue, Item

GIVEN = {"request": {"query": QUESTION, "max_seconds": 27}}
CROWD = 10


def waits(searched: Searched) -> int:
    """Tell how often an execution waited."""
    return searched.ended.states().count("Wait for the other search")


def answered_at(searched: Searched) -> str:
    """Tell when the answer was made."""
    return str(json.loads(searched.response.body)["answered_at"])


def mark(memory: CachedValue, seconds: float) -> Item:
    """Mark the question as one that another searches for, until so many seconds from now."""
    memory.search()
    [answer] = memory.answers()
    memory.client.delete_item(TableName=CACHE, Key={"pk": answer["pk"]})
    until = int((datetime.now(UTC).timestamp() + seconds) * 1_000_000)
    item = {"pk": {"S": f"flight#{answer['pk']['S']}"}, "owner": {"S": "another"}, "until": {"N": str(until)}}
    memory.put(BUDGET, item)
    return item


def test_a_crowd_costs_one_search(memory: CachedValue) -> None:
    """However many ask the same at once, it is searched once, all have its answer, and each is counted."""
    crowd = memory.stack.crowd(memory.fakes(), GIVEN, size=CROWD)
    calls = crowd[0].calls
    assert (calls["translate"], calls["scout"], calls["assemble"]) == (1, 3, 1)
    assert len({answered_at(searched) for searched in crowd}) == 1
    assert sorted(searched.answer.cached for searched in crowd) == [False, *[True] * (CROWD - 1)]
    assert sum(int(item["asked"]["N"]) for item in memory.items(POPULARITY)) == CROWD
    assert not memory.items(BUDGET, "flight#")


def test_different_questions_do_not_wait_for_each_other(memory: CachedValue) -> None:
    """A mark stands for one question: another one is searched at once."""
    mark(memory, 60)
    assert not waits(memory.search(mode="focused"))


def test_the_mark_of_a_search_that_died(memory: CachedValue) -> None:
    """A mark that nobody ended holds nobody up once its time is over."""
    mark(memory, -0.001)
    searched = memory.search()
    assert (waits(searched), searched.calls["begin"], searched.answer.cached) == (0, 1, False)


def test_a_mark_that_ends_while_others_wait(memory: CachedValue) -> None:
    """Who waits for a search that died searches as soon as its mark is over."""
    mark(memory, 1.5)
    searched = memory.search(max_seconds=25)
    assert 1 <= waits(searched) <= 3
    assert not searched.answer.cached


def test_nobody_waits_beyond_half_of_the_time(memory: CachedValue) -> None:
    """Of six seconds three at most are spent waiting; the rest is enough for an answer of one's own."""
    item = mark(memory, 60)
    memory.put(BUDGET, item | {"pk": {"S": "flight#" + key(memory, max_seconds=6)}})
    searched = memory.search(max_seconds=6)
    assert 1 <= waits(searched) <= 3
    assert searched.response.statusCode == 200
    assert not searched.answer.cached


def test_what_waiting_has_left_is_what_the_stages_have(memory: CachedValue) -> None:
    """The stages after a wait are told when the search began, and when it was asked for."""
    mark(memory, 1.5)
    memory.search()
    [told] = [event for _, event in memory.stack.machine.functions.calls if event["stage"] == "translate"]
    waited = datetime.fromisoformat(told["begun_at"]) - datetime.fromisoformat(told["asked_at"])
    assert waited.total_seconds() >= 1


def test_a_search_that_fails_lets_the_next_one_begin(memory: CachedValue) -> None:
    """Where the one that searches ends without an answer, one of those who wait searches, and all others have that."""
    met, turn = [0], threading.Lock()

    def first(_strategy: str) -> object:
        with turn:
            met[0] += 1
            if met[0] <= 3:
                raise Unavailable("github answered 502")
        return None

    crowd = memory.stack.crowd(memory.fakes(sources={"github": Shelf(also=first)}), GIVEN, size=6)
    assert sorted(searched.response.statusCode for searched in crowd) == [200] * 5 + [503]
    assert crowd[0].calls["translate"] == 2


def test_a_search_that_is_lost_lets_the_next_one_begin(memory: CachedValue) -> None:
    """A search that the platform loses before it could tell its end is waited for until its mark or half is over."""
    lost = PlatformFailure("screener", "Runtime.ExitError", where={"stage": "assemble"}, times=1)
    crowd = memory.stack.crowd(memory.fakes(), {"request": {"query": QUESTION, "max_seconds": 6}}, lost, size=3)
    assert sorted(searched.response.statusCode for searched in crowd) == [200, 200, 500]


def key(memory: CachedValue, **fields: Any) -> str:
    """Tell the key of a request by asking it, and forget the answer again."""
    before = {item["pk"]["S"] for item in memory.answers()}
    memory.search(**fields)
    [new] = {str(item["pk"]["S"]) for item in memory.answers()} - before
    memory.client.delete_item(TableName=CACHE, Key={"pk": {"S": new}})
    return new
