"""The kinds of results by name, each described as `KIND` by a module that is imported at its first use.

`goldpan.kinds.registry` fills the table when goldpan is imported. Contracts and engine look kinds up here, and so know
none by name.
"""

import logging
from collections.abc import Iterable
from importlib import import_module
from itertools import takewhile
from operator import methodcaller
from typing import Generic, Protocol, TypeVar, cast

from goldpan.errors import InvalidRequest
from goldpan.plugins import Plugin

KINDS: dict[str, str] = {}
"""The name of each kind, and the module that describes it."""
OFFERED: dict[str, Plugin] = {}
"""Those of them that other distributions offer."""
_LOG = logging.getLogger(__name__)


class HasSources(Protocol):
    """A kind, as far as the table itself reads it."""

    @property
    def name(self) -> str:
        """Its name in requests and answers."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources that a request may name for this kind."""


K = TypeVar("K", bound=HasSources)


class KindTable(Generic[K]):
    """The table, for callers who read of a kind what its type says."""

    def names(self) -> tuple[str, ...]:
        """Return the names of all kinds; the first is the default of a request."""
        return tuple(KINDS)

    def get(self, name: object) -> K:
        """Import and return a kind. Raises `InvalidRequest` if the name is unknown."""
        kind = self._load(name) if isinstance(name, str) else None
        if kind is None:
            raise InvalidRequest(f"kinds: {name!r} is unknown; allowed: {', '.join(KINDS)}")
        return kind

    def all(self) -> tuple[K, ...]:
        """Import and return every kind."""
        return tuple(kind for name in tuple(KINDS) if (kind := self._load(name)) is not None)

    def with_sources(self, names: Iterable[str]) -> tuple[K, ...]:
        """Import and return the kinds that have one of these sources; stop importing once all are found."""
        missing, found = set(names), list[K]()
        for name in tuple(KINDS):
            kind = self._load(name) if missing else None
            if kind is not None and missing & {*kind.sources}:
                found.append(kind)
                missing -= {*kind.sources}
        return tuple(found)

    def _load(self, name: str) -> K | None:
        """Import a kind; one of another distribution that fails is taken out of the table, with a warning."""
        module, plugin = KINDS.get(name), OFFERED.get(name)
        try:
            kind = cast("K", import_module(module).KIND) if module else None
            if kind is not None and plugin is not None:
                self._check(name, kind)
        except Exception as error:
            if plugin is None:
                raise
            KINDS.pop(name, None)  # code of others ends no search of another kind
            _LOG.warning("The kind %r of %s is left out: it cannot be loaded (%s)", name, plugin.distribution, error)
            return None
        return kind

    def _check(self, name: str, kind: K) -> None:
        """Raise `ValueError` for another name than that of the entry point, and for what the kinds before it have."""
        if kind.name != name:
            raise ValueError(f"it names itself {kind.name!r}")
        before = takewhile(lambda each: each != name, tuple(KINDS))
        others = [other for each in before if (other := self._load(each))]
        if taken := {source for other in others for source in other.sources}.intersection(kind.sources):
            raise ValueError(f"another kind has the source {', '.join(sorted(taken))}")
        methodcaller("require_own_filters", others)(kind)
        for load in ("connector", "present"):  # what searches of other kinds load of it too
            getattr(kind, load)()
