"""Real processes on one SQLite file: never over a limit, nobody waits without end, and a dead one holds nobody up."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from functools import partial
from pathlib import Path

from goldpan.engine.deadlines import WallClock
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile

from tests.integration.crowd import KEY, TAKERS, gather, limits_of_crowd, sqlite_budget

WINDOW, MOST = 3, 40
LIMITS = limits_of_crowd(WINDOW, MOST)


def test_twenty_processes_share_a_budget(tmp_path: Path) -> None:
    """In no window of three seconds do twenty processes together call more than forty times, and each gets its turn."""
    crowd = gather(partial(sqlite_budget, tmp_path / "goldpan.sqlite", LIMITS), [1, 1, 2, 1])
    assert len(crowd.calls) == 4 * TAKERS
    assert MOST // 2 <= crowd.most_in(WINDOW) <= MOST, crowd
    assert crowd.longest_wait < 2 * WINDOW, crowd


def hold_and_die(path: Path) -> None:
    """Take a turn, begin the next one, and be killed in the middle of it."""
    file = SqliteFile(path)
    SqliteRateLimiter(file, WallClock(), LIMITS).take(KEY, MOST)
    with file.transaction() as connection:
        connection.execute("DELETE FROM spent")
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_dies_loses_its_window_and_no_more(tmp_path: Path) -> None:
    """What a killed process spent stands until its window has passed; what it had not finished never was."""
    path = tmp_path / "goldpan.sqlite"
    victim = multiprocessing.get_context("spawn").Process(target=hold_and_die, args=(path,))
    victim.start()
    victim.join(30)
    assert victim.exitcode == -signal.SIGKILL
    file, began = SqliteFile(path), time.monotonic()
    turn = SqliteRateLimiter(file, WallClock(), LIMITS).take(KEY)
    assert not turn.taken
    assert turn.at.timestamp() - time.time() <= 1.3 * WINDOW
    assert time.monotonic() - began < 1
    file.close()
