"""The ports of a deployed function: primed before the snapshot, made anew after a restore and when they are old."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel
from snapshot_restore_py import register_after_restore, register_before_snapshot

from goldpan.aws.secrets import drop_connections
from goldpan.kinds.repositories.ports import Dependencies

LIFETIME_SECONDS = 900
"""How long the ports of a function serve: a credential that was renewed is read again by then."""


class Container:
    """Makes the ports of a function when they are first needed, and again when they are old."""

    def __init__(
        self, make: Callable[[Mapping[str, str]], Dependencies], tick: Callable[[], float] = time.monotonic
    ) -> None:
        self._make, self._tick = make, tick
        self._made: tuple[Dependencies, float] | None = None

    def dependencies(self) -> Dependencies:
        """Give the ports. Raises `Misconfigured` by the name of the setting."""
        if self._made is None or self._tick() - self._made[1] > LIFETIME_SECONDS:
            self._made = (self._make(os.environ), self._tick())
        return self._made[0]

    def prime(self) -> None:
        """Load all code and tables before the snapshot; the secrets read for that are let go, not frozen with it.

        Raises `Misconfigured`, so that a deployment with a wrong setting fails, by name, before it serves anyone.
        """
        from goldpan.kinds.repositories.question.vocabulary import vocabulary  # noqa: PLC0415 - reads its table once

        vocabulary()
        for model in _models(BaseModel):
            model.model_rebuild()
        self._make(os.environ)

    def renew(self) -> None:
        """Forget the ports after a restore: the connections of the snapshot are dead, its secrets may be old.

        The next call makes new ones: what it raises then reaches the state machine by name, which a hook's does not.
        """
        self._made = None
        drop_connections()


def _models(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """List the models of goldpan, which are built when first used."""
    for model in base.__subclasses__():
        if model.__module__.startswith("goldpan."):
            yield model
        yield from _models(model)


def make_container(make: Callable[[Mapping[str, str]], Dependencies]) -> Container:
    """Give a function its equipment, and tie it to the snapshot of the function."""
    equipment = Container(make)
    register_before_snapshot(equipment.prime)
    register_after_restore(equipment.renew)
    return equipment
