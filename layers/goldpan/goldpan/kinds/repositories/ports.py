"""What the stages of the repositories kind need from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from goldpan.aws.popularity import Popularity
from goldpan.engine.answer_cache import Answers
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import Unavailable
from goldpan.infra.cache.port import Cache
from goldpan.infra.llm.port import LanguageModel
from goldpan.kinds.repositories.models import Repository, RepositorySearch


@dataclass(frozen=True)
class Found:
    """What one call for several searches brought.

    `lists` answers the searches in their order, an unanswered one is empty; `failures` says why, for each that
    failed. `queries` is how the source was really asked, `notes` what the asker should know of that. What was found
    for an earlier call has its age.
    """

    lists: tuple[tuple[Repository, ...], ...]
    available: int
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    incomplete: bool = False
    age_s: int | None = None


class RepositorySource(Protocol):
    """A place where repositories are found; raises `CallFailed` or `CredentialRejected`."""

    @property
    def searches_a_question(self) -> int:
        """How many searches one question may cost here."""

    @property
    def notice(self) -> str | None:
        """What an answer from here has to say of where it comes from."""

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Run the searches, at most 100 repositories each."""

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fetch what a search does not tell; a repository that failed comes back as it was, with a note."""


@dataclass(frozen=True)
class Enriched:
    """Repositories with all facts that could be fetched, in the order given."""

    repositories: tuple[Repository, ...]
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dependencies:
    """All that a search may reach: the sources by name, the language model where one is configured, the clock.

    And what outlives a search: the cache, whole answers, and the counters of what is asked most, each where it is.
    """

    clock: Clock
    sources: Mapping[str, RepositorySource] = field(default_factory=dict)
    llm: LanguageModel | None = None
    cache: Cache | None = None
    answers: Answers | None = None
    popularity: Popularity | None = None
    warming: Mapping[str, RepositorySource] = field(default_factory=dict)
    """The sources as warm-ups may ask them."""

    def used(self, *, warming: bool) -> Dependencies:
        """Give the ports as a search uses them, or as a warm-up does."""
        return replace(self, sources=self.warming) if warming else self


@dataclass(frozen=True)
class PlanningSource:
    """A source that another function asks: here its searches are only planned."""

    searches_a_question: int
    notice: str | None = None
    _REFUSAL: ClassVar[str] = "this function only plans searches"

    def search(self, _searches: Sequence[RepositorySearch], _deadline: Deadline) -> Found:
        """Refuse: this function has no way to the source."""
        raise Unavailable(self._REFUSAL)

    def enrich(self, _repositories: Sequence[Repository], _deadline: Deadline) -> Enriched:
        """Refuse: this function has no way to the source."""
        raise Unavailable(self._REFUSAL)
