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
kind_names, get_kind, all_kinds, kinds_with_sources = _TABLE.names, _TABLE.get, _TABLE.all, _TABLE.with_sources


def analyzer() -> AnyAnalyzer:
    """Import the first kind that analyzes one of its results on demand, and return how."""
    return next(kind.analyzer() for kind in map(get_kind, kind_names()) if kind.analyzer is not None)


def library_access() -> tuple[str, AnyLibraryAccess]:
    """Return the source that searches the libraries of users, and how they are reached."""
    return next((kind.library_source, kind.library_access()) for kind in all_kinds() if kind.library_access is not None)
