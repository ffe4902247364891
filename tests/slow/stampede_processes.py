"""Processes that ask the same at once, each with many threads, of real clients on one file.

The processes import this file and what a search needs, nothing of pytest.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Barrier

from goldpan.bootstrap import local_runtime
from goldpan.contracts import Answer, SearchRequest
from goldpan.engine import library
from goldpan.engine.runtime import Runtime

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["goldpan.engine.library", "goldpan.infra.llm.openai", "goldpan.kinds.repositories.sources.github.source"]
)
_begin: list[Barrier] = []
PATIENCE = 60


@dataclass(frozen=True)
class Asked:
    """What one thread got: an answer as JSON, or the name of what was raised."""

    told: str = ""
    raised: str = ""

    @property
    def answer(self) -> Answer:
        """Read the answer."""
        assert not self.raised, self.raised
        return Answer.model_validate_json(self.told)


def stampede(environment: Mapping[str, str], question: str, processes: int, threads: int) -> list[Asked]:
    """Let all threads of all processes ask one question at the same moment."""
    barrier = _PROCESSES.Barrier(processes)
    with ProcessPoolExecutor(processes, _PROCESSES, _arrive, (barrier,)) as pool:
        asking = [pool.submit(_ask, dict(environment), question, threads) for _ in range(processes)]
        return [asked for one in asking for asked in one.result(PATIENCE)]


def _arrive(barrier: Barrier) -> None:
    _begin.append(barrier)


def _ask(environment: Mapping[str, str], question: str, threads: int) -> list[Asked]:
    runtime, together = local_runtime(environment, None), threading.Barrier(threads)
    one = partial(_told, SearchRequest(query=question), runtime, together)
    _begin[0].wait(PATIENCE)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))


def _told(request: SearchRequest, runtime: Runtime, together: threading.Barrier, _number: int) -> Asked:
    together.wait(PATIENCE)
    try:
        return Asked(told=library.search(request, runtime=runtime).to_json())
    except Exception as error:  # noqa: BLE001 - told to the test
        return Asked(raised=f"{type(error).__name__}: {error}")
