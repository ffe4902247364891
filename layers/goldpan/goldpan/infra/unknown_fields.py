"""Fields of an input line that no model has: a likely misspelling is an error, the others are counted by the caller."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import OSA

MAX_EDITS = 2
MAX_QUOTED_CHARS = 60


def unknown_fields(names: Iterable[str], known: Iterable[str], letters_an_edit: int = 1) -> list[str]:
    """Return the names that are no known field, shortened.

    A name within two edits of a known field that is not given misspells it; in a short field, each edit needs
    `letters_an_edit` letters of it. Raises `ValueError` with both names.
    """
    given, fields = set(names), tuple(known)
    unknown = sorted(given - {*fields})
    for name in unknown:
        meant = [field for field in _similar(name, fields, letters_an_edit) if field not in given]
        if meant:
            message = f"{name[:MAX_QUOTED_CHARS]}: unknown field; is {meant[0]} meant?"
            raise ValueError(message)
    return [name[:MAX_QUOTED_CHARS] for name in unknown]


def quoted(value: object) -> str:
    """Quote the beginning of a value, for a message."""
    return repr(str(value)[:MAX_QUOTED_CHARS])


@lru_cache(maxsize=1024)
def _similar(name: str, fields: tuple[str, ...], letters_an_edit: int) -> list[str]:
    """Return the fields that the name may misspell, in any letter case, the nearest first."""
    limits = {field: min(MAX_EDITS, len(field) // letters_an_edit) for field in fields}
    edits = {field: OSA.distance(name.lower(), field, score_cutoff=limit) for field, limit in limits.items()}
    return sorted((field for field in fields if edits[field] <= limits[field]), key=edits.__getitem__)
