"""The stores of a process: behind circuit breakers, opened only when needed, and shared by a file."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.errors import StoreFailed
from goldpan.infra.cache.port import Entry
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.stores import BestEffortCache, BestEffortLocks, CircuitBreaker, open_local_stores

from tests.support.fakes import FakeClock
from tests.support.memory_stores import MemoryCache, MemoryLocks


class Store:
    """A store that fails while it is broken, and counts its calls."""

    def __init__(self) -> None:
        self.calls, self.broken = 0, True

    def read(self) -> str:
        """Return a value, or fail."""
        self.calls += 1
        if self.broken:
            raise StoreFailed(f"no connection ({self.calls})")
        return "value"


def test_the_circuit_opens_for_30_seconds(caplog: pytest.LogCaptureFixture) -> None:
    """After a failure the fallback serves, without a call; then the store is called again, and may have recovered."""
    clock, store, counted = FakeClock(), Store(), list[str]()
    circuit = CircuitBreaker("cache", "CacheFailed", clock, counted.append)

    def call() -> str:
        return circuit.call(store.read, lambda: "fallback")

    with caplog.at_level(logging.WARNING):
        assert [call() for _ in range(3)] == ["fallback"] * 3
        clock.wait(29.9)
        assert (call(), store.calls, counted) == ("fallback", 1, ["CacheFailed"])
        clock.wait(0.1)
        assert (call(), store.calls, counted) == ("fallback", 2, ["CacheFailed"] * 2)
        clock.wait(30)
        store.broken = False
        assert [call() for _ in range(3)] == ["value"] * 3
    assert [record.getMessage() for record in caplog.records] == [
        f"The cache failed; searches continue without it: no connection ({number})" for number in (1, 2)
    ]


def test_concurrent_failures_are_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Calls that were made before the circuit opened are counted, and logged once."""
    counted = list[str]()
    circuit = CircuitBreaker("cache", "CacheFailed", FakeClock(), counted.append)

    def fail_within_a_call() -> str:
        return circuit.call(fail, lambda: "inner") and fail()

    def fail() -> str:
        raise StoreFailed("no connection")

    with caplog.at_level(logging.WARNING):
        assert circuit.call(fail_within_a_call, lambda: "outer") == "outer"
    assert (len(counted), len(caplog.records)) == (2, 1)


def test_other_errors_are_raised() -> None:
    """An error that is no failure of the store is not hidden."""

    def work() -> int:
        return 1 // 0

    with pytest.raises(ZeroDivisionError):
        CircuitBreaker("cache", "CacheFailed", FakeClock(), list[str]().append).call(work, lambda: 0)


HOUR = timedelta(hours=1)


class BrokenCache:
    """A cache that cannot be reached."""

    def __init__(self) -> None:
        self.calls = 0

    def read(self, keys: Sequence[str]) -> dict[str, Entry]:
        """Fail."""
        self.calls += 1
        raise StoreFailed(f"no connection for {len(keys)} keys")

    def write(self, entries: Mapping[str, bytes], ttl: timedelta) -> None:
        """Fail."""
        self.calls += 1
        raise StoreFailed(f"no connection for {len(entries)} entries of {ttl}")


def test_a_broken_cache_is_an_empty_one() -> None:
    """A search with a cache that cannot be reached finds nothing, writes nothing, and makes one call."""
    broken, counted = BrokenCache(), list[str]()
    best_effort = BestEffortCache(broken, FakeClock(), counted.append)
    for _ in range(3):
        assert best_effort.read(["key"]) == {}
        best_effort.write({"key": b"value"}, HOUR)
    assert (broken.calls, counted) == (1, ["CacheFailed"])


def test_reads_are_counted() -> None:
    """Each key of a read counts as a hit, as stale, or as a miss."""
    clock, counted = FakeClock(), list[str]()
    best_effort = BestEffortCache(MemoryCache(clock), clock, counted.append)
    best_effort.write({"old": b"value"}, HOUR)
    clock.wait(3600)
    best_effort.write({"new": b"value"}, HOUR)
    assert set(best_effort.read(["new", "old", "other"])) == {"new", "old"}
    assert counted == ["CacheHit", "CacheStale", "CacheMiss"]


