"""The stores of a process, behind circuit breakers, so that they never fail a search."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from goldpan.engine.deadlines import Clock
from goldpan.engine.dependencies import Popularity
from goldpan.infra.cache.best_effort import BestEffortCache
from goldpan.infra.cache.port import Cache
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.locks.best_effort import BestEffortLocks
from goldpan.infra.locks.port import SingleFlightLocks
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.limits import Limits
from goldpan.infra.rate_limits.port import BestEffortRateLimiter, RateLimiter
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import IN_MEMORY, SqliteFile

if TYPE_CHECKING:
    from goldpan.infra.llm.spending import DailySpending

BUSY_SECONDS = 0.5
"""How long a search waits for the file: others hold it for a millisecond, and its sources have at least two seconds."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Stores:
    """The stores of one machine, or of one function on AWS; None for what is not kept. To be closed at the end."""

    make_rate_limiter: Callable[[], RateLimiter]
    cache: Cache | None = None
    locks: SingleFlightLocks | None = None
    popularity: Popularity | None = None
    spending: DailySpending | None = None
    close: Callable[[], None] = lambda: None

    @cached_property
    def rate_limiter(self) -> RateLimiter:
        """The rate limiter, made at its first use, because a search of a catalogue alone needs none."""
        return self.make_rate_limiter()


def open_local_stores(path: Path | None, clock: Clock, limits: Limits) -> Stores:
    """Open the file that all goldpan processes of this machine share; None keeps nothing and shares no rate limits."""
    if path is None:
        return Stores(lambda: process_rate_limiter(clock, limits))
    file = SqliteFile(path, BUSY_SECONDS)
    return Stores(
        lambda: _shared_rate_limiter(file, clock, limits),
        BestEffortCache(SqliteCache(file, clock), clock, _log_count),
        BestEffortLocks(SqliteLocks(file, clock), clock, _log_count),
        close=file.close,
    )


def process_rate_limiter(clock: Clock, limits: Limits) -> RateLimiter:
    """Make a rate limiter for this process alone, over a database in memory."""
    return SqliteRateLimiter(SqliteFile(IN_MEMORY), clock, limits)


def _shared_rate_limiter(file: SqliteFile, clock: Clock, limits: Limits) -> RateLimiter:
    shared, fallback = SqliteRateLimiter(file, clock, limits), process_rate_limiter(clock, limits)
    return BestEffortRateLimiter(shared, fallback, clock, _log_count)


def _log_count(metric: str) -> None:
    """Log what AWS would count in a metric."""
    _LOG.debug("%s", metric)
