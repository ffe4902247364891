"""The flow on one machine: its events, its deadlines, and kinds side by side."""

import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.engine.dependencies import Dependencies
from goldpan.errors import Cancelled, Defect, InvalidRequest, SourcesFailed
from goldpan.infra.threads import run_parallel
from goldpan.kinds.registry import get_kind

from tests.support.factories import NOW, ListedSource, StillClock, events, repository, request, run, with_stages

KIND = get_kind("repositories")
MANY = [repository(f"example-org/motion-{n}", stars=100 + n) for n in range(30)]


def found(clock: StillClock | None = None, **sources: ListedSource) -> Dependencies:
    """Thirty candidates at GitHub, or other sources."""
    return Dependencies(clock=clock or StillClock(), sources=sources or {"github": ListedSource(MANY)})


def test_each_finished_stage_is_an_event() -> None:
    """Events come in the order of the flow, count what was found, and only the last one has the answer."""
    stages = events(request(), found())
    assert [(event.stage, event.message) for event in stages] == [
        ("translate", "Query translated"),
        ("scout", "Found 30 candidates"),
        ("shortlist", "Shortlisted 25 repositories"),
        ("score", "Scored 25 repositories"),
        ("rank", "Ranked 30 repositories"),
        ("assemble", "Answered"),
    ]
    assert [event.answer is not None for event in stages] == [False] * 5 + [True]
    assert [len(event.preview) for event in stages] == [0, 0, 10, 0, 0, 0]


def test_times_are_attributed_to_the_function_of_each_stage(caplog: pytest.LogCaptureFixture) -> None:
    """Translate counts for query_translator, scout for scout, the rest for screener; the log has each stage."""
    clock = StillClock()
    caplog.set_level("INFO")

    def slow(stage: str, seconds: float) -> Any:
        def work(*given: Any) -> Any:
            clock.wait(seconds)
            return getattr(KIND.stages(), stage)(*given)

        return work

    kind = with_stages(KIND, translate=slow("translate", 1), shortlist=slow("shortlist", 2), rank=slow("rank", 0.5))
    answer = run(request(), found(clock), kinds=[kind])
    times = answer.execution_time_ms
    assert (times.query_translator, times.scout, times.screener, times.total) == (1000, 0, 2500, 3500)
    [logged] = [vars(record)["fields"] for record in caplog.records if record.message == "Search completed"]
    spent = {"translate": 1000, "scout": 0, "shortlist": 2000, "score": 0, "rank": 500, "assemble": 0}
    assert (logged["ms"], logged["stage_ms"]) == (3500, spent)
    assert {row.duration_ms for row in answer.sources} == {0}, "None is that of a query which was given up"


@pytest.mark.parametrize(("hanging", "status"), [("recency:github", "timeout"), ("example-org/motion-7", "ok")])
def test_a_hanging_task_is_abandoned(monkeypatch: pytest.MonkeyPatch, hanging: str, status: str) -> None:
    """A scout without a result becomes a row with status timeout, and a scoring task keeps the verdict by rules."""

    def abandon(tasks: Any, work: Any, *_: Any) -> list[Any]:
        return [None if task.id == hanging else work(task) for task in tasks]

    monkeypatch.setattr("goldpan.engine.pipeline.run_parallel", abandon)
    answer = run(request(), found())
    assert {row.strategy: row.status for row in answer.sources} == {"stars": "ok", "recency": status, "expanded": "ok"}
    assert [row.stage for row in answer.errors] == (["score"] if status == "ok" else [])
    assert len(answer.repositories.results) == 30


