"""What is remembered may be old, odd, or out of reach: then the search is made, as if nothing were remembered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.e2e.dynamodb_service import UNREACHABLE, drop_tables, make_tables, throttled
from tests.e2e.fakes import Fakes
from tests.e2e.lambda_service import PlatformFailure
from tests.e2e.memory import BUDGET, CACHE, POPULARITY, CachedValue, Item

SECONDS = 8
"""Half of it is waited where a door still finds what the machine does not: the door reads another of its times."""
THROTTLED = "Lambda.TooManyRequestsException"


def at(seconds: float) -> str:
    """Write the time so many seconds from now as Step Functions does."""
    told = datetime.now(UTC) + timedelta(seconds=seconds)
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text(value: str) -> dict[str, str]:
    """Write a text as DynamoDB does."""
    return {"S": value}


ODD: dict[str, Item] = {
    "it is over": {"fresh_until_time": text(at(-1))},
    "it was over long ago": {"fresh_until_time": text("2020-01-01T00:00:00.000Z")},
    "its time is no time": {"fresh_until_time": text("zzz")},
    "its time is a number": {"fresh_until_time": {"N": "9999999999"}},
    "it has no time": {"fresh_until_time": {}},
    "it has no text": {"text": {}},
    "its text is none": {"text": {"B": b"{}"}},
    "its text is no answer": {"text": text("{}")},
    "its text is cut": {"text": text('{"query":"React animation library","mode":"bal')},
    "its text was never remembered": {"text": text('{"query":"","cached":false,"answered_at":""}')},
    "it has no end": {"ttl": {}},
}


@pytest.mark.parametrize("odd", ODD)
def test_an_item_that_does_not_serve(memory: CachedValue, odd: str) -> None:
    """An item that is over, which DynamoDB deletes days later, or that is no answer, is written anew."""
    memory.search(max_seconds=SECONDS)
    [item] = memory.answers()
    changed = {name: value for name, value in {**item, **ODD[odd]}.items() if value}
    memory.put(CACHE, changed)
    searched = memory.search(max_seconds=SECONDS)
    assert not searched.answer.cached
    assert searched.calls["translate"] == 1
    assert memory.search(max_seconds=SECONDS).answer.cached


@pytest.mark.parametrize("failure", [throttled(), UNREACHABLE], ids=["throttled", "unreachable"])
@pytest.mark.parametrize("table", [CACHE, BUDGET, POPULARITY])
def test_a_table_that_fails(memory: CachedValue, table: str, failure: Exception) -> None:
    """A table that is throttled or out of reach costs what it would have saved, and never the answer."""
    memory.search()
    memory.service.fail(table, failure)
    searched = memory.search(memory.fakes(), mode="focused")
    assert searched.response.statusCode == 200
    assert not searched.answer.cached
    assert memory.search(memory.fakes()).answer.cached == (table != CACHE)


def test_tables_that_are_missing(memory: CachedValue) -> None:
    """Without any table searches are made, one after the other."""
    drop_tables(memory.client)
    for _ in range(2):
        searched = memory.search(memory.fakes())
        assert searched.calls["translate"] == 1
        assert not searched.answer.cached
    make_tables(memory.client)


@pytest.mark.parametrize("error", [THROTTLED, "Sandbox.Timedout", "Runtime.ExitError", "Lambda.Unknown"])
def test_whose_turn_it_is_cannot_be_asked(memory: CachedValue, error: str) -> None:
    """Where the function that tells whose turn it is fails, the search is made at once, and remembered."""
    given: dict[str, Any] = {"request": {"query": "React animation library"}}
    failure = PlatformFailure("query_translator", error, where={"stage": "begin"})
    searched = memory.stack.execute(memory.fakes(), given, failure)
    assert (searched.calls["begin"], searched.calls["translate"]) == (1, 1)
    assert memory.search().answer.cached


def test_an_answer_that_lacks_a_part_serves_for_seconds(memory: CachedValue) -> None:
    """An answer without one of its sources is kept for those who wait for it now, not for a quarter of an hour."""
    memory.search(sources=["github", "openalex"])
    [item] = memory.answers()
    assert item["fresh_until_time"]["S"] < at(60)


def test_no_memory_where_a_door_cannot_reach_it(memory: CachedValue) -> None:
    """A door without stores answers all the same, and leaves nothing behind."""
    assert memory.search(Fakes()).response.statusCode == 200
    assert not memory.answers()
    assert not memory.items(POPULARITY)
