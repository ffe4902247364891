"""The port of the sources of repositories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from goldpan.engine import status_rows
from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.models import Matching, Repository, RepositorySearch

ALL_WORDS: frozenset[Matching] = frozenset({"all"})
"""What every source can match."""


@dataclass(frozen=True)
class Found(status_rows.Found):
    """The result of one call for several searches."""

    lists: tuple[tuple[Repository, ...], ...]
    following: str | None = None
    """Where the next page of a single search begins; None after the last."""

    def joined(self, more: Found) -> Found:
        """Return the results of both calls; the age is that of the older."""
        ages = [age for age in (self.age_s, more.age_s) if age is not None]
        return Found(
            self.lists + more.lists,
            self.available + more.available,
            self.queries + more.queries,
            tuple(dict.fromkeys(self.notes + more.notes)),
            self.failures + more.failures,
            self.incomplete or more.incomplete,
            max(ages, default=None),
        )


@dataclass(frozen=True)
class Enriched:
    """Repositories with all facts that could be fetched, in the given order; None is one that there is no more."""

    repositories: tuple[Repository | None, ...]
    failures: tuple[str, ...] = ()


class RepositorySource(Protocol):
    """A source of repositories; raises `CallFailed` or `CredentialRejected`."""

    @property
    def searches_a_question(self) -> int:
        """The maximum number of searches for one question."""

    @property
    def matches(self) -> frozenset[Matching]:
        """How it can match the words of a search."""

    @property
    def notice(self) -> str | None:
        """A remark about the source that belongs into every answer from it."""

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches; each returns at most 100 repositories."""

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Fetch repositories by their full names: a list for each name, empty if there is none of that name.

        A repository that has been renamed has its new name; one that could not be read is among the failures.
        """

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fetch all facts, under the current name; a repository that failed is returned unchanged, with a note.

        By default all are returned unchanged: a search has given all that the source has.
        """
        del deadline
        return Enriched(tuple(repositories))


@dataclass(frozen=True)
class PlanningSource:
    """What a function that only plans searches knows of a source, which another function queries."""

    searches_a_question: int
    matches: frozenset[Matching] = ALL_WORDS
