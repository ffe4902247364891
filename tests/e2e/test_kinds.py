"""A further kind, known to the registry alone, by itself and beside repositories: both sides give the same answer."""

from typing import Any

import pytest
from goldpan.kind_table import KINDS

from tests.e2e.comparison import Stack
from tests.support import toy_kind
from tests.support.handlers import PlatformFailure
from tests.support.search_fakes import Fakes, FakeSource
from tests.support.toy_kind import ToyBox

BOTH = {"kinds": ["repositories", "toys"]}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, toy_kind.NAME, toy_kind.MODULE)


def fakes() -> Fakes:
    """Make a source for each kind."""
    return Fakes({"github": FakeSource(), "toy_box": ToyBox()})


def names(answer: Any, kind: str) -> list[str]:
    """Return the names of a kind's results."""
    return [result.name for result in answer.sections[kind].results]


def test_a_further_kind_is_searched(stack: Stack) -> None:
    """Its stages run with its own models, and its section is a field of the answer."""
    searched = stack.same(fakes, kinds=["toys"], query="kite robot boat")
    assert names(searched.answer, "toys") == ["robot", "kite"]
    assert [toy.name for toy in searched.answer.sections["toys"].weaker] == ["tin robot"]
    assert [row.status for row in searched.answer.sources] == ["ok", "ok", "empty"]
    assert searched.calls == {
        "begin": 1, "translate": 1, "scout": 3, "shortlist": 1, "score": 3, "rank": 1, "assemble": 1,
    }  # fmt: skip


def test_two_kinds_are_searched_side_by_side(stack: Stack) -> None:
    """One answer has the sections of both, in the order of the request; each queries its own sources."""
    searched = stack.same(fakes, **BOTH, sources=["toy_box", "github"])
    assert {(row.kind, row.source) for row in searched.answer.sources} == {
        ("repositories", "github"), ("toys", "toy_box"),
    }  # fmt: skip
    assert list(searched.answer.sections) == ["repositories", "toys"]
    assert names(searched.answer, "toys") == ["react puzzle"]
    assert len(names(searched.answer, "repositories")) == 5


def test_a_further_kind_has_filters_and_orders_of_its_own(stack: Stack) -> None:
    """They reach its stages on both sides."""
    searched = stack.same(fakes, kinds=["toys"], query="kite robot", filters={"max_age": 4})
    assert names(searched.answer, "toys") == ["robot"]
    searched = stack.same(fakes, kinds=["toys"], query="robot kite", sort="name")
    assert names(searched.answer, "toys") == ["kite", "robot"]


def test_what_the_platform_loses_costs_its_own_kind_alone(stack: Stack) -> None:
    """A lost task is described in that kind's own words; a stage that is cut leaves the other kind."""
    lost = [
        PlatformFailure("scout", "Runtime.ExitError", when=lambda event: event["task"]["id"] == "word-kite"),
        PlatformFailure("screener", "States.Timeout", when=lambda event: event.get("task", {}).get("id") == "robot"),
    ]
    searched = stack.search(fakes(), *lost, kinds=["toys"], query="kite robot puzzle")
    assert searched.statuses == {"kite": "unavailable", "robot": "ok", "puzzle": "ok"}
    results = {result.name: result.reasoning for result in searched.answer.sections["toys"].results}
    assert results == {"react puzzle": "It is new.", "robot": "It was not scored: timeout."}
    cut = PlatformFailure("screener", "States.Timeout", where={"stage": "rank", "kind": "toys"})
    searched = stack.search(fakes(), cut, **BOTH)
    assert list(searched.answer.sections) == ["repositories"]
    assert searched.answer.warnings == ("No toys in this answer: a stage was cut at its time limit.",)
