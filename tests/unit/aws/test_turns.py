"""Whose turn it is to search, where several ask the same at once."""

from __future__ import annotations

from datetime import timedelta

from goldpan.kinds.repositories.ports import Dependencies

from tests.unit.aws.executions import KEY, World


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
    world.dependencies = Dependencies(world.clock)
    assert [world.turn("one"), world.turn("two")] == ["search", "search"]
