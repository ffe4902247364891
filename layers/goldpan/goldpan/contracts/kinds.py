"""What the contracts read of a kind, to validate a request and to parse an answer."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel

from goldpan.config import Frozen
from goldpan.contracts.validation_errors import suggest
from goldpan.kind_table import KindTable

DEFAULT_SORT, DEFAULT_PREFERENCE = "relevance", "balanced"
MAX_QUERY_CHARS, MAX_LONG_QUERY_CHARS = 500, 5000
"""Characters of a question, and of one that may be a whole abstract."""


@dataclass(frozen=True, kw_only=True)
class KindContract:
    """The part of a kind that a request may name."""

    name: str
    sources: tuple[str, ...]
    """The sources that a request may name for this kind."""
    section: type[BaseModel]
    """The model of its section of the answer."""
    filters: type[Frozen] = Frozen
    """The filters that a request may have for this kind, each with a default; none by default."""
    sorts: tuple[str, ...] = (DEFAULT_SORT,)
    """The orders that a request may ask for."""
    preferences: tuple[str, ...] = (DEFAULT_PREFERENCE,)
    """What the order by relevance may prefer."""
    max_query_chars: int = MAX_QUERY_CHARS
    """Characters of a question for this kind."""
    continues: bool = False
    """Whether a request may continue an earlier search, by `previous_strategies` and `feedback`."""
    library_source: str = ""
    """The source that searches the library of a request's project; empty if the kind searches no libraries."""
    require_comparable: Callable[[str], str] | None = None
    """Return the id of a result that is to be compared, or raise `ValueError`; None if the kind compares none."""


TABLE: KindTable[KindContract] = KindTable()


def require_known(names: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once. Raises `ValueError` with the first name that is not allowed."""
    unknown = next((name for name in names if name not in allowed), None)
    if unknown is not None:
        raise ValueError(f"{unknown!r} is unknown; allowed: {', '.join(allowed)}{suggest(unknown, allowed)}")
    return tuple(dict.fromkeys(names))
