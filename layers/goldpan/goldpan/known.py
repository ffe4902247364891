"""What is known before a search has ended: how the question was read, what each source gave, and the candidates.

An answer has the same rows; an error that ended a search has them as `Known`.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from goldpan.config import Frozen

PartKind = Literal["wish", "term", "constraint", "exclusion", "likeness", "correction", "unread"]
Status = Literal["ok", "empty", "truncated", "rate_limited", "timeout", "unavailable", "skipped"]


class SourceStatus(Frozen):
    """What one strategy got from one source; a failed source never looks empty."""

    kind: str
    strategy: str
    source: str
    status: Status
    duration_ms: int | None = None
    """How long the strategy took, with its waits for the source's limits; null if it was given up."""
    query: str = ""
    available: int | None = None
    fetched: int = 0
    kept: int = 0
    cached: bool = False
    age_s: int | None = None
    """The age of a cached result, in seconds."""
    retry_at: datetime | None = None
    detail: str = ""


class Interpretation(Frozen):
    """One part of the question, and what it was read as; its id depends on the kind and the value alone."""

    id: str
    """For the field `ignore` of a further request."""
    kind: PartKind
    """A wish is a whole text of `feedback`; the other parts are read of the question and of the wishes."""
    text: str
    """The words of the question."""
    value: str
    """What they were read as."""


class Preview(Frozen):
    """A result before the order is known."""

    title: str
    url: str | None = None
    text: str | None = None


class Known(Frozen):
    """What was known when a search failed."""

    interpretation: tuple[Interpretation, ...] = ()
    sources: tuple[SourceStatus, ...] = ()
    candidates: Mapping[str, tuple[Preview, ...]] = {}
    """The first candidates of each kind, not in their final order."""
