"""Twenty processes that spend one budget as fast as it lets them, and what they saw.

The processes import this file and a store, nothing of pytest or moto, and begin with boto3 loaded: twenty of them
start on few cores.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.rate_limits.port import RateLimiter, Turn, wait_for_reservation
from goldpan.infra.rate_limits.limits import Limit

from tests.support.windows import most_in_a_window

KEY = "crowd"
TAKERS = 20
PATIENCE = 15.0
TABLE, REGION = "goldpan", "eu-central-1"
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["boto3", "tenacity"])
_begin: list[Barrier] = []


def limits_of_crowd(seconds: float, most: int) -> Limits:
    """Limit the crowd."""
    return {KEY: (Limit(seconds, most),)}


def sqlite_budget(path: Path, limits: Limits) -> RateLimiter:
    """Open the budget of a file."""
    from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter  # noqa: PLC0415 - each crowd imports one store
    from goldpan.infra.sqlite_file import SqliteFile  # noqa: PLC0415

    return SqliteRateLimiter(SqliteFile(path), WallClock(), limits)


def dynamodb_budget(address: str, limits: Limits) -> RateLimiter:
    """Open the budget of a table."""
    from goldpan.infra.rate_limits.dynamodb import DynamoDBRateLimiter  # noqa: PLC0415

    return DynamoDBRateLimiter(client_of(address), TABLE, WallClock(), limits)


def client_of(address: str, seconds: float = 5) -> Any:
    """Make a client of a loopback server, patient because twenty of them share a few cores."""
    from goldpan.infra.dynamodb_client import dynamodb_client  # noqa: PLC0415

    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    return dynamodb_client(seconds, endpoint_url=address, region_name=REGION, **keys)


@dataclass(frozen=True)
class Call:
    """A call that was made: when it was asked for, when its turn was told, when it was made."""

    asked: float
    told: float
    made: float
    cost: int

    @property
    def waited(self) -> float:
        """Tell the seconds from asking to calling."""
        return self.made - self.asked


@dataclass(frozen=True)
class Crowd:
    """All calls of all processes."""

    calls: Sequence[Call]

    def most_in(self, seconds: float) -> int:
        """Tell what was spent in the fullest window of that length."""
        return most_in_a_window([(call.made, call.cost) for call in self.calls], seconds)

    @property
    def longest_wait(self) -> float:
        """Tell how long the unluckiest call waited."""
        return max(call.waited for call in self.calls)

    @property
    def slowest_take(self) -> float:
        """Tell how long the store took at most to tell a turn."""
        return max(call.told - call.asked for call in self.calls)

    @property
    def lasted(self) -> float:
        """Tell the seconds from the first question to the last call."""
        return max(call.made for call in self.calls) - min(call.asked for call in self.calls)

    def __str__(self) -> str:
        """Tell the figures in a line."""
        return (
            f"{len(self.calls)} calls in {self.lasted:.1f} s, longest wait {self.longest_wait:.2f} s,"
            f" slowest take {1000 * self.slowest_take:.0f} ms"
        )


def gather(make: Callable[[], RateLimiter], costs: Sequence[int]) -> Crowd:
    """Let every process make its budget, and all together spend the costs, one after the other."""
    barrier = _PROCESSES.Barrier(TAKERS)
    with ProcessPoolExecutor(TAKERS, _PROCESSES, _arrive, (barrier,)) as pool:
        taken = [pool.submit(_spend, make, costs) for _ in range(TAKERS)]
        return Crowd([call for one in taken for call in one.result(timeout=90)])


def _arrive(barrier: Barrier) -> None:
    _begin.append(barrier)


def _spend(make: Callable[[], RateLimiter], costs: Sequence[int]) -> list[Call]:
    budget, clock = Watched(make()), WallClock()
    _begin[0].wait(60)
    calls = []
    for cost in costs:
        asked = time.time()
        wait_for_reservation(budget, KEY, cost, Deadline.after(PATIENCE, clock))
        calls.append(Call(asked, budget.told, time.time(), cost))
    return calls


class Watched:
    """A budget that notes when it told a turn."""

    def __init__(self, budget: RateLimiter) -> None:
        self.closed_until, self.learn, self.close = budget.closed_until, budget.learn, budget.close
        self.told = 0.0
        self._budget = budget

    def take(self, key: str, cost: int = 1, latest: datetime | None = None) -> Turn:
        """Take a turn."""
        turn = self._budget.take(key, cost, latest)
        self.told = time.time()
        return turn
