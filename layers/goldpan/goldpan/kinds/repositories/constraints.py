"""What the results of a question must meet."""

from __future__ import annotations

from datetime import date
from typing import Any

from goldpan.config import Frozen


class Constraints(Frozen):
    """What every result must meet; empty or None is open. Days are inclusive."""

    languages: tuple[str, ...] = ()
    """Languages as GitHub names them; the repository's must be one of them."""
    platforms: tuple[str, ...] = ()
    """Platforms of the vocabulary, one of which the repository must fit by its language or by naming it."""
    licenses: tuple[str, ...] = ()
    """SPDX identifiers, one of which the repository must have."""
    min_stars: int | None = None
    max_stars: int | None = None
    preferred_max_stars: int | None = None
    """Changes the order only."""
    created_after: date | None = None
    created_before: date | None = None
    pushed_after: date | None = None
    pushed_before: date | None = None
    pushed_within_days: int | None = None
    topics: tuple[str, ...] = ()
    archived: bool | None = None
    excluded_terms: tuple[str, ...] = ()
    excluded_languages: tuple[str, ...] = ()
    excluded_topics: tuple[str, ...] = ()
    excluded_licenses: tuple[str, ...] = ()

    def adding(self, fields: dict[str, Any]) -> Constraints:
        """Add fields: the values of lists are joined, any other value replaces."""
        joined = {
            name: tuple(dict.fromkeys((*getattr(self, name), *value))) if isinstance(value, tuple) else value
            for name, value in fields.items()
        }
        return self.model_copy(update=joined)
