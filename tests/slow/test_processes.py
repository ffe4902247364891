"""Many callers at once cost one search, and a process that is killed does no harm to the next one."""

import signal
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from goldpan.contracts import ExecutionTime, Usage
from goldpan.engine.deadlines import Stage
from goldpan.kinds.answer import Answer

from tests.integration.conftest import QUESTION, ROOMY, environment, fresh_repositories, judged
from tests.slow.processes import die_after, killed, search_after, search_at_once
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

SECONDS_A_CALL = 0.05
Upstreams = tuple[LoopbackGitHub, LoopbackLLM]


@pytest.fixture
def upstreams() -> Iterator[Upstreams]:
    """Serve GitHub and a language model, which need a moment for each call."""
    with (
        LoopbackGitHub(fresh_repositories(), searches_a_minute=ROOMY, latency=SECONDS_A_CALL) as github,
        LoopbackLLM(judged, latency=SECONDS_A_CALL) as llm,
    ):
        yield github, llm


def own(upstreams: Upstreams, file: Path) -> dict[str, str]:
    """Return the environment of a process."""
    return environment(*upstreams) | {"GOLDPAN_CACHE": str(file)}


@pytest.mark.enable_socket
@pytest.mark.parametrize(("processes", "threads"), [pytest.param(2, 4, marks=pytest.mark.short), (5, 10)])
def test_callers_at_once_cost_one_search(upstreams: Upstreams, tmp_path: Path, processes: int, threads: int) -> None:
    """All threads of all processes send upstream what one of them sends, and get one answer."""
    github, llm = upstreams
    search_at_once(own(upstreams, tmp_path / "one.sqlite"), QUESTION, 1, 1)
    alone = (len(github.requests), github.searches, len(llm.requests))
    answers = search_at_once(own(upstreams, tmp_path / "all.sqlite"), QUESTION, processes, threads)
    assert (len(github.requests), github.searches, len(llm.requests)) == tuple(2 * count for count in alone)
    assert min(alone) > 0
    assert sorted(answer.cached for answer in answers) == [False] + (processes * threads - 1) * [True]
    assert len({answer.model_copy(update={"cached": True}).to_json() for answer in answers}) == 1
    assert answers[0].repositories.results


def comparable(answer: Answer) -> Answer:
    """Return an answer without what two correct searches may differ in: times, costs and what was cached."""
    rows = tuple(row.model_copy(update={"cached": False, "age_s": None, "duration_ms": None}) for row in answer.sources)
    varying = {"execution_time_ms": ExecutionTime(), "usage": Usage(), "cached": False}
    return answer.model_copy(update={**varying, "answered_at": datetime.min.replace(tzinfo=UTC), "sources": rows})


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    "stage", [pytest.param(stage, marks=[pytest.mark.short] * (stage == "score")) for stage in get_args(Stage)]
)
def test_a_search_after_a_killed_one_is_complete(upstreams: Upstreams, tmp_path: Path, stage: Stage) -> None:
    """Killed after any stage, a search leaves results for the next one, which does not wait for the dead one's lock."""
    undisturbed, _ = search_after(own(upstreams, tmp_path / "other.sqlite"), QUESTION)
    settings = own(upstreams, tmp_path / "goldpan.sqlite")
    assert killed(die_after, stage, settings, QUESTION) == signal.SIGKILL
    github, _ = upstreams
    searches = github.searches
    answer, waited = search_after(settings, QUESTION)
    assert comparable(answer) == comparable(undisturbed)
    assert (answer.cached, waited) == (False, 0)
    assert (github.searches == searches) == (stage != "translate")
    again, _ = search_after(settings, QUESTION)
    assert again == answer.model_copy(update={"cached": True})
