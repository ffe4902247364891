"""Whole answers at the doors: whose turn it is to search, what is remembered, and what is counted."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from goldpan.contracts import Answer
from goldpan.deployment import screening
from goldpan.deployment.assemble_messages import AssembleAsked
from goldpan.deployment.translator_messages import BeginAsked
from goldpan.deployment.turns import begin
from goldpan.errors import Misconfigured
from goldpan.repositories.ports import Ports
from goldpan.services.answers import Answers
from goldpan.services.cache import ProcessCache
from goldpan.services.flights import ProcessFlights

from tests.unit.deployment.doors import event
from tests.unit.made import StillClock

KEY = "answer:1"
REQUEST = '{"query":"Rust web framework"}'


@dataclass
class Counter:
    """Counts in memory."""

    counted: list[tuple[str, str]] = field(default_factory=list)

    def count(self, key: str, request: str) -> None:
        """Count one asking."""
        self.counted.append((key, request))


@dataclass
class World:
    """What all executions share."""

    clock: StillClock = field(default_factory=StillClock)
    counter: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Make the stores."""
        self.flights = ProcessFlights(self.clock)
        self.answers = Answers(ProcessCache(self.clock), self.flights, self.clock)
        self.ports = Ports(self.clock, answers=self.answers, popularity=self.counter)

    def turn(self, owner: str, *, refresh: bool = False, waited: float = 0, key: str = KEY) -> str:
        """Ask whose turn it is, so many seconds after it was asked for."""
        asked_at = self.clock.now() - timedelta(seconds=waited)
        request = {"query": "React", "max_seconds": 20}
        told = {"stage": "begin", "key": key, "owner": owner, "request": request, "refresh": refresh}
        return begin(BeginAsked.model_validate({**told, "asked_at": asked_at}), self.ports).turn

    def keep(self) -> None:
        """Remember an answer, as a search that ends does."""
        self.answers.keep(KEY, Answer(query="React", mode="balanced", answered_at=self.clock.now()))
        self.flights.end(KEY)

    def assemble(self, ports: Callable[[], Ports] | None = None, **fields: Any) -> Any:
        """Assemble the committed event as the search of the first owner."""
        told = {**event("assemble"), "key": KEY, "owner": "one", "asked": REQUEST, **fields}
        return screening.assemble(AssembleAsked.model_validate(told), ports or (lambda: self.ports))


@pytest.fixture
def world() -> World:
    """Make stores that hold nothing."""
    return World()


def test_one_searches_and_the_others_wait(world: World) -> None:
    """Who asks first searches, and is told so again; another waits until the first has ended."""
    assert [world.turn("one"), world.turn("two"), world.turn("one")] == ["search", "wait", "search"]
    world.flights.end(KEY, "one")
    assert world.turn("two") == "search"


def test_what_was_found_meanwhile_is_read(world: World) -> None:
    """Who comes when the first has just ended reads its answer, and holds up nobody by a mark."""
    world.turn("one")
    world.keep()
    assert [world.turn("two"), world.turn("three")] == ["read", "read"]
    assert world.flights.begin(KEY, timedelta(seconds=1), "four")


def test_a_warm_up_reads_only_what_is_newer_than_itself(world: World) -> None:
    """A warm-up searches although an answer is remembered, and reads one that was found since it was asked for."""
    world.keep()
    world.clock.wait(1)
    assert world.turn("one", refresh=True, waited=0.5) == "search"
    world.flights.end(KEY, "one")
    assert world.turn("two", refresh=True, waited=2) == "read"


def test_who_has_waited_for_half_of_its_time_searches(world: World) -> None:
    """Half of the seconds are for an answer of one's own, whoever searches and whatever is remembered."""
    world.turn("one")
    assert [world.turn("two", waited=9.9), world.turn("two", waited=10)] == ["wait", "search"]
    world.keep()
    assert [world.turn("two", waited=9.9), world.turn("two", waited=10)] == ["read", "search"]


def test_without_a_key_or_a_memory_everybody_searches(world: World) -> None:
    """Where nothing can be remembered nobody waits."""
    assert [world.turn("one", key=""), world.turn("two", key="")] == ["search", "search"]
    world.ports = Ports(world.clock)
    assert [world.turn("one"), world.turn("two")] == ["search", "search"]


def test_an_answer_is_remembered_and_counted(world: World) -> None:
    """What is given is remembered, marked as such, its asking counted with its request, and its search ended."""
    world.turn("one")
    given = json.loads(world.assemble().body)
    known = world.answers.fresh(KEY)
    assert known is not None
    assert json.loads(known.to_json()) == given | {"cached": True}
    assert given["cached"] is False
    assert world.counter.counted == [(KEY, REQUEST)]
    assert world.flights.begin(KEY, timedelta(seconds=1), "two")


def test_a_warm_up_is_remembered_and_not_counted(world: World) -> None:
    """What nobody asked is no asking."""
    world.assemble(refresh=True)
    assert world.answers.fresh(KEY) is not None
    assert world.counter.counted == []


def test_an_ending_is_neither_remembered_nor_counted(world: World) -> None:
    """A search that has no answer leaves nothing behind but the turn of the next one."""
    world.turn("one")
    failed = {"kind": "repositories", "failure": {"Error": "SourcesFailed", "Cause": "down"}}
    assert world.assemble(lines=[failed]).statusCode == 503
    assert world.answers.fresh(KEY) is None
    assert world.counter.counted == []
    assert world.turn("two") == "search"


def test_a_defect_ends_the_turn_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where assembling itself breaks, the next one may search at once."""
    world.turn("one")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(screening, "assembled", broken)
    with pytest.raises(ZeroDivisionError):
        world.assemble()
    assert world.turn("two") == "search"


def test_only_its_owner_ends_a_search(world: World) -> None:
    """Who gave up waiting and searched by itself leaves the mark of the other alone."""
    world.turn("another")
    world.assemble()
    assert not world.flights.begin(KEY, timedelta(seconds=1), "third")


def test_without_a_key_no_port_is_made(world: World) -> None:
    """A search that has no memory makes no client to assemble its answer."""

    def never() -> Ports:
        raise AssertionError

    assert world.assemble(never, key="").statusCode == 200


def _misconfigured() -> Ports:
    raise Misconfigured("LLM_MODEL is not set")


def test_a_wrong_setting_hides_neither_an_answer_nor_an_ending(caplog: pytest.LogCaptureFixture) -> None:
    """What a door cannot be made with costs the memory of a search; what ended the search is told by its own name."""
    failed = {"kind": "repositories", "failure": {"Error": "CredentialRejected", "Cause": "GITHUB_TOKEN: rejected"}}
    with caplog.at_level(logging.WARNING):
        assert World().assemble(_misconfigured).statusCode == 200
        assert "GITHUB_TOKEN: rejected" in World().assemble(_misconfigured, lines=[failed]).body
    assert "LLM_MODEL is not set" in caplog.text
