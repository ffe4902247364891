"""The flow on one machine: its events, its deadlines, its fallback, and kinds side by side."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import CredentialRejected, OutOfTime, SourcesFailed, Unavailable
from goldpan.infra.threads import run_parallel
from goldpan.kinds.repositories.kind import KIND

from tests.support.factories import NOW, ListedSource, StillClock, events, repository, request, run

MANY = [repository(f"example-org/motion-{n}", stars=100 + n) for n in range(30)]


def found(clock: StillClock | None = None, **sources: ListedSource) -> Dependencies:
    """Thirty candidates at GitHub, or other sources."""
    return Dependencies(clock=clock or StillClock(), sources=sources or {"github": ListedSource(MANY)})


def test_each_finished_stage_is_an_event() -> None:
    """Events come in the order of the flow, count what was found, and only the last one has the answer."""
    stages = events(request(), found())
    assert [event.stage for event in stages] == ["translate", "scout", "shortlist", "score", "rank", "assemble"]
    assert [event.message for event in stages] == [
        "Query translated",
        "Found 30 candidates",
        "Shortlisted 25 repositories",
        "Scored 25 repositories",
        "Ranked 10 repositories",
        "Answered",
    ]
    assert [event.answer is not None for event in stages] == [False] * 5 + [True]


def test_times_are_attributed_to_the_function_of_each_stage() -> None:
    """The duration of translate counts for query_translator, of scout for scout, and of the rest for screener."""
    clock = StillClock()

    def slow(stage: str, seconds: float) -> Any:
        def work(*given: Any) -> Any:
            clock.wait(seconds)
            return getattr(KIND, stage)(*given)

        return work

    kind = replace(KIND, translate=slow("translate", 1), shortlist=slow("shortlist", 2), rank=slow("rank", 0.5))
    times = run(request(), found(clock), kinds=[kind]).execution_time_ms
    assert (times.query_translator, times.scout, times.screener, times.total) == (1000, 0, 2500, 3500)


def test_a_stage_can_be_replaced() -> None:
    """The flow runs with the stage that a test or a benchmark puts in."""

    def score(task: Any, *_: Any) -> Any:
        return KIND.unscored(task, _failure(task)).model_copy(update={"relevance": 0.123})

    answer = run(request(), found(), kinds=[replace(KIND, score=score)])
    assert {result.relevance for result in answer.repositories.results} == {0.123}


def _failure(task: Any) -> Any:
    from goldpan.engine.kind import TaskFailure  # noqa: PLC0415

    return TaskFailure(task_id=task.id, failure="not_started")


def _hang(clock: StillClock, is_hanging: Any, stage: Any) -> tuple[Any, threading.Event]:
    """Let the tasks that are named hang beyond every deadline; the others wait until they do."""
    hanging, release = threading.Event(), threading.Event()

    def work(task: Any, *given: Any) -> Any:
        if is_hanging(task):
            result = stage(task, *given)
            clock.wait(60)
            hanging.set()
            release.wait(60)
            return result
        hanging.wait(60)
        return stage(task, *given)

    return work, release


def test_a_hanging_scoring_task_is_abandoned() -> None:
    """What has no verdict at the deadline is scored by the rules, and an error counts it."""
    clock = StillClock()
    score, release = _hang(clock, lambda task: task.id.endswith("-7"), KIND.score)
    answer = run(request(), found(clock), kinds=[replace(KIND, score=score)])
    release.set()
    assert len(answer.repositories.results) == 10
    assert [error.stage for error in answer.errors] == ["score"]


def test_a_hanging_scout_is_a_timeout() -> None:
    """A strategy without an answer at its deadline is a row that says timeout; the others answer."""
    clock = StillClock()
    scout, release = _hang(clock, lambda task: task.strategy == "recency", KIND.scout)
    answer = run(request(), found(clock), kinds=[replace(KIND, scout=scout)])
    release.set()
    statuses = {row.strategy: (row.status, row.detail) for row in answer.sources}
    assert statuses["recency"] == ("timeout", "no answer before the deadline of the stage")
    assert statuses["stars"][0] == "ok"


def test_a_stage_is_abandoned_a_quarter_of_a_second_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scouts and scoring tasks have until then to report how they ended."""
    abandoned: list[timedelta] = []

    def record(tasks: Any, work: Any, at_once: int, deadline: Deadline) -> Any:
        abandoned.append(deadline.at - NOW)
        return run_parallel(tasks, work, at_once, deadline)

    monkeypatch.setattr("goldpan.engine.pipeline.run_parallel", record)
    run(request(), found())
    assert abandoned == [timedelta(seconds=6.25), timedelta(seconds=10.25)]  # the stages have 6 and 10 seconds


