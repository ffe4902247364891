"""What may be wrong with the SQLite file of one machine: each is named, and no other program is harmed."""

from __future__ import annotations

import sqlite3
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from goldpan.infra import sqlite_file as sqlite_store
from goldpan.infra.cache.port import CacheFailed
from goldpan.infra.cache.sqlite import SqliteCache
from goldpan.infra.circuit_breaker import StoreFailed
from goldpan.infra.locks.sqlite import SqliteLocks
from goldpan.infra.rate_limits.limits import Limit
from goldpan.infra.rate_limits.sqlite import SqliteRateLimiter
from goldpan.infra.sqlite_file import SqliteFile

from tests.support.fakes import FakeClock

LIFE = timedelta(minutes=15)


def test_another_programs_file_is_left_alone(path: Path, file: SqliteFile) -> None:
    """A database of another program is refused, and nothing in it is touched."""
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE letters (text)")
    other.execute("INSERT INTO letters VALUES ('dear')")
    other.commit()
    with pytest.raises(CacheFailed, match=r"goldpan\.sqlite could not be used \(it belongs to another program\)"):
        SqliteCache(file, FakeClock()).read(["key"])
    assert other.execute("SELECT text FROM letters").fetchall() == [("dear",)]
    assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    other.close()


def test_a_file_of_another_format_is_emptied(file: SqliteFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another version wrote is begun anew."""
    SqliteCache(file, FakeClock()).write({"key": b"value"}, LIFE)
    file.close()
    monkeypatch.setattr(sqlite_store, "FORMAT", sqlite_store.FORMAT + 1)
    cache = SqliteCache(file, FakeClock())
    assert cache.read(["key"]) == {}
    cache.write({"key": b"new"}, LIFE)
    assert cache.read(["key"])["key"].value == b"new"


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_file_that_is_no_database(path: Path, file: SqliteFile, content: bytes) -> None:
    """A file that is no database, or a broken one, is a failure that is named, and stays as it is."""
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(CacheFailed, match=r"goldpan\.sqlite could not be used"):
        SqliteCache(file, FakeClock()).write({"key": b"value"}, LIFE)
    with pytest.raises(StoreFailed):
        SqliteRateLimiter(file, FakeClock()).take("github:rest-search:anonymous")
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """A path that leads through a file is a failure that is named."""
    (tmp_path / "state").write_text("a file")
    file = SqliteFile(tmp_path / "state" / "goldpan.sqlite")
    with pytest.raises(StoreFailed, match="could not be used"):
        SqliteLocks(file, FakeClock()).begin("q", LIFE)


def test_a_file_that_is_held_is_waited_for_and_given_up(path: Path, file: SqliteFile) -> None:
    """A process that holds the file for too long costs a moment, not the search; reading goes on beside it."""
    clock = FakeClock()
    cache = SqliteCache(file, clock)
    cache.write({"key": b"value"}, LIFE)
    holder = SqliteFile(path)
    with holder.transaction() as held:
        held.execute("DELETE FROM cache")
        assert "key" in cache.read(["key"])
        began = time.monotonic()
        with pytest.raises(CacheFailed, match="database is locked"):
            cache.write({"other": b"value"}, LIFE)
        assert 0.2 < time.monotonic() - began < 2
    assert cache.read(["key"]) == {}
    holder.close()


def test_a_thread_that_holds_the_file_is_given_up(file: SqliteFile) -> None:
    """A thread waits for another of its own process no longer than for another process."""
    with file.transaction(), pytest.raises(StoreFailed, match="is in use"):
        SqliteLocks(file, FakeClock()).end("q")


def test_what_fails_is_not_written(file: SqliteFile) -> None:
    """A write that breaks off leaves nothing behind."""
    flights = SqliteLocks(file, FakeClock())

    def broken() -> None:
        with file.transaction() as connection:
            connection.execute("INSERT INTO flights VALUES ('q', '', 9999999999999999)")
            connection.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(StoreFailed, match="no such table"):
        broken()
    assert flights.begin("q", LIFE)


def test_a_machine_that_is_too_slow_gives_no_turn(file: SqliteFile) -> None:
    """A turn that took longer to count than half of its margin is not used, and in the end none is given."""

    class SlowClock(FakeClock):
        def now(self) -> datetime:
            self.wait(0.6)
            return super().now()

    with pytest.raises(StoreFailed, match="too slow"):
        SqliteRateLimiter(file, SlowClock(), {"source": (Limit(60, 25),)}).take("source")


def test_garbage_in_the_cache_is_not_there(file: SqliteFile) -> None:
    """An entry that somebody else wrote in another form is as good as none."""
    cache = SqliteCache(file, FakeClock())
    cache.write({"key": b"value", "other": b"value"}, LIFE)
    with file.transaction() as connection:
        connection.execute("UPDATE cache SET value = 'garbage' WHERE key = 'key'")
    assert set(cache.read(["key", "other"])) == {"other"}
