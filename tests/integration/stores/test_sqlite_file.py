"""The SQLite file of one machine: private, compressed, shared between threads; each fault of it is named."""

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import pytest
from goldpan.engine.deadlines import to_micros
from goldpan.errors import StoreFailed
from goldpan.infra import sqlite_file
from goldpan.infra.cache import Cache, Entry
from goldpan.infra.rate_limits.limiter import RateLimiter
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable

from tests.support.fakes import START, FakeClock

TTL, LAST = timedelta(minutes=15), datetime.max.replace(tzinfo=UTC)
LIMITS = {"source": (Limit(60, 25),)}
OF_A_DAY = {"source": (Limit(86_400, 9), Limit(1, 9))}

EXIT_IN_A_TRANSACTION = """
import atexit, sys, threading

began, exiting, ended = threading.Event(), threading.Event(), threading.Event()
atexit.register(lambda: (exiting.set(), ended.wait(5)))  # registered first, so it runs after what closes the file

from pathlib import Path
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.infra.sqlite_file import SqliteFile

file = SqliteFile(Path(sys.argv[1]))

def work():
    with file.transaction() as connection:
        began.set()
        exiting.wait(30)
        connection.execute("DELETE FROM items")
    ended.set()

threading.Thread(target=work, daemon=True).start()
began.wait(30)
"""


@pytest.fixture
def table(file: SqliteFile, clock: FakeClock) -> SqliteTable:
    """Make a table of the file."""
    return SqliteTable(file, clock)


@pytest.fixture
def cache(table: SqliteTable, clock: FakeClock) -> Cache:
    """Make a cache of the file."""
    return Cache(table, clock)


def test_the_file_is_private_and_compressed(path: Path, file: SqliteFile, cache: Cache) -> None:
    """It is created at its first use for its owner only; one that others could read is private once it is opened."""
    assert not path.parent.exists()
    cache.write({"key": b'{"full_name": "o/r"}' * 50_000}, TTL)
    created = [path.parent, path, *path.parent.glob("goldpan.sqlite-*")]
    assert len(created) > 2
    assert [stat.S_IMODE(each.stat().st_mode) & 0o077 for each in created] == [0] * len(created)
    file.close()
    assert path.stat().st_size < 100_000
    path.chmod(0o644)
    assert set(cache.read(["key"])) == {"key"}
    modes = [stat.S_IMODE(each.stat().st_mode) for each in path.parent.glob("goldpan.sqlite*")]
    assert (len(modes), set(modes)) == (3, {0o600})


def test_what_expired_is_deleted_and_the_limit_of_a_day_holds_all_day(
    file: SqliteFile, cache: Cache, clock: FakeClock
) -> None:
    """Beside one of a second; a write deletes older costs, and entries that are too old even as stale."""
    assert RateLimiter(SqliteTable(file, clock), clock, OF_A_DAY).acquire("source", 9).granted
    clock.wait(4 * 3600)
    cache.write({"key": b"value"}, TTL)
    assert not RateLimiter(SqliteTable(file, clock), clock, OF_A_DAY).acquire("source").granted
    limiter = RateLimiter(SqliteTable(file, clock), clock, LIMITS)
    for key in ("old", "new"):
        cache.write({key: b"value"}, TTL)
        assert limiter.acquire("source").granted
        clock.wait(15 * 60 + 86_400)
    with file.transaction() as connection:
        kept = connection.execute("SELECT pk FROM items ORDER BY pk").fetchall()
        assert kept == [("new",), ("rate-limit#source",)]


def test_threads_share_the_file(path: Path, clock: FakeClock) -> None:
    """Threads that read and write at the same time neither fail nor lose anything."""
    file = SqliteFile(path, busy_seconds=60)
    table = SqliteTable(file, clock)
    cache, limiter = Cache(table, clock), RateLimiter(table, clock, LIMITS)

    def work(name: str) -> bool:
        cache.write({name: b"value"}, TTL)
        return limiter.acquire("source").granted and name in cache.read([name])

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, map(str, range(40)))) == 25
    file.close()


def test_a_new_file_is_opened_by_several_at_once(tmp_path: Path) -> None:
    """None of three that first use a file at the same moment fails, each with a connection of its own."""
    barrier = Barrier(3)

    def open_at_once(path: Path) -> None:
        file = SqliteFile(path, busy_seconds=60)
        barrier.wait(60)
        with file.transaction() as connection:
            assert connection.execute("SELECT pk FROM items").fetchall() == []
        file.close()

    with ThreadPoolExecutor(3) as pool:
        for number in range(200):
            list(pool.map(open_at_once, [tmp_path / f"{number}.sqlite"] * 3))


