"""The stores of a process, behind circuit breakers, so that they never fail a search."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from goldpan.engine.deadlines import Clock
from goldpan.infra.cache import Cache
from goldpan.infra.locks import SingleFlightLocks
from goldpan.infra.processes import this_process
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.infra.table import BestEffortTable, CircuitBreaker, Count, MemoryTable, Table

BUSY_SECONDS = 0.5
"""How long a search waits for the file: others hold it for a millisecond, and its sources have at least two seconds."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Stores:
    """The stores of one machine; None for what is not kept. To be closed at the end."""

    rate_limiter: RateLimiter
    cache: Cache | None = None
    locks: SingleFlightLocks | None = None
    close: Callable[[], None] = lambda: None


def open_local_stores(path: Path | None, clock: Clock, limits: Limits, since: datetime | None = None) -> Stores:
    """Open the file of all goldpan processes of this machine, or none; what was cached before `since` is stale."""
    if path is None:
        return Stores(RateLimiter(MemoryTable(), clock, limits))
    file = SqliteFile(path, BUSY_SECONDS)
    table = SqliteTable(file, clock)
    return Stores(
        shared_rate_limiter(table, clock, _log_count, limits, this_process),
        Cache(table, clock, _log_count, since),
        SingleFlightLocks(table, clock, _log_count, this_process),
        close=file.close,
    )


def shared_rate_limiter(
    table: Table, clock: Clock, count: Count, limits: Limits, process: Callable[[], str] = str
) -> RateLimiter:
    """Make a rate limiter of all processes that share a table; while that fails, this process keeps to the limits."""
    circuit = CircuitBreaker("rate limiter", "RateBudgetFailed", clock, count)
    return RateLimiter(BestEffortTable(table, circuit), clock, limits, process)


def _log_count(metric: str) -> None:
    """Log what AWS would count in a metric."""
    _LOG.debug("%s", metric)
