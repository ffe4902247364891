"""Searches and writes in processes of their own: many callers at once, and processes that are killed."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.synchronize import Barrier
from typing import Any

from goldpan.contracts import SearchRequest
from goldpan.engine.deadlines import Stage
from goldpan.engine.events import SearchEvent
from goldpan.engine.search import get_or_search
from goldpan.kinds.answer import Answer
from goldpan.local import bootstrap
from goldpan.local import entry_points as library
from goldpan.local.bootstrap import local_runtime

from tests.support.fakes import QuickClock

PATIENCE = 120
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["goldpan.local.entry_points", "goldpan.infra.llm.openai", "goldpan.kinds.repositories.sources.github.source"]
)
_barriers: list[Barrier] = []


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
    barrier = _PROCESSES.Barrier(processes)
    with ProcessPoolExecutor(processes, _PROCESSES, _keep, (barrier,)) as pool:
        searches = [pool.submit(_search_in_threads, dict(environment), question, threads) for _ in range(processes)]
        return [Answer.model_validate_json(answer) for each in searches for answer in each.result(PATIENCE)]


def _keep(barrier: Barrier) -> None:
    _barriers.append(barrier)


def _search_in_threads(environment: Mapping[str, str], question: str, threads: int) -> list[str]:
    start = threading.Barrier(threads)

    def search(_number: int) -> str:
        start.wait(PATIENCE)
        return library.search(SearchRequest(query=question), runtime=runtime).to_json()

    with local_runtime(environment) as runtime, ThreadPoolExecutor(threads) as pool:
        _barriers[0].wait(PATIENCE)
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
        return library.search(SearchRequest(query=question), runtime=runtime).to_json(), clock.waited


def die_after(stage: Stage, environment: Mapping[str, str], question: str) -> None:
    """Search as the owner of the lock, and be killed when the stage has ended."""

    def kill(event: SearchEvent) -> None:
        if event.stage == stage:
            os.kill(os.getpid(), signal.SIGKILL)

    get_or_search(SearchRequest(query=question), local_runtime(environment), on_event=kill)
