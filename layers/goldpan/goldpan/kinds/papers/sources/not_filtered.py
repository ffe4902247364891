"""Says which constraints of a search a source has no filter for; the papers are checked by all of them anyway."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from goldpan.kinds.papers.constraints import Constraints, PaperType


@dataclass(frozen=True)
class Filterable:
    """What a source can filter by, in addition to years and authors."""

    types: Collection[PaperType] = ()
    excluded_types: Collection[PaperType] = ()
    open_access: Collection[bool] = ()
    venues: bool = True
    excluded_words: bool = True


def not_filtered(title: str, constraints: Constraints, filterable: Filterable) -> tuple[str, ...]:
    """Return one sentence that names what a source with this title cannot filter by, if anything is asked for."""
    lacking = {
        "the name of a venue": bool(constraints.venues) and not filterable.venues,
        "these types": not set(constraints.types) <= set(filterable.types),
        "excluded types": not set(constraints.excluded_types) <= set(filterable.excluded_types),
        "open access": constraints.open_access not in {None, *filterable.open_access},
        "excluded words": bool(constraints.excluded_terms) and not filterable.excluded_words,
    }
    named = [name for name, is_lacking in lacking.items() if is_lacking]
    return (f"{title} cannot filter by {', '.join(named)}",) if named else ()
