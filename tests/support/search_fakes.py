"""A source, a language model and a clock whose behaviour depends on their input alone, whatever the order of calls."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from goldpan.contracts import Usage
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import TimedOut
from goldpan.infra.llm.port import Completion, LanguageModel, LanguageModelFailed, Prompt
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found, PlanningSource

from tests.support.fakes import SPENT, StillClock
from tests.support.memory_stores import MemoryCache

QUESTION = "React animation library"
TRANSLATION: dict[str, object] = {
    "keywords": ["react", "animation", "library"],
    "expanded_keywords": ["motion", "spring"],
    "language": None,
    "topics": ["react", "animation"],
}
TODAY = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
STRATEGIES = {"stars": "stars", "updated": "recency", "best_match": "expanded"}
"""The strategy of a search, by its order."""
Response = dict[str, object] | Exception


class SharedClock(StillClock):
    """A clock of today for several threads, which moves only when something waits or takes long."""

    def __init__(self) -> None:
        super().__init__(datetime.now(UTC))
        self._lock = threading.Lock()

    def wait(self, seconds: float) -> None:
        """Let the time pass at once."""
        with self._lock:
            super().wait(seconds)

    def exceed(self, deadline: Deadline) -> None:
        """Move to the deadline, unless it has passed."""
        with self._lock:
            self.time = max(self.time, deadline.at)


def repositories(count: int, **facts: object) -> list[Repository]:
    """Make repositories that all match the question, each with fewer stars than the one before."""
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
    """Add what a search does not return."""
    readme = f"# {repository.full_name}\n\n## Install\n\nMoves elements of a page."
    return repository.model_copy(update={"readme": readme, "has_readme": True, "contributors": 12, "releases": 7})


def judgement(name: str) -> dict[str, object]:
    """Judge a repository by the number at the end of its name."""
    relevance = 0.9 - int(name[-2:]) / 100
    return {"relevance": relevance, "documentation": 7, "ease_of_use": 6, "reasoning": f"It is {name}.", "quote": ""}


@dataclass
class FakeSource:
    """A source that finds the same for every question, but every second one only for the strategy `recency`."""

    found: Sequence[Repository] = field(default_factory=lambda: repositories(5))
    failures: Mapping[str, Exception] = field(default_factory=dict)  # what a strategy, or "enrich", raises
    on_search: Callable[[str], object] = lambda _: None
    searches_a_question: int = 15
    matches = ALL_WORDS
    notice: str | None = None

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Return the repositories for each search."""
        strategy = STRATEGIES[searches[0].sort]
        self.on_search(strategy)
        if not deadline.left:
            raise TimedOut("no answer before the deadline of the stage")
        if strategy in self.failures:
            raise self.failures[strategy]
        found = tuple(self.found[:: 2 if strategy == "recency" else 1])
        return Found((found,) * len(searches), available=len(found), queries=(f"query of {strategy}",))

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Return those of the repositories that have these names."""
        del deadline
        if "named" in self.failures:
            raise self.failures["named"]
        lists = tuple(tuple(each for each in self.found if each.full_name == name) for name in names)
        return Found(lists, sum(map(len, lists)), tuple(names))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Return the repositories with further facts."""
        del deadline
        if "enrich" in self.failures:
            raise self.failures["enrich"]
        return Enriched(tuple(map(with_readme, repositories)))


@dataclass
class JudgingModel:
    """A model that translates and judges; what is too slow uses all its time and is abandoned, as in reality."""

    translation: Response = field(default_factory=lambda: dict(TRANSLATION))
    judge: Callable[[str], Response] = judgement  # by the name of a repository
    too_slow: Callable[[str], bool] = lambda _: False  # whether its judgement, or the translation ("") takes too long
    name: str = "deepseek-flash"

    def complete(self, prompt: Prompt, deadline: Deadline) -> Completion:
        """Translate the question, or judge the repository that the prompt names."""
        name = json.loads(prompt.user).get("repository", {}).get("name", "")
        if self.too_slow(name):
            if isinstance(deadline.clock, SharedClock):
                deadline.clock.exceed(deadline)
            raise LanguageModelFailed("the language model did not answer in time", Usage(llm_calls=1))
        response = self.judge(name) if name else self.translation
        if isinstance(response, Exception):
            raise response
        return Completion(response, SPENT)


@dataclass
class Fakes:
    """All that a search reaches; made anew for each side of a comparison."""

    sources: Mapping[str, Any] = field(default_factory=lambda: {"github": FakeSource()})
    llm: LanguageModel | None = field(default_factory=JudgingModel)
    clock: SharedClock = field(default_factory=SharedClock)
    stores: Mapping[str, Dependencies] = field(default_factory=dict)
    """What each function shares with the others; without these no answer is cached."""

    def dependencies(self, function: str = "") -> Dependencies:
        """Return what one machine reaches, or one function: only the translator plans, the scout has no model."""
        dependencies = Dependencies(self.clock, self.sources, self.llm, warm_up_sources=self.sources)
        if function == "query_translator":
            planned = {
                name: PlanningSource(source.searches_a_question) if hasattr(source, "enrich") else source
                for name, source in self.sources.items()
            }
            dependencies = replace(dependencies, sources=planned)
        if function == "scout":
            dependencies = replace(dependencies, llm=None)
        if function == "screener":  # its stages pass on through the cache what no state carries
            dependencies = replace(dependencies, cache=MemoryCache(self.clock))
        if function not in self.stores:
            return dependencies
        own = self.stores[function]
        counter = own.popularity if function == "screener" else None
        return replace(dependencies, cache=own.cache, locks=own.locks, popularity=counter, progress=own.progress)
