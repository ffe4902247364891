"""The warm-ups: the real state machine over the table of popular requests: what it searches for, and how it fails."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from goldpan.contracts import SearchRequest

from tests.e2e.cached_stack import CachedStack
from tests.support.warm_up_machine import WarmUps


@pytest.fixture
def warm_ups(cached_stack: CachedStack) -> Iterator[WarmUps]:
    """Return the state machine of the warm-ups, over an empty table."""
    platform = cached_stack.stack.platform
    fakes = cached_stack.fakes()
    platform.now, platform.wait = fakes.clock.now, fakes.clock.wait
    yield WarmUps(platform)
    platform.clients.clear()


def count(warm_ups: WarmUps, cached_stack: CachedStack, query: str, times: int = 10, **fields: object) -> str:
    """Count a request as the screener does; returns its text."""
    stores, text = cached_stack.fakes().stores, SearchRequest(query=query, **fields).model_dump_json()  # type: ignore[arg-type]
    assert stores is not None
    assert stores.popularity is not None
    key = f"{hash(text):x}"
    stores.popularity.count(f"answer:{key}", text)
    [item] = [item for item in warm_ups.table.scan()["Items"] if item["pk"].endswith(key)]
    warm_ups.table.put_item(Item=item | {"asked": times})
    return text


def test_the_most_frequent_requests_of_today(warm_ups: WarmUps, cached_stack: CachedStack) -> None:
    """The first three of those with ten or more are searched for again, with all their fields."""
    for query, times in {"fourth": 11, "third": 12, "second": 13}.items():
        count(warm_ups, cached_stack, query, times)
    text = count(warm_ups, cached_stack, "with fields {}", 15, mode="focused", max_results=3)
    count(warm_ups, cached_stack, "rare", 9)
    yesterday = {"pk": "asked:2020-01-01:a", "day": "2020-01-01", "asked": 99, "request": '{"query": "old"}'}
    warm_ups.table.put_item(Item=yesterday)
    assert warm_ups.run(first=3).status == "SUCCEEDED"
    assert warm_ups.searches.questions() == ["second", "third", "with fields {}"]
    assert {"request": json.loads(text), "refresh": True} in warm_ups.searches.inputs
    assert all(value["refresh"] is True for value in warm_ups.searches.inputs)


QUESTIONS = ['say "hi" {}', "back\\slash", "C++ {0} \u00fcber", "\u68af\u5ea6", "it's \\{ here"]


def test_listed_questions_of_any_text(warm_ups: WarmUps) -> None:
    """They are searched for unchanged, with all defaults; the table is not needed."""
    warm_ups.table.delete()
    assert warm_ups.run(first=0, questions=QUESTIONS).status == "SUCCEEDED"
    expected = [{"request": {"query": query}, "refresh": True} for query in QUESTIONS]
    assert sorted(warm_ups.searches.inputs, key=str) == sorted(expected, key=str)
    assert warm_ups.run(first=1).status == "FAILED"


@pytest.mark.parametrize(("query", "status"), [("listed", "FAILED"), ("second", "TIMED_OUT"), ("second", "throttled")])
def test_a_search_that_fails(warm_ups: WarmUps, cached_stack: CachedStack, query: str, status: str) -> None:
    """The others are still searched for; the warm-up fails, which an alarm watches."""
    warm_ups.searches.statuses = {query: status}
    for popular in ("first", "second"):
        count(warm_ups, cached_stack, popular)
    assert warm_ups.run(questions=["listed", "also listed"]).error == "SearchesFailed"
    assert warm_ups.searches.questions() == ["also listed", "first", "listed", "second"]
