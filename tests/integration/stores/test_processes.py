"""Processes share a rate limit exactly, and one that dies blocks the others for one window.

All clocks stand still, so that nothing depends on the speed of the machine.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile

from tests.integration.stores import processes
from tests.integration.stores.opened import REGION, TABLE, create_table
from tests.integration.stores.processes import KEY, LIMITS, START
from tests.support.fakes import FakeClock
from tests.support.loopback.dynamodb import serialising_dynamodb
from tests.support.memory_stores import MemoryRateLimiter


@pytest.fixture
def address() -> Iterator[str]:
    """Serve DynamoDB with a table."""
    with serialising_dynamodb() as served:
        keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        create_table(endpoint_url=served, region_name=REGION, **keys)
        yield served


def test_twenty_processes_share_a_file(tmp_path: Path) -> None:
    """Twenty processes together are granted the times that one process alone would be granted."""
    open_limiter = partial(processes.on_sqlite, tmp_path / "goldpan.sqlite")
    assert processes.reserve_in_parallel(open_limiter, 20) == alone()


@pytest.mark.enable_socket
def test_functions_share_a_table(address: str) -> None:
    """The same holds for functions that share a table of DynamoDB."""
    assert processes.reserve_in_parallel(partial(processes.on_dynamodb, address, TABLE, REGION), 8) == alone()


def alone() -> list[datetime]:
    """Return the times that one process is granted: 16 in each of six windows of ten seconds."""
    times = processes.reserve_all(MemoryRateLimiter(processes.StoppedClock(), LIMITS))
    assert len(times) == 6 * 16
    return times


def test_a_process_that_dies_loses_one_window(tmp_path: Path) -> None:
    """What a killed process spent counts until its window has passed; its unfinished transaction does not."""
    path, clock = tmp_path / "goldpan.sqlite", FakeClock()
    assert processes.spend_and_be_killed(path) == signal.SIGKILL
    file = SqliteFile(path)
    limiter = SqliteRateLimiter(file, clock, LIMITS)
    refused = limiter.acquire(KEY)
    assert not refused.granted
    assert timedelta(seconds=10) < refused.at - START < timedelta(seconds=12)
    clock.wait(12)
    assert limiter.acquire(KEY, 16).granted
    file.close()
