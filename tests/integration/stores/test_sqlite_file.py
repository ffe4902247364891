"""The SQLite file of one machine: private, compressed, shared between threads, and not for ever larger."""

from __future__ import annotations

import sqlite3
import stat
import threading
from datetime import timedelta
from pathlib import Path

from goldpan.engine.deadlines import WallClock
from goldpan.infra.cache.port import STALE_TTL
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile

from tests.support.fakes import FakeClock

LIFE = timedelta(minutes=15)


def entries(path: Path) -> int:
    """Count what the file holds of the cache."""
    connection = sqlite3.connect(path)
    (count,) = connection.execute("SELECT count(*) FROM cache").fetchone()
    connection.close()
    return int(count)


def test_nothing_is_made_before_it_is_used(path: Path, file: SqliteFile) -> None:
    """A search that needs no store makes no file."""
    SqliteCache(file, FakeClock())
    assert not path.parent.exists()


def test_the_file_is_its_owners_alone(path: Path, file: SqliteFile) -> None:
    """Nobody else on the machine reads what was asked and answered."""
    SqliteCache(file, FakeClock()).write({"key": b"value"}, LIFE)
    made = [path.parent, path, *path.parent.glob("goldpan.sqlite-*")]
    assert len(made) > 2
    assert [stat.S_IMODE(one.stat().st_mode) & 0o077 for one in made] == [0] * len(made)


def test_what_was_written_is_there_the_next_time(path: Path, file: SqliteFile) -> None:
    """The cache outlives the process; a closed file opens again."""
    clock = FakeClock()
    SqliteCache(file, clock).write({"key": b"value"}, LIFE)
    file.close()
    assert SqliteCache(file, clock).read(["key"])["key"].value == b"value"
    another = SqliteFile(path)
    assert SqliteCache(another, clock).read(["key"])["key"].value == b"value"
    another.close()


def test_what_is_gone_is_deleted(path: Path, file: SqliteFile) -> None:
    """The file does not grow without end: what is too old even to serve as stale is deleted."""
    clock = FakeClock()
    cache = SqliteCache(file, clock)
    cache.write({str(number): b"value" for number in range(50)}, LIFE)
    clock.wait((LIFE + STALE_TTL).total_seconds())
    cache.write({"new": b"value"}, LIFE)
    assert entries(path) == 1


def test_source_data_is_compressed(path: Path, file: SqliteFile) -> None:
    """A megabyte of rows that resemble each other takes a fraction of it."""
    SqliteCache(file, FakeClock()).write({"key": b'{"full_name": "o/r"}' * 50_000}, LIFE)
    file.close()
    assert path.stat().st_size < 100_000


def test_threads_share_the_file(file: SqliteFile) -> None:
    """Threads that read and write at once neither fail nor disturb each other."""
    cache, limits = SqliteCache(file, WallClock()), {"source": (Limit(60, 25),)}
    budget = SqliteRateLimiter(file, WallClock(), limits)
    taken: list[bool] = []

    def work(number: int) -> None:
        for turn in range(5):
            cache.write({f"{number}/{turn}": b"value"}, LIFE)
            taken.append(budget.take("source").taken and f"{number}/{turn}" in cache.read([f"{number}/{turn}"]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), sum(taken)) == (40, 25)
