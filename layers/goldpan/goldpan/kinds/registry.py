"""The kinds of results that a search can find, one line each.

A further kind is one folder beside `repositories` and one line here; its module is imported at its first use.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, cast

from goldpan.engine.validation_errors import suggest
from goldpan.errors import InvalidRequest

if TYPE_CHECKING:
    from goldpan.engine.kind import Analyzer, Kind

DEFAULT_KIND = "repositories"
KINDS: dict[str, str] = {
    "repositories": "goldpan.kinds.repositories.kind",
    "papers": "goldpan.kinds.papers.kind",
}
"""The name of each kind, and the module that holds its description as `KIND`."""


def kind_names() -> tuple[str, ...]:
    """Return the names of all kinds."""
    return tuple(KINDS)


def get_kind(name: object) -> Kind:
    """Import and return a kind. Raises `InvalidRequest` if the name is unknown."""
    module = KINDS.get(name) if isinstance(name, str) else None
    if module is None:
        message = f"kinds: {name!r} is unknown; allowed: {', '.join(KINDS)}"
        raise InvalidRequest(message)
    return cast("Kind", import_module(module).KIND)


def all_kinds() -> tuple[Kind, ...]:
    """Import and return every kind."""
    return tuple(get_kind(name) for name in KINDS)


def analyzer() -> Analyzer:
    """Import the kind that analyzes one of its results on demand, and return how. Raises `LookupError` without one."""
    for name in KINDS:
        if (found := get_kind(name).analyzer) is not None:
            return found
    raise LookupError("no kind has an analyzer")


def kinds_with_sources(names: Iterable[str]) -> tuple[Kind, ...]:
    """Import and return the kinds that have one of these sources; no further one is imported once all are found."""
    missing = set(names)
    found: list[Kind] = []
    for name in KINDS:
        if not missing:
            break
        kind = get_kind(name)
        if missing & {*kind.sources}:
            found.append(kind)
            missing -= {*kind.sources}
    return tuple(found)


def source_names() -> tuple[str, ...]:
    """Return the names of all sources that any kind can query."""
    return tuple(dict.fromkeys(source for kind in all_kinds() for source in kind.sources))


def require_known(names: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once. Raises `ValueError` with the first name that is not allowed."""
    unknown = next((name for name in names if name not in allowed), None)
    if unknown is not None:
        message = f"{unknown!r} is unknown; allowed: {', '.join(allowed)}{suggest(unknown, allowed)}"
        raise ValueError(message)
    return tuple(dict.fromkeys(names))
