"""A damaged file of goldpan is replaced by a new one; the damaged one is kept beside it, for its owner alone."""

import logging
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from goldpan.errors import StoreFailed
from goldpan.infra.cache import Cache
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable

from tests.support.fakes import FakeClock

TTL = timedelta(minutes=15)
PAGE = 4096


@pytest.fixture
def cache(file: SqliteFile, clock: FakeClock) -> Cache:
    """Make a cache of the file that holds ten pages of values."""
    made = Cache(SqliteTable(file, clock), clock)
    made.write({str(number): bytes(range(256)) * 8 for number in range(100)}, TTL)
    return made


@pytest.mark.parametrize("size", [9, 60, 1000, PAGE, 3 * PAGE + 7])
def test_a_truncated_file_heals_at_the_next_start(
    path: Path, file: SqliteFile, cache: Cache, caplog: pytest.LogCaptureFixture, size: int
) -> None:
    """What is left of it is moved aside and logged once; the next call already works."""
    file.close()
    left = path.read_bytes()[:size]
    path.write_bytes(left)
    path.chmod(0o644)
    earlier = path.with_name("goldpan.sqlite.damaged-wal")  # it belongs to no file that is there afterwards
    earlier.touch()
    with caplog.at_level(logging.WARNING):
        assert cache.read(["1"]) == {}
        cache.write({"1": b"new"}, TTL)
    assert cache.read(["1"])["1"].value == b"new"
    aside = path.with_name("goldpan.sqlite.damaged")
    assert not earlier.exists()
    assert (aside.read_bytes(), stat.S_IMODE(aside.stat().st_mode)) == (left, 0o600)
    (said,) = caplog.messages
    assert said.startswith(f"{path} is damaged (")
    assert said.endswith(f"; it was moved to {aside}, and a new file takes its place")


def test_damage_that_a_running_process_finds_costs_one_call(path: Path, file: SqliteFile, cache: Cache) -> None:
    """Pages that were overwritten fail the call that finds them; then this and every other process has a new file."""
    file.close()
    content = path.read_bytes()
    path.write_bytes(content[:PAGE] + b"\xa5" * (len(content) - PAGE))
    other = SqliteFile(path)
    other_cache = Cache(SqliteTable(other, FakeClock()), FakeClock())
    with other.transaction():
        pass
    with pytest.raises(StoreFailed, match="malformed"):
        SqliteTable(file, FakeClock()).get("1")
    cache.write({"1": b"new"}, TTL)
    assert other_cache.read(["1"])["1"].value == b"new"
    path.unlink()  # as by a user who empties the cache
    assert other_cache.read(["1"]) == cache.read(["1"]) == {}
    other.close()


def test_an_existing_file_becomes_private(path: Path, file: SqliteFile, cache: Cache) -> None:
    """A file that others could read is for its owner only once goldpan opens it."""
    file.close()
    path.chmod(0o644)
    reader = SqliteFile(path)
    assert set(cache.read(["1"])) == {"1"}
    with reader.transaction():
        modes = [stat.S_IMODE(each.stat().st_mode) for each in path.parent.glob("goldpan.sqlite*")]
    assert (len(modes), set(modes)) == (3, {0o600})
    reader.close()
