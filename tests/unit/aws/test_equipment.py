"""The ports of a function: made when they are needed, let go before a snapshot, made anew after it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Mapping
from contextlib import suppress

import pytest
from goldpan.aws.container import LIFETIME_SECONDS, Container
from goldpan.engine.deadlines import WallClock
from goldpan.errors import Misconfigured
from goldpan.kinds.repositories.ports import Dependencies


class Maker:
    """Makes ports and remembers them, as far as anyone still holds them, and what it was given."""

    def __init__(self) -> None:
        self.made: list[weakref.ref[WallClock]] = []
        self.given: list[dict[str, str]] = []
        self.broken = False

    def __call__(self, environment: Mapping[str, str]) -> Dependencies:
        """Make the ports."""
        self.given.append({**environment})
        if self.broken:
            raise Misconfigured("LLM_MODEL is not set")
        clock = WallClock()
        self.made.append(weakref.ref(clock))
        return Dependencies(clock=clock)

    def alive(self) -> int:
        """Count what was made and is still held."""
        gc.collect()
        return sum(made() is not None for made in self.made)


class Tick:
    """A monotonic clock that the test moves."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        """Tell the seconds."""
        return self.seconds


def test_many_calls_have_one_set_of_ports() -> None:
    """The ports are made at the first call, and serve all later ones."""
    make = Maker()
    equipment = Container(make, Tick())
    assert make.given == []
    assert equipment.dependencies() is equipment.dependencies() is equipment.dependencies()
    assert len(make.given) == 1


def test_old_ports_are_made_anew() -> None:
    """After their lifetime the ports are made again, so that a renewed credential is read; not a moment earlier."""
    make, tick = Maker(), Tick()
    equipment = Container(make, tick)
    first = equipment.dependencies()
    tick.seconds += LIFETIME_SECONDS
    assert equipment.dependencies() is first
    tick.seconds += 1
    assert equipment.dependencies() is not first
    tick.seconds += LIFETIME_SECONDS
    equipment.dependencies()
    assert len(make.given) == 2


def test_the_environment_is_read_when_the_ports_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that was set after the import is seen, as Lambda sets some before a restore."""
    make = Maker()
    equipment = Container(make)
    monkeypatch.setenv("LLM_MODEL", "later")
    equipment.dependencies()
    assert make.given[0]["LLM_MODEL"] == "later"


def test_priming_keeps_nothing() -> None:
    """Before a snapshot everything is loaded once, and what was made for that is let go: no secret is frozen."""
    make = Maker()
    equipment = Container(make, Tick())
    equipment.prime()
    assert len(make.given) == 1
    assert make.alive() == 0
    equipment.dependencies()
    assert len(make.given) == 2


def test_a_restore_makes_the_ports_anew() -> None:
    """After a restore nothing of before the snapshot is held any more, and the ports are made once, anew."""
    make = Maker()
    equipment = Container(make, Tick())
    equipment.dependencies()
    equipment.renew()
    assert make.made[0]() is None
    assert equipment.dependencies() is equipment.dependencies()
    assert len(make.given) == 2


@pytest.mark.parametrize("hook", ["prime", "ports"])
def test_a_wrong_setting_is_told_at_once(hook: str) -> None:
    """Where the ports cannot be made the deployment and the call fail by the name of the setting."""
    make = Maker()
    make.broken = True
    with pytest.raises(Misconfigured, match="LLM_MODEL"):
        getattr(Container(make), hook)()


def test_a_setting_that_went_wrong_since_the_snapshot_is_told_to_the_asker() -> None:
    """The ports of before the snapshot are never used again: the first call names what is wrong now."""
    make = Maker()
    equipment = Container(make, Tick())
    equipment.dependencies()
    make.broken = True
    with suppress(Misconfigured):
        equipment.renew()
    with pytest.raises(Misconfigured, match="LLM_MODEL"):
        equipment.dependencies()


def test_ports_that_cannot_be_renewed_are_not_used_any_longer() -> None:
    """A setting that went wrong is told at every call after the lifetime, until it is mended."""
    make, tick = Maker(), Tick()
    equipment = Container(make, tick)
    equipment.dependencies()
    tick.seconds += LIFETIME_SECONDS + 1
    make.broken = True
    for _ in range(2):
        with pytest.raises(Misconfigured):
            equipment.dependencies()
    make.broken = False
    assert isinstance(equipment.dependencies(), Dependencies)
