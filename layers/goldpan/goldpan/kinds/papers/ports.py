"""The port of the sources of papers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from goldpan.engine.deadlines import Deadline
from goldpan.engine.status_rows import Found
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import Paper, PaperQuery


@dataclass(frozen=True)
class SearchResult(Found):
    """The result of the queries of one search, each list best first; `unread` counts records that are wrong."""

    lists: tuple[tuple[Paper, ...], ...]
    unread: int = 0
    skipped: str = ""
    """Why this way of searching is not possible here, where that is no failure."""


@dataclass(frozen=True)
class SourcePlan:
    """What a search is planned by, before any source is asked."""

    queries: int = 1
    """The maximum number of queries for one search."""
    missing_key: str | None = None
    """The environment variable without which the source cannot be asked, None if it can be."""
    looks_up: bool = False
    """Whether papers can be looked up by their DOIs at no cost."""


class AskedSource(Protocol):
    """A source of papers that is asked; raises `CallFailed` or `CredentialRejected`."""

    def search(self, queries: Sequence[PaperQuery], constraints: Constraints, deadline: Deadline) -> SearchResult:
        """Run the queries, with the constraints as the source's own filters, where it has them."""

    def look_up(self, dois: Sequence[str], deadline: Deadline) -> SearchResult:
        """Return the records of these DOIs, in one list; one that the source does not know is left out."""


@runtime_checkable
class CheckedSource(Protocol):
    """A source that says what is left of its limits, or that costs less to ask than by a look-up."""

    def check(self, deadline: Deadline) -> str:
        """Return what is left, "" if it does not say. Raises `CallFailed`."""


class PaperSource(AskedSource, Protocol):
    """A source of papers, with what a search of it is planned by."""

    @property
    def plan(self) -> SourcePlan:
        """What a search of the source is planned by."""


@dataclass(frozen=True)
class PlanningSource:
    """A source that another function queries: here its searches are only planned."""

    plan: SourcePlan
