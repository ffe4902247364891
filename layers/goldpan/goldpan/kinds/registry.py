"""The kinds of results that a search can find, one line each.

A further kind is one folder beside `repositories` and one line here, or an entry point of another distribution; its
module is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldpan.kind_table import KINDS, OFFERED, KindTable
from goldpan.plugins import KINDS_GROUP, offered

if TYPE_CHECKING:
    from goldpan.engine.kind import AnyAnalyzer, AnyKind, AnyLibraryAccess

DEFAULT_KIND = "repositories"
KINDS.update(repositories="goldpan.kinds.repositories.kind", papers="goldpan.kinds.papers.kind")
OFFERED.update(offered(KINDS_GROUP, KINDS))
KINDS.update({name: plugin.place.partition(":")[0] for name, plugin in OFFERED.items()})
_TABLE: KindTable[AnyKind] = KindTable()
kind_names, get_kind, all_kinds = _TABLE.names, _TABLE.get, _TABLE.all
kinds_with_sources, source_names = _TABLE.with_sources, _TABLE.source_names


def analyzer() -> AnyAnalyzer:
    """Import the kind that analyzes one of its results on demand, and return how. Raises `LookupError` without one."""
    for kind in map(get_kind, kind_names()):
        if kind.analyzer is not None:
            return kind.analyzer()
    raise LookupError("no kind has an analyzer")


def library_access() -> tuple[str, AnyLibraryAccess]:
    """Return the source that searches the libraries of users, and how they are reached. Raises `LookupError`."""
    for kind in all_kinds():
        if kind.library_access is not None:
            return kind.library_source, kind.library_access()
    raise LookupError("no kind searches libraries")