TTL = timedelta(seconds=29)


class BrokenLocks:
    """Locks that cannot be reached."""

    def acquire(self, key: str, ttl: timedelta, owner: str) -> bool:
        """Fail."""
        raise StoreFailed(f"no connection for {key} {ttl} {owner}")

    def release(self, key: str, owner: str) -> None:
        """Fail."""
        raise StoreFailed(f"no connection for {key} {owner}")


def test_without_locks_every_search_runs() -> None:
    """A lock that cannot be reached is acquired and released all the same; each failed call is counted."""
    clock, counted = FakeClock(), list[str]()
    locks = BestEffortLocks(BrokenLocks(), clock, counted.append)
    assert locks.acquire("q", TTL, "one")
    clock.wait(30)
    locks.release("q", "one")
    assert counted == ["FlightsFailed", "FlightsFailed"]


def test_with_locks_one_search_runs() -> None:
    """Locks that work are passed through."""
    clock = FakeClock()
    locks = BestEffortLocks(MemoryLocks(clock), clock, list[str]().append)
    assert [locks.acquire("q", TTL, "one"), locks.acquire("q", TTL, "two")] == [True, False]
    locks.release("q", "one")
    assert locks.acquire("q", TTL, "two")


LIMITS = {"source": (Limit(60, 1),)}
MINUTE = timedelta(minutes=1)


def test_without_a_file_nothing_is_kept() -> None:
    """Without a file there is no cache and no lock, and each process counts for itself."""
    one, other = (open_local_stores(None, FakeClock(), LIMITS) for _ in range(2))
    assert (one.cache, one.locks, one.popularity) == (None, None, None)
    assert [one.rate_limiter.acquire("source").granted for _ in range(2)] == [True, False]
    assert other.rate_limiter.acquire("source").granted
    one.close()


def test_processes_share_a_file(tmp_path: Path) -> None:
    """What one process caches, locks and spends is seen by the other; an unused file is not created."""
    path = tmp_path / "state" / "goldpan.sqlite"
    one, other = (open_local_stores(path, FakeClock(), LIMITS) for _ in range(2))
    assert not path.parent.exists()
    assert one.cache
    assert one.locks
    assert other.cache
    assert other.locks
    one.cache.write({"key": b"value"}, MINUTE)
    assert other.cache.read(["key"])["key"].value == b"value"
    assert [one.locks.acquire("q", MINUTE, "one"), other.locks.acquire("q", MINUTE, "other")] == [True, False]
    assert [one.rate_limiter.acquire("source").granted, other.rate_limiter.acquire("source").granted] == [True, False]
    one.close()
    other.close()
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_cannot_be_used_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A search continues without the file: each store logs one warning, and the limits of this process hold."""
    (tmp_path / "state").write_text("a file instead of a folder")
    stores = open_local_stores(tmp_path / "state" / "goldpan.sqlite", FakeClock(), LIMITS)
    assert stores.cache
    assert stores.locks
    with caplog.at_level(logging.DEBUG, "goldpan.infra"):
        assert stores.cache.read(["key"]) == {}
        assert stores.locks.acquire("q", MINUTE, "one")
        assert [stores.rate_limiter.acquire("source").granted for _ in range(2)] == [True, False]
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [warning.partition(" failed;")[0] for warning in warnings] == [
        "The cache", "The single-flight lock store", "The rate limiter",
    ]  # fmt: skip
    counts = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    assert counts == ["CacheFailed", "FlightsFailed", "RateBudgetFailed"]


def test_importing_the_ports_loads_no_store() -> None:
    """A search that needs no store does not pay for the import of boto3 or SQLite."""
    program = (
        "import sys\n"
        "import goldpan.infra.stores, goldpan.infra.rate_limits.port, goldpan.aws.popularity\n"
        "print([name for name in ('boto3', 'botocore', 'sqlite3', 'openai') if name in sys.modules])\n"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout == "[]\n"