def foreign() -> bytes:
    """Write the database of another program."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE mine (id)")
        return connection.serialize()


GARBAGE = {
    b"this is no database" * 100: r"\(file is not a database\); remove it or name another",
    foreign(): r"\(it belongs to another program: name another\)",
}


@pytest.mark.parametrize(("content", "reason"), GARBAGE.items())
def test_a_file_that_is_not_goldpans_stays_as_it_is(
    path: Path, table: SqliteTable, content: bytes, reason: str
) -> None:
    """It is named with the reason and what to do, and neither overwritten nor taken from other users."""
    path.parent.mkdir()
    path.write_bytes(content)
    path.chmod(0o644)
    with pytest.raises(StoreFailed, match=rf"goldpan\.sqlite could .*{reason}$"):
        table.put_many({"key": {}})
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o644, content)


def test_a_file_of_another_format_is_emptied(file: SqliteFile, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another version wrote is created anew; what another process created a moment ago is kept."""
    cache.write({"key": b"value"}, TTL)
    file.close()
    monkeypatch.setattr(sqlite_file, "FORMAT", 99)
    assert cache.read(["key"]) == {}
    cache.write({"key": b"new"}, TTL)
    assert file._connection
    sqlite_file._create_tables(file._connection)
    assert cache.read(["key"])["key"].value == b"new"


def test_a_locked_file_is_given_up(path: Path, table: SqliteTable, cache: Cache, clock: FakeClock) -> None:
    """A process that holds the file for too long fails writes, a shorter one delays them; reads continue beside it."""
    holder = SqliteFile(path)
    cache.write({"key": b"value"}, TTL)
    with holder.transaction() as connection:
        connection.execute("DELETE FROM items")
        assert "key" in cache.read(["key"])
        with pytest.raises(StoreFailed, match=r"goldpan\.sqlite could not be used \(database is locked\)$"):
            table.put_many({"other": {}})
        assert "key" in cache.read(["key"])
        with ThreadPoolExecutor(1) as pool:
            patient = pool.submit(SqliteTable(SqliteFile(path, busy_seconds=60), clock).put_many, {"other": {}})
            wait([patient], 0.2)
            connection.commit()
    patient.result()
    assert cache.read(["key"]) == {}
    holder.close()


def test_damaged_entries_and_counts_are_left_out(file: SqliteFile, cache: Cache, clock: FakeClock) -> None:
    """What another program overwrote costs only itself; a block that a wrong clock wrote is replaced."""
    cache.write(dict.fromkeys(("value", "stored_at", "fresh_until", "good"), b"value"), TTL)
    with file.transaction() as connection:
        connection.execute("UPDATE items SET value = 'garbage' WHERE pk = 'value'")
        for name, time in (("stored_at", "noon"), ("fresh_until", to_micros(LAST))):
            connection.execute("UPDATE items SET item = json_set(item, '$.' || ?1, ?2) WHERE pk = ?1", (name, time))
    found = cache.read(["value", "stored_at", "fresh_until", "good"])
    assert found == {"good": Entry(b"value", START, START + TTL), "fresh_until": Entry(b"value", START, LAST)}
    limiter = RateLimiter(SqliteTable(file, clock), clock, LIMITS)
    assert limiter.acquire("source", 25).granted
    limiter.block_until("source", START + timedelta(days=300))
    for written in ("many", "7"):
        with file.transaction() as connection:
            connection.execute("UPDATE items SET item = ?", (written,))
        limiter = RateLimiter(SqliteTable(file, clock), clock, LIMITS)
        assert limiter.acquire("source", 25).granted
    limiter.block_until("source", START + timedelta(seconds=9))
    assert limiter.blocked_until("source") == START + timedelta(seconds=9)
    with file.transaction() as connection:
        connection.execute("UPDATE items SET item = json_set(item, '$.blocked_until', 'noon')")
    assert limiter.blocked_until("source") is None


def test_a_process_exits_while_a_thread_is_in_a_transaction(path: Path) -> None:
    """A command that gives up its last calls ends with its exit code, not with a crash in a closed connection."""
    command = [sys.executable, "-c", EXIT_IN_A_TRANSACTION, str(path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
    assert (run.returncode, run.stderr.decode()) == (0, "")
