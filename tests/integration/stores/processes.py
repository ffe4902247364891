"""Processes that reserve calls until they are refused, on clocks that stand still.

A process imports this file and one store, nothing of pytest or moto: many of them start on few cores.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path

from goldpan.infra.rate_limits.limits import Limit, Limits
from goldpan.infra.rate_limits.port import RateLimiter

KEY, START = "source", datetime(2026, 8, 22, 12, tzinfo=UTC)
LIMITS: Limits = {KEY: (Limit(10, 16),)}
LATEST = START + timedelta(seconds=60)
BUSY_SECONDS = 120.0
"""No process gives up, however slow the machine is."""
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["boto3", "tenacity"])
_barrier: list[Barrier] = []


class StoppedClock:
    """A clock that stands still: a wait takes real time, so that processes take turns, and does not move it."""

    def now(self) -> datetime:
        """Return the same time again and again."""
        return START

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


def on_sqlite(path: Path) -> RateLimiter:
    """Open the rate limiter of a file."""
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415 - each process imports one store
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    return SqliteRateLimiter(SqliteFile(path, BUSY_SECONDS), StoppedClock(), LIMITS)


def on_dynamodb(address: str, table: str, region: str) -> RateLimiter:
    """Open the rate limiter of a table."""
    from goldpan.infra.dynamodb_table import open_tables  # noqa: PLC0415
    from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter  # noqa: PLC0415

    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    (opened,) = open_tables(table, seconds=BUSY_SECONDS, endpoint_url=address, region_name=region, **keys)
    return DynamoDBRateLimiter(opened, StoppedClock(), LIMITS)


def reserve_all(limiter: RateLimiter) -> list[datetime]:
    """Reserve calls until one is refused; returns their times."""
    times = []
    while (reservation := limiter.acquire(KEY, latest=LATEST)).granted:
        times.append(reservation.at)
    return times


def reserve_in_parallel(open_limiter: Callable[[], RateLimiter], processes: int) -> list[datetime]:
    """Let processes reserve calls together; returns all times that were granted, in their order."""
    barrier = _CONTEXT.Barrier(processes)
    with ProcessPoolExecutor(processes, _CONTEXT, _begin_with, (barrier,)) as pool:
        running = [pool.submit(_reserve_together, open_limiter) for _ in range(processes)]
        return sorted(time for process in running for time in process.result())


def _begin_with(barrier: Barrier) -> None:
    _barrier.append(barrier)


def _reserve_together(open_limiter: Callable[[], RateLimiter]) -> list[datetime]:
    limiter = open_limiter()
    _barrier[0].wait()
    return reserve_all(limiter)


def spend_and_be_killed(path: Path) -> int:
    """Run a process that spends the whole limit, and is killed in the middle of a transaction; returns the signal."""
    process = _CONTEXT.Process(target=_spend_and_die, args=(path,))
    process.start()
    process.join()
    return -(process.exitcode or 0)


def _spend_and_die(path: Path) -> None:
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    on_sqlite(path).acquire(KEY, 16)
    with SqliteFile(path).transaction() as connection:
        connection.execute("DELETE FROM spent")
        os.kill(os.getpid(), signal.SIGKILL)
