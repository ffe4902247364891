"""The SQLite file of one machine: private, compressed, shared between threads; each fault of it is named."""

from __future__ import annotations

import sqlite3
import stat
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.errors import StoreFailed
from goldpan.infra import sqlite_file
from goldpan.infra.cache.port import Entry
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import IN_MEMORY, SqliteFile

from tests.support.fakes import START, FakeClock, SlowClock

TTL = timedelta(minutes=15)
LIMITS = {"source": (Limit(60, 25),)}


def cache_of(file: SqliteFile, clock: FakeClock | None = None) -> SqliteCache:
    """Make a cache of the file."""
    return SqliteCache(file, clock or FakeClock())


def test_the_file_is_created_at_its_first_use(path: Path, file: SqliteFile) -> None:
    """A search that needs no store creates no file; the file is readable by its owner only."""
    cache = cache_of(file)
    assert not path.parent.exists()
    cache.write({"key": b"value"}, TTL)
    created = [path.parent, path, *path.parent.glob("goldpan.sqlite-*")]
    assert len(created) > 2
    assert [stat.S_IMODE(each.stat().st_mode) & 0o077 for each in created] == [0] * len(created)


def test_a_closed_file_opens_again(path: Path, file: SqliteFile) -> None:
    """What was written is there after the file was closed, for the same process and for another."""
    cache_of(file).write({"key": b"value"}, TTL)
    file.close()
    another = SqliteFile(path)
    for opened in (file, another):
        assert cache_of(opened).read(["key"])["key"].value == b"value"
    another.close()


def test_a_database_in_memory_has_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database in memory is seen through its own object only, and ends when it is closed."""
    monkeypatch.chdir(tmp_path)
    for name in (IN_MEMORY, Path(IN_MEMORY)):
        one, other = SqliteFile(name), SqliteFile(name)
        cache_of(one).write({"key": b"value"}, TTL)
        assert set(cache_of(one).read(["key"])) == {"key"}
        assert cache_of(other).read(["key"]) == {}
        one.close()
        assert cache_of(one).read(["key"]) == {}
    assert list(tmp_path.iterdir()) == []


def test_expired_entries_are_deleted(file: SqliteFile) -> None:
    """The file does not grow without end: a write deletes what is too old to be served even as stale."""
    clock = FakeClock()
    cache = cache_of(file, clock)
    cache.write({str(number): b"value" for number in range(50)}, TTL)
    clock.wait(15 * 60 + 86_400)
    cache.write({"new": b"value"}, TTL)
    with file.transaction() as connection:
        assert connection.execute("SELECT key FROM cache").fetchall() == [("new",)]


def test_values_are_compressed(path: Path, file: SqliteFile) -> None:
    """A megabyte of similar rows takes a fraction of it."""
    cache_of(file).write({"key": b'{"full_name": "o/r"}' * 50_000}, TTL)
    file.close()
    assert path.stat().st_size < 100_000


def test_threads_share_the_file(path: Path) -> None:
    """Threads that read and write at the same time neither fail nor lose anything."""
    file, clock, granted = SqliteFile(path, busy_seconds=60), FakeClock(), list[bool]()
    cache, limiter = cache_of(file, clock), SqliteRateLimiter(file, clock, LIMITS)

    def work(number: int) -> None:
        for name in (f"{number}/{turn}" for turn in range(5)):
            cache.write({name: b"value"}, TTL)
            granted.append(limiter.acquire("source").granted and name in cache.read([name]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(granted), sum(granted)) == (40, 25)
    file.close()


def test_the_file_of_another_program_is_not_touched(path: Path, file: SqliteFile) -> None:
    """A database of another program is refused by the reason."""
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE letters (text)")
    other.execute("INSERT INTO letters VALUES ('hello')")
    other.commit()
    with pytest.raises(StoreFailed, match=r"goldpan\.sqlite could not be used \(it belongs to another program\)"):
        cache_of(file).read(["key"])
    assert other.execute("SELECT text FROM letters").fetchall() == [("hello",)]
    assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    other.close()


def test_a_file_of_another_format_is_emptied(file: SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another version wrote is created anew."""
    cache_of(file).write({"key": b"value"}, TTL)
    file.close()
    monkeypatch.setattr(sqlite_file, "FORMAT", 99)
    cache = cache_of(file)
    assert cache.read(["key"]) == {}
    cache.write({"key": b"new"}, TTL)
    assert cache.read(["key"])["key"].value == b"new"