def test_the_fallback_answers_if_all_sources_fail() -> None:
    """The failed source stays a row of the answer, and a warning names it and what was queried instead."""
    sources = found(github=ListedSource(failure=Unavailable("connection refused")), catalogue=ListedSource(MANY))
    answer = run(request(), sources, sources=("github",), fallback=("catalogue",))
    assert len(answer.repositories.results) == 10
    assert {(row.source, row.status) for row in answer.sources} >= {("github", "unavailable"), ("catalogue", "ok")}
    assert [line for line in answer.warnings if "connection refused; asked the catalogue instead." in line]


def test_without_a_fallback_failed_sources_end_the_search() -> None:
    """There is no empty answer but an error with the reasons."""
    with pytest.raises(SourcesFailed, match=r"github: unavailable \(connection refused\)"):
        run(request(), found(github=ListedSource(failure=Unavailable("connection refused"))))


def test_sources_of_the_request_replace_the_default_ones() -> None:
    """A request that names its sources queries those only."""
    sources = found(github=ListedSource(MANY), catalogue=ListedSource(MANY))
    answer = run(request(sources=["catalogue"]), sources, sources=("github",))
    assert {row.source for row in answer.sources} == {"catalogue"}


def test_no_time_to_translate_ends_the_search() -> None:
    """A search that starts too late to find anything says so instead of answering nothing."""

    class LateClock(StillClock):
        """Advances by an hour at each call."""

        def now(self) -> Any:
            """Return the time."""
            self.wait(3600)
            return super().now()

    with pytest.raises(OutOfTime, match="max_seconds: 25 seconds were not enough"):
        run(request(), found(LateClock()))


def test_a_defect_reaches_the_caller() -> None:
    """An unexpected exception of a stage is never turned into an empty list."""

    def rank(*_: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(request(), found(), kinds=[replace(KIND, rank=rank)])


def test_kinds_run_side_by_side() -> None:
    """Each kind has its section, its rows and its events; a temporary failure of one is a warning in the answer."""
    both = threading.Barrier(2, timeout=60)

    def translate(*given: Any) -> Any:
        both.wait()  # passes only if both kinds run at the same time
        return KIND.translate(*given)

    def fail(*_: Any) -> Any:
        both.wait()
        message = "every source is down"
        raise SourcesFailed(message)

    kinds = [replace(KIND, translate=translate), replace(KIND, name="gadgets", translate=fail)]
    stages = events(request(), found(), kinds=kinds)
    answer = stages[-1].answer
    assert answer is not None
    assert {event.kind for event in stages} == {"repositories", None}
    assert answer.warnings[-1] == "No gadgets in this answer: every source is down."
    assert len(answer.repositories.results) == 10


def test_a_rejected_credential_of_one_kind_ends_the_search() -> None:
    """What the operator must correct is never hidden behind the answer of another kind."""

    def fail(*_: Any) -> Any:
        message = "GITHUB_TOKEN: rejected"
        raise CredentialRejected(message)

    with pytest.raises(CredentialRejected, match="GITHUB_TOKEN: rejected"):
        run(request(), found(), kinds=[KIND, replace(KIND, name="gadgets", translate=fail)])


def test_the_same_request_has_the_same_answer() -> None:
    """Two runs differ in nothing but their times."""
    first, second = (run(request(), found(StillClock(NOW + timedelta(hours=n)))) for n in range(2))
    volatile = {"execution_time_ms", "answered_at"}
    assert first.model_dump(exclude=volatile) == second.model_dump(exclude=volatile)
