"""The end of a search at its door: what is remembered, what is counted, and who may search after it."""

from __future__ import annotations

import json
import logging
from datetime import timedelta

import pytest
from goldpan.aws import stages as screening
from goldpan.errors import Misconfigured
from goldpan.kinds.repositories.ports import Dependencies

from tests.unit.aws.executions import KEY, REQUEST, World


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

    def never() -> Dependencies:
        raise AssertionError

    assert world.assemble(never, key="").statusCode == 200


def _misconfigured() -> Dependencies:
    raise Misconfigured("LLM_MODEL is not set")


def test_a_wrong_setting_hides_neither_an_answer_nor_an_ending(caplog: pytest.LogCaptureFixture) -> None:
    """What a door cannot be made with costs the memory of a search; what ended the search is told by its own name."""
    failed = {"kind": "repositories", "failure": {"Error": "CredentialRejected", "Cause": "GITHUB_TOKEN: rejected"}}
    with caplog.at_level(logging.WARNING):
        assert World().assemble(_misconfigured).statusCode == 200
        assert "GITHUB_TOKEN: rejected" in World().assemble(_misconfigured, lines=[failed]).body
    assert "LLM_MODEL is not set" in caplog.text
