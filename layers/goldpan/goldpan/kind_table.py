"""The kinds of results by name, each described as `KIND` by a module that is imported at its first use.

`goldpan.kinds.registry` fills the table when goldpan is imported. Contracts and engine look kinds up here, and so know
none by name.
"""

from collections.abc import Iterable
from importlib import import_module
from typing import Generic, Protocol, TypeVar, cast

from goldpan.errors import InvalidRequest

KINDS: dict[str, str] = {}
"""The name of each kind, and the module that describes it."""


class HasSources(Protocol):
    """A kind, as far as the table itself reads it."""

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
        module = KINDS.get(name) if isinstance(name, str) else None
        if module is None:
            raise InvalidRequest(f"kinds: {name!r} is unknown; allowed: {', '.join(KINDS)}")
        return cast("K", import_module(module).KIND)

    def all(self) -> tuple[K, ...]:
        """Import and return every kind."""
        return tuple(self.get(name) for name in KINDS)

    def with_sources(self, names: Iterable[str]) -> tuple[K, ...]:
        """Import and return the kinds that have one of these sources; stop importing once all are found."""
        missing = set(names)
        found: list[K] = []
        for name in KINDS:
            if not missing:
                break
            kind = self.get(name)
            if missing & {*kind.sources}:
                found.append(kind)
                missing -= {*kind.sources}
        return tuple(found)

    def source_names(self) -> tuple[str, ...]:
        """Return the names of all sources that any kind can query."""
        return tuple(dict.fromkeys(source for kind in self.all() for source in kind.sources))
