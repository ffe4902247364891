"""Processes that die: between two stages of a search, in the middle of a write, with a budget in their hands.

A process that writes beyond its largest file is killed by the system in the middle of that write, so that every place
of a file can be where a writer died.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

from goldpan import bootstrap
from goldpan.bootstrap import local_runtime
from goldpan.contracts import Answer, SearchRequest
from goldpan.engine import library
from goldpan.engine.deadlines import WallClock
from goldpan.engine.events import Stage
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile

from tests.slow.stampede_processes import PATIENCE
from tests.slow.stampede_world import SkippingClock

KEYS, LIFE = ("one", "other"), timedelta(hours=1)
BUDGET = "dead"
WINDOW, MOST = 2, 5
LIMITS: Limits = {BUDGET: (Limit(WINDOW, MOST),)}
_PROCESSES = multiprocessing.get_context("forkserver")


def died(work: Callable[..., None], *arguments: Any) -> int:
    """Run the work in a process of its own until its end, and tell the signal that killed it."""
    process = _PROCESSES.Process(target=work, args=arguments)
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
    assert process.exitcode is not None
    return -process.exitcode


def die_after(stage: Stage, environment: Mapping[str, str], question: str) -> None:
    """Search, and be killed when the stage has ended."""
    request, runtime = SearchRequest(query=question), local_runtime(environment, None)

    def find(left: SearchRequest) -> Answer:
        for event in library.stream_search(left, runtime=runtime):
            if event.stage == stage:
                os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("it lived on")

    library.answered(request, runtime, find)


def search_afterwards(environment: Mapping[str, str], question: str, ahead: float) -> tuple[Answer, float]:
    """Search in another process, so many seconds later; gives the answer, and how long it waited for another's."""
    with ProcessPoolExecutor(1, _PROCESSES) as pool:
        return pool.submit(_search, dict(environment), question, ahead).result(PATIENCE)


def _search(environment: Mapping[str, str], question: str, ahead: float) -> tuple[Answer, float]:
    clock = SkippingClock(ahead)
    vars(bootstrap)["WallClock"] = lambda: clock  # this process is for this search alone
    answer = library.search(SearchRequest(query=question), runtime=local_runtime(environment, None))
    return answer, clock.waited


def value_of(generation: int) -> bytes:
    """Make a value that tells its generation, is larger than the one before, and does not shrink."""
    return b"%08d" % generation + random.Random(generation).randbytes(1000 + 500 * generation)


def write_until_killed(path: Path, largest_file: int, checkpoint_pages: int) -> None:
    """Write both keys again and again, and be killed where a file would become larger than it may."""
    file = SqliteFile(path)
    if checkpoint_pages:
        with file.transaction() as connection:
            pass
        connection.execute(f"PRAGMA wal_autocheckpoint = {checkpoint_pages}")
    _be_killed_beyond(largest_file)
    cache = SqliteCache(file, WallClock())
    for generation in range(1000):
        cache.write({key: value_of(generation) for key in KEYS}, LIFE)


def make_until_killed(path: Path, largest_file: int) -> None:
    """Make the file, and be killed where one of its parts would become larger than it may."""
    _be_killed_beyond(largest_file)
    SqliteCache(SqliteFile(path), WallClock()).write({key: value_of(0) for key in KEYS}, LIFE)


def _be_killed_beyond(largest_file: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python would raise an OSError instead
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, resource.RLIM_INFINITY))


def die_within_a_write(path: Path, steps: int) -> None:
    """Write both keys, and be killed after so many steps of SQLite's machine in the second writing."""
    file = SqliteFile(path)
    cache = SqliteCache(file, WallClock())
    cache.write({key: value_of(0) for key in KEYS}, LIFE)
    with file.transaction() as connection:
        pass
    connection.set_progress_handler(lambda: os.kill(os.getpid(), signal.SIGKILL), steps)
    cache.write({key: value_of(1) for key in KEYS}, LIFE)


def take_all_and_die(path: Path) -> None:
    """Take all that a window of the budget holds, and be killed."""
    budget = SqliteRateLimiter(SqliteFile(path), WallClock(), LIMITS)
    assert all(budget.acquire(BUDGET).granted for _ in range(MOST))
    os.kill(os.getpid(), signal.SIGKILL)