def test_a_stage_is_abandoned_a_quarter_of_a_second_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scouts and scoring tasks have until then to report how they ended."""
    abandoned: list[timedelta] = []

    def record(tasks: Any, work: Any, at_once: int, deadline: Deadline) -> Any:
        abandoned.append(deadline.at - NOW)
        return run_parallel(tasks, work, at_once, deadline)

    monkeypatch.setattr("goldpan.engine.pipeline.run_parallel", record)
    run(request(), found())
    assert abandoned == [timedelta(seconds=6.25), timedelta(seconds=9.25)]  # scouting has 6 s, scoring ends at 9 s


def test_sources_of_the_request_replace_the_default_ones() -> None:
    """A request that names its sources queries those only; without one of its kind it is refused."""
    sources = found(github=ListedSource(MANY), catalogue=ListedSource(MANY))
    answer = run(request(sources=["catalogue"]), sources, sources=("github",))
    assert {row.source for row in answer.sources} == {"catalogue"}
    with pytest.raises(InvalidRequest, match=r"^sources: repositories needs one of github, catalogue \(given arxiv"):
        run(request(sources=["arxiv"]), sources)
    both = request(kinds=["repositories", "papers"], project_id="thesis", sources=["arxiv", "github"])
    alone = both.model_copy(update={"library_only": True})
    chosen = [[get_kind(name).select_sources(asked, ()) for name in both.kinds] for asked in (both, alone)]
    assert chosen == [[("github",), ("library", "arxiv")], [("github",), ("library",)]]


def test_a_kind_without_a_source_here_leaves_the_others_to_the_answer() -> None:
    """As on a server of a catalogue file alone, which has no papers; the answer says why there are none."""
    both = run(request(kinds=["repositories", "papers"]), found(), sources=("github",))
    assert (len(both.repositories.results), [*both.sections]) == (30, ["repositories"])
    [said] = [each for each in both.warnings if "papers" in each]
    assert said.startswith("No papers in this answer: papers needs one of openalex, ")
    assert said.endswith(" (configured github).")
    with pytest.raises(InvalidRequest, match="sources: papers needs one of"):
        run(request(kinds=["papers"]), found(), sources=("github",))


def broken(*_: Any) -> Any:
    """Raise what no stage expects."""
    raise ZeroDivisionError


def test_a_defect_reaches_the_caller() -> None:
    """It is raised with its cause and with what the finished stages found, never turned into an empty list."""
    with pytest.raises(Defect, match="the log has the cause") as raised:
        run(request(), found(), kinds=[with_stages(KIND, rank=broken)])
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert raised.value.known
    assert len(raised.value.known.candidates["repositories"]) == 10


def test_equal_defects_of_all_tasks_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """Without any verdict the rules decide; without any batch there is no answer, and no source is reported as down."""
    answer = run(request(), found(), kinds=[with_stages(KIND, score=broken)])
    assert [row.error for row in answer.errors] == ["the scoring failed unexpectedly; the log has the cause (25 times)"]
    assert caplog.text.count("Traceback") == 1
    with pytest.raises(Defect):
        run(request(), found(), kinds=[with_stages(KIND, scout=broken)])
    assert caplog.text.count("Traceback") == 2


@pytest.mark.parametrize("error", [InvalidRequest("query: x"), Cancelled("stopped")])
@pytest.mark.parametrize("stage", ["scout", "score"])
def test_what_ends_a_search_ends_it_in_a_task_too(stage: str, error: Exception) -> None:
    """Bad input and a cancelled search are no rows."""

    def fail(*_: Any) -> Any:
        raise error

    with pytest.raises(type(error)):
        run(request(), found(), kinds=[with_stages(KIND, **{stage: fail})])


def test_kinds_run_side_by_side() -> None:
    """Each kind has its section, its rows and its events; a temporary failure of one is a warning in the answer."""
    both = threading.Barrier(2, timeout=60)

    def translate(*given: Any) -> Any:
        both.wait()  # passes only if both kinds run at the same time
        return KIND.stages().translate(*given)

    def fail(*_: Any) -> Any:
        both.wait()
        raise SourcesFailed("every source is down")

    kinds = [with_stages(KIND, translate=translate), replace(with_stages(KIND, translate=fail), name="gadgets")]
    stages = events(request(), found(), kinds=kinds)
    answer = stages[-1].answer
    assert answer is not None
    assert {event.kind for event in stages} == {"repositories", None}
    assert answer.warnings[-1] == "No gadgets in this answer: every source is down."
    assert len(answer.repositories.results) == 30
