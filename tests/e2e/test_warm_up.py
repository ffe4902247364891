"""What is counted of requests, and the warm-ups, which search again for the most frequent ones."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from goldpan.aws.assembly import count_request
from goldpan.contracts import SearchRequest, parse_request

from tests.e2e.comparison import POPULARITY, CachedStack
from tests.support.search_fakes import QUESTION
from tests.support.state_machine import WarmUps

SPENDING = {"translate", "scout", "shortlist", "score", "rank"}


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
    fakes, text = cached_stack.fakes(), SearchRequest(query=query, **fields).model_dump_json()  # type: ignore[arg-type]
    counters, key = fakes.stores["screener"].popularity, f"{hash(text):x}"
    assert counters is not None
    count_request(counters, f"answer:{key}", text, fakes.clock.now())
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


def test_every_request_is_counted_and_can_be_sent_again(cached_stack: CachedStack) -> None:
    """By the function or, if cached, by the machine, refusals are not; its item lives until its day is over."""
    fields: dict[str, Any] = {"config": {"shortlist_size": 3}, "sources": ["github"], "kinds": ["repositories"]}
    for asked in ("1", "2"):
        cached_stack.search(**fields)
        assert cached_stack.search(mode="low").response.statusCode == 400
        [item] = cached_stack.items(POPULARITY)
        request = json.loads(item["request"]["S"])
        assert request.keys() == SearchRequest.model_fields.keys()
        assert parse_request(request) == parse_request({"query": QUESTION, **fields})
        seconds = int(item["ttl"]["N"]) - datetime.now(UTC).timestamp()
        assert (item["asked"]["N"], 86_400 - 60 <= seconds <= 2 * 86_400) == (asked, True)
    assert cached_stack.search(**request).answer.cached
    key = cached_stack.delete_answers().removeprefix("search:")
    assert item["pk"]["S"] == f"asked:{item['day']['S']}:{key}"


def test_a_warm_up_replaces_the_cached_answer(cached_stack: CachedStack) -> None:
    """It is not counted, its own response has no answer, which could be too large, and no stage spends other limits."""
    cached_stack.search(refresh=True)
    assert not cached_stack.items(POPULARITY)
    before = cached_stack.search()
    warmed = cached_stack.search(refresh=True)
    assert (warmed.response.statusCode, warmed.response.body, warmed.calls["translate"]) == (200, "{}", 1)
    again = cached_stack.search()
    assert again.answer.cached
    assert json.loads(again.response.body)["answered_at"] > json.loads(before.response.body)["answered_at"]
    for refresh in (True, False):
        cached_stack.search(refresh=refresh, mode="focused")
        events = [event for event in cached_stack.stack.events if event["stage"] in SPENDING]
        flags = {event["refresh"] for event in events}
        assert not refresh or {event["stage"] for event in events} == SPENDING
        assert flags == ({True} if refresh else set())
