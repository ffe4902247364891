"""The dependencies of a deployed function: loaded before the snapshot, made anew after a restore and when old."""

import gc
import logging
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from pydantic import BaseModel
from snapshot_restore_py import register_after_restore, register_before_snapshot

from goldpan.aws.events import WARM_UP_SHARE, LimitedEvent
from goldpan.aws.settings import Environment, close_connections
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Misconfigured, Overloaded
from goldpan.infra.llm.spending import LimitedModel
from goldpan.kinds.registry import all_kinds

MAX_AGE_SECONDS = 900
"""How long the dependencies of a function are used: a renewed credential is read again within this time."""
_LOG = logging.getLogger(__name__)


class Container:
    """Makes the dependencies of a function at their first use, and again when they are old."""

    def __init__(
        self, make: Callable[[Mapping[str, str]], Dependencies], tick: Callable[[], float] = time.monotonic
    ) -> None:
        self._make, self._tick = make, tick
        self._made: tuple[Dependencies, float] | None = None

    def dependencies(self, event: LimitedEvent | None = None) -> Dependencies:
        """Return the dependencies, within the limits of the event. Raises `Misconfigured` by the name of the setting.

        Without an event, the language model is not asked.
        """
        if self._made is None or self._tick() - self._made[1] > MAX_AGE_SECONDS:
            self._made = (self._make(os.environ), self._tick())
        return self._made[0] if event is None else _limited(self._made[0], event)

    def try_dependencies(self) -> Dependencies:
        """Return the same for a stage that needs the stores alone; without secrets if they cannot be read.

        So a throttled SSM loses no answer. With none but a clock for another wrong setting, so that it hides no error.
        """
        for make in (self.dependencies, self._without_secrets):
            try:
                return make()
            except (Misconfigured, Overloaded) as error:
                _LOG.warning("Not all settings of this function can be used: %s", error)
        return Dependencies(WallClock())

    def _without_secrets(self) -> Dependencies:
        return self._make(Environment(os.environ).without_secrets())

    def prime(self) -> None:
        """Load all code and tables before the snapshot, and drop the dependencies made for that.

        No secret is read: Lambda also makes snapshots anew long after the deployment, when SSM may be throttled, and
        the function would fail until a later attempt. Raises `Misconfigured` for a wrong setting that is no secret.
        """
        for kind in all_kinds():
            kind.prime()()
        for model in _models(BaseModel):
            model.model_rebuild()
        made = self._without_secrets()
        for sources in (made.sources, made.warm_up_sources):
            list(sources.values())  # connects them
        del made, sources
        gc.collect()  # also the dependencies that were made, whose clients hold each other
        gc.freeze()  # what is loaded stays, so that no garbage collection needs to visit it again

    def renew(self) -> None:
        """Drop the dependencies after a restore: the snapshot's connections are dead, its secrets may be old.

        The next call makes new ones: an error then reaches the state machine by name, unlike one of this hook. All
        restored copies of a snapshot would draw the same random numbers, so the generator is seeded again.
        """
        self._made = None
        random.seed()
        close_connections()


def _limited(made: Dependencies, event: LimitedEvent) -> Dependencies:
    """Limit what the language model may cost in a day, and a warm-up to its share of every limit."""
    sources, share = (made.warm_up_sources, WARM_UP_SHARE) if event.refresh else (made.sources, 1.0)
    llm = made.llm.with_limit(event.daily_cost_limit, share) if isinstance(made.llm, LimitedModel) else made.llm
    return replace(made, sources=sources, llm=llm)


def _models(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Return the models of goldpan, which would be built at their first use."""
    for model in base.__subclasses__():
        if model.__module__.startswith("goldpan."):
            yield model
        yield from _models(model)


def make_container(make: Callable[[Mapping[str, str]], Dependencies]) -> Container:
    """Make the container of a function and register its snapshot hooks."""
    container = Container(make)
    register_before_snapshot(container.prime)
    register_after_restore(container.renew)
    return container
