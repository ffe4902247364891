"""Many callers at once cost one search, and a process that is killed does no harm to the next one."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest
from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Stage
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.local import bootstrap
from goldpan.local import entry_points as library
from goldpan.local.bootstrap import local_runtime

from tests.integration.conftest import QUESTION, ROOMY, environment, fresh_repositories, judged
from tests.support.fakes import QuickClock
from tests.support.loopback import LoopbackGitHub, LoopbackLLM

PATIENCE = 120
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["goldpan.local.entry_points", "goldpan.infra.llm.openai", "goldpan.kinds.repositories.sources.github.source"]
)


class CountingClock(QuickClock):
    """A clock that a wait moves ahead, and that adds up its waits."""

    waited = 0.0

    def wait(self, seconds: float) -> None:
        """Move ahead."""
        self.waited += seconds
        super().wait(seconds)


def killed(work: Callable[..., None], *arguments: Any) -> int:
    """Run the work in its own process until that ends; return the signal that killed it."""
    process = _PROCESSES.Process(target=work, args=arguments)
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
    assert process.exitcode is not None
    return -process.exitcode


def search_at_once(environment: Mapping[str, str], question: str, processes: int, threads: int) -> list[Answer]:
    """Let all threads of all processes start the same search at the same moment."""
    with _PROCESSES.Manager() as manager, ProcessPoolExecutor(processes, _PROCESSES) as pool:
        given = dict(environment), question, threads, manager.Barrier(processes)
        searches = [pool.submit(_search_in_threads, *given) for _ in range(processes)]
        return [Answer.model_validate_json(answer) for each in searches for answer in each.result(PATIENCE)]


def _search_in_threads(
    environment: Mapping[str, str], question: str, threads: int, begin: threading.Barrier
) -> list[str]:
    start = threading.Barrier(threads)

    def search(_number: int) -> str:
        start.wait(PATIENCE)
        return library.search(SearchRequest(query=question), runtime=runtime).to_json()

    with local_runtime(environment) as runtime, ThreadPoolExecutor(threads) as pool:
        begin.wait(PATIENCE)
        return list(pool.map(search, range(threads)))


def search_after(environment: Mapping[str, str], question: str) -> tuple[Answer, float]:
    """Search in another process; return the answer and how many seconds it waited for a lock."""
    with ProcessPoolExecutor(1, _PROCESSES) as pool:
        answer, waited = pool.submit(_search_after, dict(environment), question).result(PATIENCE)
    return Answer.model_validate_json(answer), waited


def _search_after(environment: Mapping[str, str], question: str) -> tuple[str, float]:
    clock = CountingClock()
    vars(bootstrap)["WallClock"] = lambda: clock  # this process runs this search only
    with local_runtime(environment) as runtime:
        return get_or_search(SearchRequest(query=question), runtime).to_json(), clock.waited


def die_after(stage: Stage, environment: Mapping[str, str], question: str) -> None:
    """Search as the owner of the lock, and be killed when the stage has ended."""

    def kill(event: SearchEvent) -> None:
        if event.stage == stage:
            os.kill(os.getpid(), signal.SIGKILL)

    get_or_search(SearchRequest(query=question), local_runtime(environment), on_event=kill)


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
    for name in ("interpretation", "repositories", "warnings", "errors"):
        assert getattr(answer, name) == getattr(undisturbed, name)
    assert [(row.status, row.kept) for row in answer.sources] == [(row.status, row.kept) for row in undisturbed.sources]
    assert (answer.cached, waited) == (False, 0)
    assert (github.searches == searches) == (stage != "translate")
    again, _ = search_after(settings, QUESTION)
    assert again == answer.model_copy(update={"cached": True})
