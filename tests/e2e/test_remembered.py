"""What is asked again is answered from memory: without a function, and only where it is the same question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goldpan.contracts import Answer, SearchRequest, parse_request
from goldpan.engine.search import Answers
from goldpan.infra.cache.port import ProcessCache
from goldpan.infra.locks.port import ProcessLocks

from tests.e2e.comparison import Searched, Stack, on_one_machine, timeless
from tests.e2e.fakes import QUESTION, Fakes, Shelf
from tests.e2e.machine import Machine
from tests.e2e.memory import CachedValue

OTHERS: dict[str, list[Any]] = {
    "query": ["Rust web framework", "react animation library"],
    "kinds": [["repositories", "repositories"]],
    "mode": ["focused", "exploratory"],
    "max_results": [9, 25],
    "max_seconds": [24],
    "max_llm_calls": [0, 41],
    "sources": [["github"]],
    "config": [{"shortlist_size": 3}, {"coarse_filter": {"min_stars": None}}],
}
"""What each field of a request may be instead of its default."""
DEFAULTS = SearchRequest(query=QUESTION).model_dump(mode="json", exclude={"query", "config"}) | {"config": {}}


def body(searched: Searched) -> dict[str, Any]:
    """Read the answer as it was given."""
    told: dict[str, Any] = json.loads(searched.response.body)
    return told


def test_a_question_that_is_asked_again(memory: CachedValue) -> None:
    """The second asker has the same answer, to the byte but for `cached`, and no function was started for it."""
    first, second = memory.search(), memory.search()
    assert first.calls["begin"] == 1
    assert not second.calls
    assert second.response.body == first.response.body.replace(
        '"cached":false,"answered_at"', '"cached":true,"answered_at"'
    )
    assert second.response.model_dump(exclude={"body"}) == first.response.model_dump(exclude={"body"})
    assert not second.ended.problems


def test_an_answer_from_memory_is_that_of_one_machine(memory: CachedValue) -> None:
    """What the state machine reads again is what one machine reads again from its own memory."""
    fakes = memory.fakes()
    answers = Answers(ProcessCache(fakes.clock), ProcessLocks(fakes.clock), fakes.clock)
    request = parse_request({"query": QUESTION})
    memory.search(fakes)

    def find() -> Answer:
        found = on_one_machine(Fakes(), {"query": QUESTION})
        assert isinstance(found, Answer)
        return found

    for _ in range(2):
        known = answers.found("answer:1", request, find, fakes.clock)
    assert known.cached
    assert memory.search(fakes).answer == timeless(known)


def test_defaults_that_are_spelled_out(memory: CachedValue) -> None:
    """A request that names every default, in any order, is the one that names none."""
    memory.search()
    assert memory.search(**DEFAULTS).answer.cached
    assert memory.search(**dict(reversed(DEFAULTS.items()))).answer.cached
    assert len(memory.answers()) == 1


def test_every_field_is_tried() -> None:
    """A field that is new in the contract has to be tried here too, and to stand in the key."""
    assert OTHERS.keys() == SearchRequest.model_fields.keys()


@pytest.mark.parametrize(("field", "value"), [(field, value) for field in OTHERS for value in OTHERS[field]])
def test_another_request(memory: CachedValue, field: str, value: Any) -> None:
    """A request that differs in one field alone is searched for, and remembered beside the other."""
    memory.search()
    other = memory.search(**{field: value})
    assert not other.answer.cached
    assert other.calls["translate"] == 1
    assert len({item["pk"]["S"] for item in memory.answers()}) == 2


def test_another_version(memory: CachedValue) -> None:
    """What another version of the functions found is not read again."""
    memory.search()
    machine = memory.stack.machine
    memory.stack.machine = Machine(machine.functions, version="2 1 1")
    assert not memory.search().answer.cached
    memory.stack.machine = machine
    assert memory.search().answer.cached


@pytest.mark.parametrize("fields", [{"answer": "yes"}, {"refresh": True}, {"mode": None}, {"config": None}], ids=str)
def test_a_request_that_breaks_the_contract(memory: CachedValue, fields: dict[str, Any]) -> None:
    """A request with a field that is unknown or wrong is refused, though the same without it is remembered."""
    memory.search()
    refused = memory.stack.execute(memory.fakes(), {"request": {"query": QUESTION, **fields}})
    assert refused.response.statusCode == 400
    assert next(iter(fields)) in refused.problem["detail"]
    assert memory.search().answer.cached


@pytest.mark.parametrize("query", [f"{QUESTION}{' ' * 9000}", "水" * 500, '"\\' * 250, "𠮷" * 500])
def test_questions_of_any_text(memory: CachedValue, query: str) -> None:
    """A question is remembered whatever it is written in, as long as it can have a key."""
    memory.search(query=query)
    again = memory.search(query=query)
    assert again.answer.cached
    assert body(again)["query"] == query.strip()


def test_a_request_that_is_too_large_for_a_key(memory: CachedValue) -> None:
    """A request beyond what a key is made of is searched for every time, and nothing of it is remembered."""
    query = f"{QUESTION}{' ' * 10_000}"
    for _ in range(2):
        searched = memory.search(query=query)
        assert not searched.answer.cached
        assert "begin" not in searched.calls
    assert not memory.answers()


def test_an_ending_is_not_remembered(memory: CachedValue) -> None:
    """A search that ended without an answer is made again, and its end lets the next one begin at once."""
    down = Shelf(fails=dict.fromkeys(("stars", "recency", "expanded"), ConnectionError()))
    assert memory.search(memory.fakes(sources={"github": down})).response.statusCode == 500
    assert not memory.answers()
    searched = memory.search()
    assert (searched.calls["begin"], searched.answer.cached) == (1, False)


def test_without_stores_nothing_is_remembered(stack: Stack, memory: CachedValue) -> None:
    """The other tests of this folder search anew each time: their doors have no memory."""
    for _ in range(2):
        assert stack.search(Fakes()).calls["translate"] == 1
    assert not memory.answers()
