"""Single flight, the same in every store: one answers, and a dead owner holds nobody up for long."""

from __future__ import annotations

from datetime import timedelta

from tests.integration.stores.opened import Functions
from tests.support.fakes import FakeClock

LIFE = timedelta(seconds=30)


def test_one_answers_and_the_other_is_told(functions: Functions) -> None:
    """Of two that ask the same, one answers; another question is nobody's business."""
    one, other = functions
    assert one.flights.begin("q", LIFE)
    assert not other.flights.begin("q", LIFE)
    assert not one.flights.begin("q", LIFE)
    assert other.flights.begin("another", LIFE)


def test_after_the_end_anyone_may_begin(functions: Functions) -> None:
    """A question that was answered may be answered again; ending what is not there does no harm."""
    one, other = functions
    other.flights.end("q")
    assert one.flights.begin("q", LIFE)
    one.flights.end("q")
    assert other.flights.begin("q", LIFE)


def test_the_mark_of_a_dead_owner_expires(functions: Functions, clock: FakeClock) -> None:
    """An owner that died holds the others up until its mark's life is over, and not a second longer."""
    one, other = functions
    assert one.flights.begin("q", LIFE, "dead")
    clock.wait(29)
    assert not other.flights.begin("q", LIFE, "alive")
    clock.wait(1)
    assert other.flights.begin("q", LIFE, "alive")


def test_an_owner_may_begin_again(functions: Functions) -> None:
    """An execution whose step is tried again still is the one that answers."""
    one, other = functions
    assert one.flights.begin("q", LIFE, "execution")
    assert other.flights.begin("q", LIFE, "execution")
    assert not one.flights.begin("q", LIFE, "another")


def test_a_late_owner_ends_only_its_own(functions: Functions, clock: FakeClock) -> None:
    """An owner whose mark had expired does not end the mark of the one after it."""
    one, other = functions
    assert one.flights.begin("q", LIFE, "late")
    clock.wait(31)
    assert other.flights.begin("q", LIFE, "next")
    one.flights.end("q", "late")
    assert not one.flights.begin("q", LIFE, "third")
    other.flights.end("q", "next")
    assert one.flights.begin("q", LIFE, "third")
