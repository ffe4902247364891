"""What is asked is counted by question and day; what a warm-up finds takes the place of what was known."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from goldpan.contracts import SearchRequest, parse_request

from tests.e2e.fakes import QUESTION
from tests.e2e.memory import POPULARITY, CachedValue


def today() -> str:
    """Name the day as counters do."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def test_every_asking_is_counted(memory: CachedValue) -> None:
    """Askings are counted in one item a question and day, whether they were searched for or remembered."""
    before = today()
    for _ in range(3):
        memory.search()
    memory.search(mode="focused")
    if today() == before:  # at midnight the counters of the new day begin
        assert sorted(int(item["asked"]["N"]) for item in memory.items(POPULARITY)) == [1, 3]
        assert {item["day"]["S"] for item in memory.items(POPULARITY)} == {before}


def test_both_ways_count_alike(memory: CachedValue) -> None:
    """The state machine writes the same item as the function: the same key, day and request."""
    memory.search()
    [searched] = memory.items(POPULARITY)
    memory.client.delete_item(TableName=POPULARITY, Key={"pk": searched["pk"]})
    memory.search()
    [remembered] = memory.items(POPULARITY)
    assert {**remembered, "ttl": None} == {**searched, "ttl": None}
    [answer] = memory.answers()
    assert remembered["pk"]["S"] == f"asked:{remembered['day']['S']}:{answer['pk']['S'].removeprefix('answer:')}"


def test_a_counter_outlives_its_day(memory: CachedValue) -> None:
    """A counter is there until its day is over, and does not stay for good."""
    for _ in range(2):
        memory.search()
        [item] = memory.items(POPULARITY)
        left = int(item["ttl"]["N"]) - datetime.now(UTC).timestamp()
        assert 86_400 <= left <= 2 * 86_400


def test_the_request_of_a_counter_can_be_asked(memory: CachedValue) -> None:
    """The request of a counter has every field, means the same, and is answered from memory when it is asked."""
    memory.search(config={"shortlist_size": 3}, sources=["github"])
    [item] = memory.items(POPULARITY)
    request = json.loads(item["request"]["S"])
    assert request.keys() == SearchRequest.model_fields.keys()
    asked = {"query": QUESTION, "config": {"shortlist_size": 3}, "sources": ["github"]}
    assert parse_request(request) == parse_request(asked)
    assert memory.search(**request).answer.cached
    [item] = memory.items(POPULARITY)
    assert item["asked"]["N"] == "2"


def test_what_is_refused_is_not_counted(memory: CachedValue) -> None:
    """A request that has no answer is counted nowhere."""
    assert memory.search(mode="low").response.statusCode == 400
    assert memory.search(memory.fakes(llm=None), query="?!").response.statusCode == 400
    assert not memory.items(POPULARITY)


def test_a_warm_up_searches_anew(memory: CachedValue) -> None:
    """A warm-up does not take what is remembered: it searches, and the next asker has what it found."""
    memory.search()
    warmed = memory.search(refresh=True)
    assert not warmed.answer.cached
    assert warmed.calls["translate"] == 1
    again = memory.search()
    assert json.loads(again.response.body)["answered_at"] == json.loads(warmed.response.body)["answered_at"]
    assert again.answer.cached


def test_a_warm_up_is_no_asking(memory: CachedValue) -> None:
    """What nobody asked is not counted, so that warm-ups do not keep a question popular."""
    memory.search(refresh=True)
    assert not memory.items(POPULARITY)
    memory.search()
    [item] = memory.items(POPULARITY)
    assert item["asked"]["N"] == "1"


def test_a_warm_up_says_so_to_those_who_ask_sources(memory: CachedValue) -> None:
    """Scouts and shortlist are told, so that they take their turns from the share of warm-ups; nobody else's are."""
    for refresh in (True, False):
        memory.search(refresh=refresh, mode="focused")
        told = [event for _, event in memory.stack.machine.functions.calls if event["stage"] in ("scout", "shortlist")]
        assert {event["refresh"] for event in told} == ({True} if refresh else set())


def test_two_warm_ups_at_once(memory: CachedValue) -> None:
    """A warm-up that meets another waits for it and takes its answer, not the one from before."""
    before = json.loads(memory.search().response.body)["answered_at"]
    given = {"request": {"query": QUESTION}, "refresh": True}
    both = memory.stack.crowd(memory.fakes(), given, size=2)
    assert both[0].calls["translate"] == 1
    answered = {json.loads(searched.response.body)["answered_at"] for searched in both}
    assert len(answered) == 1
    assert before not in answered
