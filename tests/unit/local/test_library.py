"""The entry points for Python."""

from pathlib import Path

import goldpan
import pytest
from goldpan.engine.deadlines import WallClock
from goldpan.engine.dependencies import Dependencies, Runtime
from goldpan.errors import InvalidRequest, Misconfigured
from goldpan.kinds.repositories.sources.catalogue.build import build_catalogue

from tests.support.factories import ListedSource, QueuedModel, repository, request
from tests.support.local import records

MANY = [repository(f"a/motion-{n}", stars=90 + n) for n in range(20)]


def runtime(closed: list[str] | None = None) -> Runtime:
    """A machine with a source of twenty and a language model."""
    clock = WallClock()
    dependencies = Dependencies(clock=clock, sources={"github": ListedSource(MANY)}, llm=QueuedModel())
    closing = () if closed is None else (lambda: closed.append("closed"),)
    return Runtime(dependencies, ("github",), clock, closing=closing)


def test_a_question_gives_the_final_state() -> None:
    """The state holds what each stage found, the times and the errors."""
    state = goldpan.execute_search_pipeline("React animation", "focused", {"shortlist_size": 5}, runtime=runtime())
    assert list(type(state).model_fields) == [
        "user_query", "search_mode", "search_params", "candidate_repos",
        "coarse_filtered_repos", "top_repos", "execution_time", "errors",
    ]  # fmt: skip
    assert (state.user_query, state.search_mode) == ("React animation", "focused")
    assert (len(state.candidate_repos), len(state.coarse_filtered_repos), len(state.top_repos)) == (20, 5, 5)
    assert state.search_params is not None


def test_a_call_without_a_runtime_makes_and_closes_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """However the search ends, its connections are closed."""
    closed: list[str] = []
    monkeypatch.setattr("goldpan.local.bootstrap.open_runtime", lambda *_, **__: runtime(closed))
    assert goldpan.search(request()).repositories
    assert closed == ["closed"]
    assert goldpan.execute_search_pipeline("React").top_repos
    assert closed == ["closed"] * 2
    events = goldpan.stream_search(request())
    next(events)
    events.close()
    assert closed == ["closed"] * 3


def test_a_catalogue_file_is_searched_alone(tmp_path: Path) -> None:
    """Nothing else is queried; a missing file is named."""
    build_catalogue(records(), tmp_path / "mine.sqlite", "my list")
    with goldpan.open_catalogue(str(tmp_path / "mine.sqlite")) as mine:
        answer = goldpan.search("React animation library", runtime=mine)
    assert {row.source for row in answer.sources} == {"catalogue"}
    assert "Answered from my list of 3 repositories." in answer.warnings
    with pytest.raises(Misconfigured, match=r"none\.sqlite"):
        goldpan.open_catalogue(tmp_path / "none.sqlite")


def test_an_invalid_call_is_refused_before_anything_is_queried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty question, an unknown mode and a wrong setting are named."""
    with pytest.raises(InvalidRequest, match="query: "):
        goldpan.stream_search(" ", runtime=runtime())
    with pytest.raises(InvalidRequest, match="mode: must be focused"):
        goldpan.execute_search_pipeline("React", "low", runtime=runtime())  # type: ignore[arg-type]
    monkeypatch.setenv("GITHUB_API_URL", "not an address")
    with pytest.raises(Misconfigured, match="GITHUB_API_URL"):
        goldpan.search(request())
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = goldpan.nothing
