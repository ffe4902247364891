"""The flow on one machine: its events, its state, its clock and its fallback."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from goldpan.contracts import KindResult, SearchRequest, Source, SourceStatus, Status, parse_request
from goldpan.engine import pipeline
from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.engine.events import SearchEvent
from goldpan.errors import InvalidRequest, OutOfTime, SourcesFailed, Unavailable
from goldpan.kinds.registry import Stages
from goldpan.kinds.repositories.models import (
    Batch,
    Repository,
    ScoreTask,
    ScoutTask,
    Shortlist,
    Translation,
    Unscored,
    Verdict,
)
from goldpan.kinds.repositories.ports import Enriched, Found
from goldpan.engine.dependencies import Dependencies
from goldpan.kinds.repositories.rank import rules_only_verdict
from goldpan.kinds.repositories.sources.catalogue import Catalogue
from goldpan.kinds.repositories.sources.catalogue.record import Record

REQUEST = parse_request({"query": "React animation library"})
RECORDS = [
    Record(full_name=f"example-org/react-animation-{n}", description="React animation library", stars=100 + n)
    for n in range(30)
]


class BrokenSource:
    """A source that is down."""

    searches_a_question = 5
    notice = None

    def search(self, searches: Sequence[object], deadline: Deadline) -> Found:
        """Fail."""
        del searches, deadline
        raise Unavailable("nobody is there")

    def enrich(self, repositories: Sequence[Repository], deadline: Deadline) -> Enriched:
        """Fail."""
        del repositories, deadline
        raise Unavailable("nobody is there")


@pytest.fixture
def dependencies() -> Dependencies:
    """A catalogue of thirty, and a GitHub that is down."""
    catalogue = Catalogue.in_memory(RECORDS, "the test's catalogue")
    return Dependencies(clock=WallClock(), sources={"catalogue": catalogue, "github": BrokenSource()})


def _events(
    dependencies: Dependencies, request: SearchRequest = REQUEST, nodes: Stages | None = None
) -> list[SearchEvent]:
    return list(pipeline.stream_search(request, dependencies, sources=("catalogue",), nodes=nodes))


def test_every_stage_tells_that_it_ended(dependencies: Dependencies) -> None:
    """One event a stage, in the order of the flow, each with a sentence that counts what was found."""
    events = _events(dependencies)
    assert [event.stage for event in events] == ["translate", "scout", "shortlist", "score", "rank", "assemble"]
    assert [event.message for event in events[:4]] == [
        "Query translated", "Found 30 candidates", "Shortlisted 25 repositories", "Scored 25 repositories",
    ]  # fmt: skip
    assert [event.answer is not None for event in events] == [False] * 5 + [True]


def test_the_state_grows_and_never_changes(dependencies: Dependencies) -> None:
    """Each event has a new state that keeps all that the one before it had."""
    events = _events(dependencies)
    assert events[0].state.search_params is not None
    assert events[0].state.candidate_repos == ()
    assert events[-1].state.candidate_repos == events[1].state.candidate_repos
    assert len(events[-1].state.coarse_filtered_repos) == 25
    assert len(events[-1].state.top_repos) == 10
    assert events[-1].state.execution_time.total >= events[0].state.execution_time.total


def test_other_stages_can_be_put_in(dependencies: Dependencies) -> None:
    """A test may replace any stage, and the flow runs with it."""
    seen: list[str] = []

    def score(task: ScoreTask, _request: SearchRequest, _ports: Dependencies, _deadline: Deadline) -> Verdict:
        seen.append(task.repository.full_name)
        return rules_only_verdict(task).model_copy(update={"relevance": 0.123})

    last = _events(dependencies, nodes=replace(Stages(), score=score))[-1]
    assert len(seen) == 25
    assert {item.relevance for item in last.state.top_repos} == {0.123}


def test_a_scoring_that_hangs_is_cut_and_the_rest_is_answered(dependencies: Dependencies) -> None:
    """What is not scored by the end of its time is judged by rules, and a sentence counts it."""
    release = threading.Event()

    def score(task: ScoreTask, _request: SearchRequest, _ports: Dependencies, _deadline: Deadline) -> Verdict:
        if task.repository.full_name.endswith("-7"):
            release.wait(30)
        return rules_only_verdict(task)

    request = parse_request({"query": REQUEST.query, "max_seconds": 5, "config": {"target_seconds": 2}})
    begun = time.monotonic()
    last = _events(dependencies, request, replace(Stages(), score=score))[-1]
    release.set()
    assert time.monotonic() - begun < 10
    assert last.answer is not None
    assert len(last.answer.repositories.results if last.answer.repositories else ()) == 10
    assert [error.stage for error in last.answer.errors] == ["score"]


def test_a_scout_that_hangs_is_a_timeout(dependencies: Dependencies) -> None:
    """A strategy that does not answer by its deadline is a row that says timeout; the others answer."""
    release = threading.Event()

    def scout(task: ScoutTask, given: Dependencies, deadline: Deadline) -> Batch:
        if task.strategy == "recency":
            release.wait(30)
        return Stages().scout(task, given, deadline)

    request = parse_request({"query": REQUEST.query, "max_seconds": 5})
    last = _events(dependencies, request, replace(Stages(), scout=scout))[-1]
    release.set()
    assert last.answer is not None
    statuses: dict[str, Status] = {row.strategy: row.status for row in last.answer.sources}
    assert statuses["recency"] == "timeout"
    assert statuses["stars"] == "ok"


def test_where_all_sources_fail_the_fallback_answers_and_says_so(dependencies: Dependencies) -> None:
    """The failed source stays a row of the answer, and one line names it and what was asked instead."""
    answer = pipeline.search(REQUEST, dependencies, sources=("github",), fallback=("catalogue",))
    assert answer.repositories is not None
    assert len(answer.repositories.results) == 10
    assert {(row.source, row.status) for row in answer.sources} >= {("github", "unavailable"), ("catalogue", "ok")}
    assert [line for line in answer.warnings if "asked the catalogue instead" in line]


def test_without_a_fallback_failed_sources_end_the_search(dependencies: Dependencies) -> None:
    """Where nobody answered there is no empty answer but an error with the reasons."""
    with pytest.raises(SourcesFailed, match="github: unavailable"):
        pipeline.search(REQUEST, dependencies, sources=("github",))


def test_named_sources_are_asked_alone(dependencies: Dependencies) -> None:
    """Sources that the request names take the place of the default ones."""
    request = parse_request({"query": REQUEST.query, "sources": ["catalogue"]})
    answer = pipeline.search(request, dependencies, sources=("github",))
    assert {row.source for row in answer.sources} == {"catalogue"}


def test_out_of_time_before_anything_was_found_is_said(dependencies: Dependencies) -> None:
    """Where the time is up before the first batch the search ends with the reason, not with an empty answer."""

    class LateClock(WallClock):
        """A clock on which an hour passes with every look."""

        def __init__(self) -> None:
            super().__init__()
            self._at = super().now()

        def now(self) -> datetime:
            """Tell a time an hour after the last one."""
            self._at = self._at.replace(year=self._at.year + 1)
            return self._at

    with pytest.raises(OutOfTime, match="max_seconds"):
        pipeline.search(REQUEST, replace(dependencies, clock=LateClock()), sources=("catalogue",))


def test_a_kind_that_is_not_built_is_refused() -> None:
    """Papers cannot be searched yet, and the message says what can."""
    request = parse_request({"query": "attention", "kinds": ["papers"]})
    with pytest.raises(InvalidRequest, match="repositories"):
        pipeline.search(request, Dependencies(clock=WallClock()), sources=("catalogue",))


def test_what_a_stage_raises_reaches_the_asker(dependencies: Dependencies) -> None:
    """A defect in a stage is never turned into an empty list."""

    def rank(
        _shortlist: Shortlist,
        _verdicts: Sequence[Verdict | Unscored],
        _t: Translation,
        _r: SearchRequest,
        _now: datetime,
    ) -> KindResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _events(dependencies, nodes=replace(Stages(), rank=rank))


def test_two_runs_give_the_same_answer(dependencies: Dependencies) -> None:
    """The same question has the same answer, but for its times."""
    first, second = (pipeline.search(REQUEST, dependencies, sources=("catalogue",)) for _ in range(2))
    volatile = {"execution_time_ms", "answered_at"}
    assert first.model_dump(exclude=volatile) == second.model_dump(exclude=volatile)


def test_a_source_that_is_not_there_is_skipped_by_name(dependencies: Dependencies) -> None:
    """A source that is not configured is a row that says so."""
    asked: tuple[Source, ...] = ("catalogue", "openalex")
    answer = pipeline.search(REQUEST, dependencies, sources=asked)
    rows: list[SourceStatus] = [row for row in answer.sources if row.source == "openalex"]
    assert {row.status for row in rows} == {"skipped"}


def test_sources_of_which_none_is_there_are_refused(dependencies: Dependencies) -> None:
    """Trying again would find none of them either, so that the asker is told to name others."""
    with pytest.raises(InvalidRequest, match=r"^sources: openalex, arxiv cannot be asked here; leave sources out"):
        pipeline.search(REQUEST, dependencies, sources=("openalex", "arxiv"))
