"""Values and sources that the unit tests are made from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from goldpan.contracts import Mode, SearchRequest, SourceStatus, parse_request
from goldpan.engine import pipeline
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.engine.events import SearchEvent
from goldpan.engine.kind import AnyKind
from goldpan.infra.llm.port import Prompt
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind
from goldpan.kinds.repositories.models import Batch, Repository, RepositorySearch, ScoutTask, SearchParams, Strategy
from goldpan.kinds.repositories.ports import ALL_WORDS, Enriched, Found
from goldpan.kinds.repositories.question.reader import read_question
from goldpan.kinds.repositories.translate import translate_by_rules

from tests.support import fakes

NOW = fakes.START
JUDGEMENT = {"relevance": 0.8, "documentation": 7, "ease_of_use": 6, "reasoning": "It fits.", "quote": ""}
StillClock = fakes.StillClock
QUESTION = "React animation library"


class ListedSource:
    """A source that gives the same lists to everyone, or fails."""

    searches_a_question = 15
    matches = ALL_WORDS
    notice = None

    def __init__(
        self, *lists: Sequence[Repository], failure: BaseException | None = None, incomplete: bool = False
    ) -> None:
        self.lists, self.failure, self.incomplete = lists, failure, incomplete
        self.asked: list[RepositorySearch] = []
        self.renamed: dict[str, str] = {}
        self.enriched = 0

    def search(self, searches: Sequence[RepositorySearch], deadline: Deadline) -> Found:
        """Give the lists."""
        del deadline
        self.asked += searches
        if self.failure:
            raise self.failure
        lists = tuple(tuple(found) for found in self.lists)
        return Found(lists, sum(len(found) for found in lists), incomplete=self.incomplete)

    def look_up(self, names: Sequence[str], deadline: Deadline) -> Found:
        """Give those of the lists that have these names, or had them, or fail."""
        del deadline
        if self.failure:
            raise self.failure
        known = {each.full_name.lower(): each for found in self.lists for each in found}
        known |= {old.lower(): known[new.lower()] for old, new in self.renamed.items()}
        lists = tuple((known[name.lower()],) if name.lower() in known else () for name in names)
        return Found(lists, sum(map(len, lists)), tuple(names))

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Give the repositories back, and say what failed."""
        del deadline
        self.enriched += len(repositories)
        return Enriched(tuple(repositories), (str(self.failure),) if self.failure else ())


class QueuedModel(fakes.FakeModel):
    """A language model that judges everything alike, and records what was asked."""

    def __init__(self) -> None:
        super().__init__((), "queued")

    def answer(self, prompt: Prompt) -> dict[str, object]:
        """Answer by the kind of the prompt."""
        return dict(JUDGEMENT) if "judge how well" in prompt.system else {"keywords": ["react", "animation"]}


def repository(name: str = "example-org/motion", /, **facts: object) -> Repository:
    """Make a repository."""
    usual = {"full_name": name, "description": "React animation library", "stars": 500}
    return Repository.model_validate({**usual, **facts})


def params(question: str = QUESTION, mode: Mode = "balanced") -> SearchParams:
    """Translate a question by rules."""
    return translate_by_rules(read_question(question, today=NOW.date()), mode, question)


def scout_task(strategy: Strategy = "stars", allowance: int = 70_000) -> ScoutTask:
    """Make a scout task of one search."""
    searches = (RepositorySearch(words=("react",)),)
    return ScoutTask(
        id=f"{strategy}:github",
        strategy=strategy,
        source="github",
        searches=searches,
        params=params(),
        byte_allowance=allowance,
    )


def batch(strategy: Strategy, *found: Repository, source: str = "github") -> Batch:
    """Make a batch that went well."""
    status = SourceStatus(kind="repositories", strategy=strategy, source=source, status="ok", kept=len(found))
    return Batch(status=status, candidates=found)


def request(**fields: object) -> SearchRequest:
    """Make a request."""
    return parse_request({"query": QUESTION, **fields})


def with_stages(kind: Any, **stages: Any) -> AnyKind:
    """Exchange stages of a kind."""
    made: AnyKind = replace(kind, stages=lambda: replace(kind.stages(), **stages))
    return made


def events(
    request: SearchRequest, dependencies: Dependencies, kinds: Sequence[AnyKind] = (), **options: Any
) -> list[SearchEvent]:
    """Run a search over the sources of its dependencies and collect its events; `kinds` replace the registered ones."""
    named = {kind.name: kind for kind in kinds}
    asked = request.model_copy(update={"kinds": tuple(named)}) if named else request
    with patch("goldpan.engine.pipeline.get_kind", named.get if named else get_kind):
        return list(pipeline.run(asked, dependencies, **{"sources": tuple(dependencies.sources), **options}))


def run(request: SearchRequest, dependencies: Dependencies, **options: Any) -> Answer:
    """Run a search and return its answer."""
    found = events(request, dependencies, **options)[-1].answer
    assert found is not None
    return found


def answer(source: ListedSource, model: QueuedModel | None = None, **fields: object) -> Answer:
    """Run a whole search over a source."""
    return run(request(**fields), Dependencies(clock=StillClock(), sources={"github": source}, llm=model))
