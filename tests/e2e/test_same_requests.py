"""Requests that break the contract: the state machine refuses them in the words of `parse_request`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.comparison import Stack
from tests.e2e.fakes import QUESTION, Fakes, Shelf, repositories

BAD_FIELDS: list[dict[str, Any]] = [
    {"query": ""},
    {"query": " \t "},
    {"query": "x" * 501},
    {"query": "React\u0000animation"},
    {"query": None},
    {"query": ["React"]},
    {"answer": "yes"},
    {"mode": "high"},
    {"max_results": 26},
    {"max_seconds": "many"},
    {"sources": []},
    {"sources": ["gitlab"]},
    {"config": {"shortlist_size": 41}},
    {"config": {"unknown": 1}},
    {"config": None},
]
BAD_KINDS: list[Any] = [
    "papers", [], ["papers"], ["repositories", "papers"], ["videos"], [None], [["repositories"]], [{}], [1], {}, None,
    3, "", {"0": "repositories"}, [[]], ["repositories"] * 3, ["repositories", {}],
]  # fmt: skip
NO_OBJECTS: list[Any] = ["React", [], ["React"], None, 7, True]


@pytest.mark.parametrize("fields", BAD_FIELDS, ids=str)
def test_a_field_that_breaks_the_contract(stack: Stack, fields: dict[str, Any]) -> None:
    """The asker is told which field is wrong and what is allowed, with status 400."""
    searched = stack.same(**fields)
    assert searched.response.statusCode == 400
    assert next(iter(fields)) in searched.problem["detail"]
    assert "scout" not in searched.calls


@pytest.mark.parametrize("kinds", BAD_KINDS, ids=str)
def test_kinds_that_break_the_contract(stack: Stack, kinds: Any) -> None:
    """Kinds that are no list, an empty one, or hold what cannot be searched are refused, before any source is asked."""
    searched = stack.same(kinds=kinds)
    assert searched.response.statusCode == 400
    assert searched.problem["detail"].startswith("kinds")
    assert "scout" not in searched.calls


def test_a_kind_that_is_named_twice(stack: Stack) -> None:
    """A kind that is named twice is searched once."""
    searched = stack.same(kinds=["repositories", "repositories"])
    assert searched.calls["translate"] == 1
    assert len(searched.answer.sources) == 3


@pytest.mark.parametrize("request_", [{}, {"mode": "balanced"}, {"kinds": ["repositories"]}], ids=str)
def test_a_request_without_a_question(stack: Stack, request_: dict[str, Any]) -> None:
    """A request without a question is told what is missing."""
    searched = stack.same_of(Fakes, request_)
    assert searched.response.statusCode == 400


@pytest.mark.parametrize("request_", NO_OBJECTS, ids=str)
def test_a_request_that_is_no_object(stack: Stack, request_: Any) -> None:
    """A request that is no object is refused as such."""
    searched = stack.same_of(Fakes, request_)
    assert searched.response.statusCode == 400


@pytest.mark.parametrize("given", [{}, [], "React", None, {"query": QUESTION}], ids=str)
def test_an_input_without_a_request(stack: Stack, given: Any) -> None:
    """An execution whose input holds no request at all ends with status 400, and nothing is searched."""
    searched = stack.execute(Fakes(), given)
    assert searched.response.statusCode == 400
    assert searched.calls.keys() <= {"assemble"}


def test_a_request_with_a_thousand_faults(stack: Stack) -> None:
    """A request with very many faults is refused with status 400, in a text that is no longer than can be carried."""
    searched = stack.same(sources=["gitlab"] * 2000)
    assert searched.response.statusCode == 400


def test_a_question_between_very_many_spaces(stack: Stack) -> None:
    """A request that is far larger than any question needs is refused or answered alike, and never lost."""
    stack.same(lambda: Fakes({"github": Shelf(repositories(40))}), query=f"{' ' * 250_000}{QUESTION}")
