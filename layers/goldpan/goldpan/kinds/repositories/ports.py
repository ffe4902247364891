"""The port of the sources of repositories, and the query syntax in which each of them reports what it searched for.

It is GitHub's, whose queries have at most 256 characters and five AND, OR or NOT operators (GitHub docs, "About search"
for REST). The words of a question contain no quotes, colons or operators: `goldpan.text.words` leaves lower-case
letters and digits, so that GitHub reads none of them as a qualifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from goldpan.engine import status_rows
from goldpan.engine.deadlines import Deadline
from goldpan.errors import CallFailed
from goldpan.kinds.repositories.models import Matching, Repository, RepositorySearch
from goldpan.kinds.repositories.vocabulary import vocabulary
from goldpan.text import phrase

ALL_WORDS: frozenset[Matching] = frozenset({"all"})
"""What every source can match."""
MAX_QUERY = 256
PREFIXES: dict[Matching, str] = {"any": "any of:", "meaning": "close to:", "category": "listed as:"}
"""How the searches that only a catalogue can run begin."""


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
    cause: CallFailed | None = None
    """What failed for some of them, for a caller that can wait."""


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

        Raises `CredentialRejected` alone. By default all are unchanged: a search has given all that the source has.
        """
        del deadline
        return Enriched(tuple(repositories))


@dataclass(frozen=True)
class PlanningSource:
    """What a function that only plans searches knows of a source, which another function queries."""

    searches_a_question: int
    matches: frozenset[Matching] = ALL_WORDS


def render(search: RepositorySearch) -> str:
    """Write a search as a query, without its sort order; one that is too long loses its weakest words."""
    kept = list(search.words)
    while len(text := _text(search, kept)) > MAX_QUERY and kept:
        kept.remove(next((word for word in reversed(kept) if phrase(word) in vocabulary().generic), kept[-1]))
    return text


def _text(search: RepositorySearch, words: list[str]) -> str:
    named = (", " if search.match == "category" else " ").join(words)
    parts = [part for part in (PREFIXES.get(search.match), named) if part]
    if search.language:
        parts.append(f'language:"{search.language}"' if " " in search.language else f"language:{search.language}")
    parts += [f"license:{search.license.lower()}"] if search.license else []
    parts += [f"topic:{topic}" for topic in search.topics]
    parts += _range("stars", search.stars.min, search.stars.max)
    parts += _range("created", search.created_after, search.created_before)
    parts += _range("pushed", search.pushed_after, None)
    return " ".join(parts)


def _range(name: str, low: int | date | None, high: int | date | None) -> list[str]:
    if low is not None and high is not None:
        return [f"{name}:{low}..{high}"]
    return [f"{name}:{sign}{limit}" for sign, limit in ((">=", low), ("<=", high)) if limit is not None]
