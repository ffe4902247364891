"""The single-flight locks: of several identical searches at once, one runs and the others wait for it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from goldpan.engine.deadlines import SECOND, Clock, to_micros
from goldpan.infra.processes import has_ended
from goldpan.infra.table import Change, CircuitBreaker, Comparison, ConditionFailed, Count, Item, StoreThrottled, Table

LOCK_TTL = timedelta(seconds=29)
"""Longer than a search of one round. The lock of an owner that died expires then; on one machine it is free at once."""
MAX_WAIT_SHARE = 0.5
"""The share of its own time that a search waits for the answer of another one, so that it can still run itself."""
RETENTION_SECONDS = 3600
"""How long a table keeps an expired lock; it no longer blocks anything."""
MAX_THROTTLED = timedelta(seconds=3)
"""How long throttling counts as a lock of another owner; then it is a failure of the table."""


class SingleFlightLocks:
    """Locks on the keys of answers that are being searched for; they never fail a search.

    The owner names the search, such as an execution of the state machine. It may acquire its own lock again, and
    releases only its own. `process` names what holds a lock, where that may be killed and all see each other. While
    the table fails, every search runs. A throttled caller gets no lock and tries again, because searches that run
    without a lock would all run.
    """

    def __init__(self, table: Table, clock: Clock, count: Count, process: Callable[[], str] = str) -> None:
        self._table, self._clock, self._process = table, clock, process
        self._circuit = CircuitBreaker("lock store", "FlightsFailed", clock, count)
        self._throttled_since: datetime | None = None

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Lock the key for `ttl`; False if another owner, not known to be dead, holds a lock that has not expired."""
        return self._circuit.call(lambda: self._acquire(key, ttl, owner), lambda: True)

    def may_run(self, key: str, owner: str, seconds: float, waited: timedelta) -> bool:
        """Lock the key for a search of that many seconds; True in any case once it has waited for half of them."""
        ttl = max(LOCK_TTL, timedelta(seconds=seconds + 2))
        return has_waited_enough(seconds, waited) or self.acquire(key, ttl, owner)

    def release(self, key: str, owner: str) -> None:
        """Release the lock, if this owner holds it; otherwise, or while the table fails, it expires."""
        now = to_micros(self._clock.now())
        free = Change({"until": 0, "ttl": now // SECOND}, conditions=[[Comparison("owner", "=", owner)]])
        self._circuit.call(lambda: self._blocked_by(key, free), lambda: None)

    def _acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        now = self._clock.now()
        until = to_micros(now + ttl)
        times = {"until": until, "ttl": until // SECOND + RETENTION_SECONDS}
        lock = partial(Change, {"owner": owner, "process": self._process(), **times})
        free = [Comparison("until", "<=", to_micros(now)), Comparison("owner", "=", owner)]
        held = self._blocked_by(key, lock(conditions=[free]))
        if held is not None and has_ended(holder := str(held.get("process", ""))):
            held = self._blocked_by(key, lock(conditions=[[Comparison("process", "=", holder)]]))
        return held is None

    def _blocked_by(self, key: str, change: Change) -> Item | None:
        """Change a lock; returns the lock of another owner if it was not done, empty if the table is throttled."""
        held: Item | None = None
        try:
            self._table.update(f"lock#{key}", change)
        except ConditionFailed as failed:
            held = failed.item
        except StoreThrottled:
            now = self._clock.now()
            self._throttled_since = self._throttled_since or now
            if now - self._throttled_since >= MAX_THROTTLED:
                self._throttled_since = None  # the next time it may be short
                raise
            return {}
        self._throttled_since = None
        return held


def has_waited_enough(seconds: float, waited: timedelta) -> bool:
    """Whether a search of that many seconds should run, although another one holds the lock."""
    return waited.total_seconds() >= MAX_WAIT_SHARE * seconds
