"""Requests are counted by day; a warm-up replaces what is cached."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from goldpan.contracts import SearchRequest, parse_request

from tests.e2e.cached_stack import POPULARITY, CachedStack
from tests.support.search_fakes import QUESTION


def test_every_request_is_counted(cached_stack: CachedStack) -> None:
    """There is one item for each request and day, which counts searches and cached answers but no refusals."""
    before = f"{datetime.now(UTC):%Y-%m-%d}"
    for _ in range(3):
        cached_stack.search()
    cached_stack.search(mode="focused")
    assert cached_stack.search(mode="low").response.statusCode == 400
    if f"{datetime.now(UTC):%Y-%m-%d}" == before:  # at midnight the counters of the new day begin
        items = cached_stack.items(POPULARITY)
        assert sorted(int(item["asked"]["N"]) for item in items) == [1, 3]
        assert {item["day"]["S"] for item in items} == {before}


def test_the_state_machine_and_the_function_count_alike(cached_stack: CachedStack) -> None:
    """Both write the same item, which lives until its day is over, but not for good."""
    found = []
    for _ in range(2):
        cached_stack.search()
        [item] = cached_stack.items(POPULARITY)
        seconds = int(item.pop("ttl")["N"]) - datetime.now(UTC).timestamp()
        assert 86_400 - 60 <= seconds <= 2 * 86_400
        cached_stack.client.delete_item(TableName=POPULARITY, Key={"pk": item["pk"]})
        found.append(item)
    assert found[0] == found[1]
    [answer] = cached_stack.answers()
    assert found[0]["pk"]["S"] == f"asked:{found[0]['day']['S']}:{answer['pk']['S'].removeprefix('answer:')}"


def test_a_counted_request_can_be_sent_again(cached_stack: CachedStack) -> None:
    """Its text means the same request and has the same key."""
    fields: dict[str, Any] = {"config": {"shortlist_size": 3}, "sources": ["github"], "kinds": ["repositories"]}
    cached_stack.search(**fields)
    [item] = cached_stack.items(POPULARITY)
    request = json.loads(item["request"]["S"])
    assert request.keys() == SearchRequest.model_fields.keys()
    assert parse_request(request) == parse_request({"query": QUESTION, **fields})
    assert cached_stack.search(**request).answer.cached


def test_a_warm_up_replaces_the_cached_answer(cached_stack: CachedStack) -> None:
    """It searches although an answer is cached, is not counted, and the next client gets its answer."""
    cached_stack.search(refresh=True)
    assert not cached_stack.items(POPULARITY)
    warmed = cached_stack.search(refresh=True)
    assert (warmed.answer.cached, warmed.calls["translate"]) == (False, 1)
    again = cached_stack.search()
    assert again.answer.cached
    assert json.loads(again.response.body)["answered_at"] == json.loads(warmed.response.body)["answered_at"]


def test_a_warm_up_uses_its_own_share_of_the_rate_limits(cached_stack: CachedStack) -> None:
    """The stages that query sources receive the flag; those of other searches do not."""
    for refresh in (True, False):
        cached_stack.search(refresh=refresh, mode="focused")
        flags = {event["refresh"] for event in cached_stack.stack.events if event["stage"] in ("scout", "shortlist")}
        assert flags == ({True} if refresh else set())
