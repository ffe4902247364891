"""The stores of one machine: nothing is loaded or written before it is needed, and nothing is shared without a file."""

from __future__ import annotations

import logging
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.stores import open_local_stores

from tests.support.fakes import FakeClock

LIMITS = {"source": (Limit(60, 1),)}
TTL = timedelta(minutes=1)


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
    one.cache.write({"key": b"value"}, TTL)
    assert other.cache.read(["key"])["key"].value == b"value"
    assert [one.locks.acquire("q", TTL, "one"), other.locks.acquire("q", TTL, "other")] == [True, False]
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
        assert stores.locks.acquire("q", TTL, "one")
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