def test_tables_that_another_process_created_are_kept(file: SqliteFile) -> None:
    """A process that finds no tables, and comes second with creating them, drops nothing."""
    cache = cache_of(file)
    cache.write({"key": b"value"}, TTL)
    assert file._connection
    sqlite_file._create_tables(file._connection)
    assert "key" in cache.read(["key"])


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_file_that_is_no_database_stays_as_it_is(path: Path, file: SqliteFile, content: bytes) -> None:
    """A file that is no database, or a damaged one, is named, and not overwritten."""
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreFailed, match=r"goldpan\.sqlite could not be used"):
        cache_of(file).write({"key": b"value"}, TTL)
    assert path.read_bytes() == content


def test_a_locked_file_is_given_up(path: Path, file: SqliteFile) -> None:
    """A process that holds the file for too long fails writes; reads continue beside it."""
    cache, holder = cache_of(file), SqliteFile(path)
    cache.write({"key": b"value"}, TTL)
    with holder.transaction() as connection:
        connection.execute("DELETE FROM cache")
        assert "key" in cache.read(["key"])
        with pytest.raises(StoreFailed, match="database is locked"):
            cache.write({"other": b"value"}, TTL)
        assert "key" in cache.read(["key"])
    assert cache.read(["key"]) == {}
    holder.close()


def test_a_thread_need_not_wait_as_long_as_the_one_before(file: SqliteFile) -> None:
    """A thread that waited for another one, which found the file locked, fails at once."""
    file._busy_at = time.monotonic() + 3600
    with pytest.raises(StoreFailed, match="is locked by another program"):
        SqliteLocks(file, FakeClock()).release("q", "one")


def test_a_thread_that_holds_the_file_is_given_up(file: SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread waits for another of its own process for a limited time too."""
    monkeypatch.setattr(sqlite_file, "QUEUE_SECONDS", 0.01)
    with file.transaction(), pytest.raises(StoreFailed, match="is in use"):
        SqliteLocks(file, FakeClock()).release("q", "one")


def test_a_failed_transaction_writes_nothing(file: SqliteFile) -> None:
    """A transaction that breaks off leaves nothing behind."""

    def fail() -> None:
        with file.transaction() as connection:
            connection.execute("INSERT INTO locks VALUES ('q', 'broken', 9999999999999999)")
            connection.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(StoreFailed, match="no such table"):
        fail()
    assert SqliteLocks(file, FakeClock()).acquire("q", TTL, "one")


def test_a_machine_that_is_too_slow_is_granted_nothing(file: SqliteFile) -> None:
    """A reservation that took longer than half of its margin is not used; after three the limiter fails."""
    with pytest.raises(StoreFailed, match="too slow"):
        SqliteRateLimiter(file, SlowClock(0.6), LIMITS).acquire("source")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cache SET value = 'garbage' WHERE key = 'key'",
        "UPDATE cache SET stored_at = 'noon' WHERE key = 'key'",
        "UPDATE cache SET fresh_until = 9223372036854775807 WHERE key = 'key'",
    ],
)
def test_a_damaged_entry_is_left_out(file: SqliteFile, damage: str) -> None:
    """An entry that another program overwrote costs only itself."""
    cache = cache_of(file)
    cache.write({"key": b"value", "other": b"value"}, TTL)
    with file.transaction() as connection:
        connection.execute(damage)
    assert cache.read(["key", "other"]) == {"other": Entry(b"value", START, START + TTL)}


def test_damaged_counts_do_not_count(file: SqliteFile) -> None:
    """Text instead of a cost or a time is ignored; a block that a wrong clock wrote is replaced."""
    limiter = SqliteRateLimiter(file, FakeClock(), LIMITS)
    assert limiter.acquire("source", 25).granted
    limiter.block_until("source", START + timedelta(days=300))
    with file.transaction() as connection:
        connection.execute("UPDATE spent SET cost = 'many'")
    assert limiter.acquire("source", 25).granted
    limiter.block_until("source", START + timedelta(seconds=9))
    assert limiter.blocked_until("source") == START + timedelta(seconds=9)
    with file.transaction() as connection:
        connection.execute("UPDATE blocked SET until = 'noon'")
    assert limiter.blocked_until("source") is None
