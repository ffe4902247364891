"""Processes and functions share a rate limit exactly; their clocks stand still, so that no test depends on its speed.

A process imports this file, and nothing of pytest or moto: many of them start on few cores.
"""

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.processes import has_ended, this_process
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.local.bootstrap import open_connections

from tests.support.fakes import START, FakeClock
from tests.support.memory_stores import MemoryRateLimiter

LIMITS = {"source": (Limit(10, 16),)}
PATIENCE = 120
LOCKED = timedelta(seconds=29)
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["boto3", "pydantic"])


class StoppedClock(FakeClock):
    """A clock that stands still; a wait takes real time, so that others have their turn."""

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


def reserve_all(limiter: RateLimiter) -> list[datetime]:
    """Reserve calls in the next minute until one is refused; returns their times."""
    times = []
    while (reservation := limiter.acquire("source", latest=START + timedelta(seconds=60))).granted:
        times.append(reservation.at)
    return times


def reserve_in_file(path: Path, begin: threading.Barrier) -> list[datetime]:
    """Reserve calls together with other processes."""
    limiter = RateLimiter(SqliteTable(SqliteFile(path, PATIENCE), StoppedClock()), StoppedClock(), LIMITS)
    begin.wait(PATIENCE)
    return reserve_all(limiter)


def test_twenty_processes_share_a_file(tmp_path: Path) -> None:
    """Twenty processes together are granted the times that one process alone would be granted."""
    with PROCESSES.Manager() as manager, ProcessPoolExecutor(20, PROCESSES) as pool:
        given = [tmp_path / "goldpan.sqlite"] * 20, [manager.Barrier(20)] * 20
        together = sorted(chain(*pool.map(reserve_in_file, *given, timeout=PATIENCE)))
    assert together == reserve_all(MemoryRateLimiter(StoppedClock(), LIMITS))
    assert len(together) == 6 * 16, "in each of six windows of ten seconds"


def locks_of(path: Path) -> SingleFlightLocks:
    """Make the locks of this process."""
    locks = open_connections({"GOLDPAN_CACHE": str(path)}, clock=StoppedClock()).locks
    assert locks
    return locks


def calls_of(path: Path) -> RateLimiter:
    """Make the limiter of the calls in flight of this process, of which the source allows one."""
    opened = open_connections({"GOLDPAN_CACHE": str(path)}, clock=StoppedClock())
    return opened.rate_limiter.for_calls({"source": (Limit(12, 1),)})


def lock_and_die(path: Path) -> None:
    """Lock a key and begin a call, and be killed as their owner."""
    assert locks_of(path).acquire("q", LOCKED, "dead")
    assert calls_of(path).acquire("source:dead").granted
    os.kill(os.getpid(), signal.SIGKILL)


def lock_and_wait(path: Path, locked: threading.Event, end: threading.Event) -> None:
    """Lock another key until the test ends."""
    assert locks_of(path).acquire("other", LOCKED, "alive")
    assert calls_of(path).acquire("source:alive").granted
    locked.set()
    end.wait(PATIENCE)


def test_what_a_killed_process_held_is_free_at_once(tmp_path: Path) -> None:
    """No process waits for its lock or its call to expire, even before its parent reaps it; those of others stay."""
    path = tmp_path / "goldpan.sqlite"
    locked, end = PROCESSES.Event(), PROCESSES.Event()
    killed = PROCESSES.Process(target=lock_and_die, args=(path,))
    running = PROCESSES.Process(target=lock_and_wait, args=(path, locked, end))
    killed.start()
    running.start()
    locks = locks_of(path)
    locked.wait(PATIENCE)
    calls = calls_of(path)
    assert not locks.acquire("other", LOCKED, "next")
    assert not calls.acquire("source:alive").granted
    multiprocessing.connection.wait([killed.sentinel], PATIENCE)
    assert locks.acquire("q", LOCKED, "next")
    assert not locks.acquire("q", LOCKED, "third")
    assert [calls.acquire("source:dead").granted for _ in range(2)] == [True, False]
    node, _, place = this_process().rpartition("/")
    later, elsewhere = f"{node}/{place.partition('@')[0]}@1", f"elsewhere/{killed.pid}@1"
    assert [has_ended(process) for process in (this_process(), later, elsewhere, "")] == [False, True, False, False]
    end.set()
    for process in (killed, running):
        process.join(PATIENCE)
