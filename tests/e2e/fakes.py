"""A source and a language model whose answers follow from what they are asked alone, in whatever order they are."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Clock, Deadline
from goldpan.errors import CallFailed, TimedOut
from goldpan.infra.llm.port import Completion, LanguageModel, LanguageModelFailed, Prompt
from goldpan.infra.stores import Stores
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import Dependencies, Enriched, Found, PlanningSource, RepositorySource

QUESTION = "React animation library"
READING: dict[str, object] = {
    "keywords": ["react", "animation", "library"],
    "expanded_keywords": ["motion", "spring"],
    "language": None,
    "topics": ["react", "animation"],
}
SPENT = Usage(llm_calls=1, input_tokens=1000, output_tokens=100)
TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
TOO_LATE = "no answer before the deadline of the stage"
ORDERS = {"stars": "stars", "updated": "recency", "best_match": "expanded"}
"""The strategy to which a search belongs, by its order."""

Said = dict[str, object] | Exception


def repositories(count: int, **facts: object) -> list[Repository]:
    """Make repositories that all fit the question, each a little less known than the one before."""
    usual = {"description": "A React animation library", "language": "TypeScript", "forks": 70, "license": "MIT"}
    return [
        Repository.model_validate(
            usual
            | {"full_name": f"example-org/motion-{number:02}", "stars": 9000 - 100 * number}
            | {"pushed_at": TODAY - timedelta(days=number), "created_at": TODAY - timedelta(days=900)}
            | facts
        )
        for number in range(count)
    ]


def with_readme(repository: Repository) -> Repository:
    """Tell what a search does not."""
    readme = f"# {repository.full_name}\n\n## Install\n\nMoves elements of a page."
    return repository.model_copy(update={"readme": readme, "has_readme": True, "contributors": 12, "releases": 7})


def in_time(seconds: float, deadline: Deadline) -> bool:
    """Wait, at most until the deadline; a machine that is slow itself is no reason to be late."""
    left = deadline.left
    time.sleep(min(seconds, left))
    return seconds < left


def well(name: str) -> dict[str, object]:
    """Judge a repository by the number at the end of its name."""
    relevance = 0.9 - int(name[-2:]) / 100
    return {"relevance": relevance, "documentation": 7, "ease_of_use": 6, "reasoning": f"It is {name}.", "quote": ""}


@dataclass
class Shelf:
    """A source that finds the same for everyone; `fails` holds what goes wrong, `waits` how long a search takes."""

    found: Sequence[Repository] = field(default_factory=lambda: repositories(5))
    fails: Mapping[str, Exception] = field(default_factory=dict)
    waits: Mapping[str, float] = field(default_factory=dict)
    enriched: Callable[[Repository], Repository] = with_readme
    also: Callable[[str], object] = lambda _: None
    searches_a_question: int = 15
    notice: str | None = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Give every second one to the strategy that asks for the newest, and all to the others."""
        strategy = ORDERS[searches[0].sort]
        self.also(strategy)
        if not in_time(self.waits.get(strategy, 0.0), deadline):
            raise TimedOut(TOO_LATE)
        if strategy in self.fails:
            raise self.fails[strategy]
        found = tuple(self.found[:: 2 if strategy == "recency" else 1])
        return Found((found,) * len(searches), available=len(found), queries=(f"asked for {strategy}",))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories with their further facts."""
        del deadline
        if "enrich" in self.fails:
            raise self.fails["enrich"]
        return Enriched(tuple(self.enriched(repository) for repository in repositories))


@dataclass
class Judge:
    """A model that reads and judges as it was told; one that would take too long is cut, as its client does."""

    reads: Said = field(default_factory=lambda: dict(READING))
    judges: Callable[[str], Said] = well
    waits: Callable[[str], float] = lambda _: 0.0
    name: str = "deepseek-flash"
    most_at_once: int = 0
    _at_once: int = 0
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Read the question, or judge the repository that is named."""
        name = json.loads(prompt.user).get("repository", {}).get("name", "")
        self._count(1)
        try:
            answered = in_time(self.waits(name), deadline)
        finally:
            self._count(-1)
        if not answered:
            raise LanguageModelFailed("the language model did not answer in time", Usage(llm_calls=1))
        said = self.judges(name) if name else self.reads
        if isinstance(said, Exception):
            raise said
        return Completion(said, SPENT)

    def _count(self, change: int) -> None:
        with self._turn:
            self._at_once += change
            self.most_at_once = max(self.most_at_once, self._at_once)


class LeapingClock:
    """A clock that stands still, however slow the tests are, and leaps where something is said to have taken long."""

    def __init__(self, at_first: float = 0) -> None:
        self._now, self._at_first = datetime.now(UTC), at_first

    def now(self) -> datetime:
        """Tell the time; the first leap is over once somebody has asked for it."""
        told = self._now
        self.leap(self._at_first)
        self._at_first = 0
        return told

    def wait(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.leap(seconds)

    def leap(self, seconds: float) -> float:
        """Let that many seconds pass at once; nobody has to wait for them."""
        self._now += timedelta(seconds=seconds)
        return 0.0


@dataclass
class Fakes:
    """All that a search reaches; made anew for each side of a comparison."""

    sources: Mapping[str, RepositorySource] = field(default_factory=lambda: {"github": Shelf()})
    llm: LanguageModel | None = field(default_factory=Judge)
    clock: Clock = field(default_factory=LeapingClock)
    stores: Stores | None = None
    """What all functions share; without any, nothing is remembered."""

    def all(self) -> Dependencies:
        """Give what one machine reaches."""
        return Dependencies(self.clock, self.sources, self.llm)

    def of(self, function: str) -> Dependencies:
        """Give what a function reaches: query_translator only plans searches, scout has no language model."""
        dependencies = Dependencies(self.clock, self.sources, self.llm, warming=self.sources)
        if function == "query_translator":
            plans = {name: PlanningSource(source.searches_a_question) for name, source in self.sources.items()}
            dependencies = Dependencies(self.clock, plans, self.llm)
        if function == "scout":
            dependencies = replace(dependencies, llm=None)
        if self.stores is None:
            return dependencies
        counters = self.stores.popularity if function == "screener" else None
        return replace(dependencies, cache=self.stores.cache, answers=self.stores.answers, popularity=counters)


def failed(message: str) -> CallFailed:
    """Make the failure of a language model that was paid for all the same."""
    return LanguageModelFailed(message, SPENT)
