"""The order in which facts are refreshed, and what was shown lately."""

from datetime import date, timedelta
from pathlib import Path

from goldpan.engine.deadlines import WallClock
from goldpan.infra.cache import Cache
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.kinds.repositories.models import Repository
from goldpan.kinds.repositories.sources.catalogue.update import due
from goldpan.local.catalogue_work import shown_counts

from tests.support.local import answer

TODAY = date(2026, 11, 23)


def observed(name: str, days: int | None) -> Repository:
    """Make a repository whose stars were observed a number of days ago."""
    return Repository(full_name=name, observed={} if days is None else {"stars": TODAY - timedelta(days=days)})


def test_the_oldest_and_the_most_shown_come_first() -> None:
    """What was never observed is the oldest; what is shown ten times a day waits a tenth as long."""
    repositories = [observed("o/new", 0), observed("o/shown", 30), observed("o/old", 200), observed("o/never", None)]
    assert due(repositories, {}, TODAY) == ["o/never", "o/old", "o/shown", "o/new"]
    assert due(repositories, {"o/shown": 10}, TODAY) == ["o/never", "o/shown", "o/old", "o/new"]


def test_what_the_cache_answered_is_counted(tmp_path: Path) -> None:
    """An entry that is no answer, and a missing file, count nothing."""
    path = tmp_path / "cache.sqlite"
    environment = {"GOLDPAN_CACHE": str(path)}
    assert not shown_counts(environment)
    file, clock = SqliteFile(path), WallClock()
    entries = {f"answer:{number}": answer().to_json().encode() for number in range(2)}
    cache = Cache(SqliteTable(file, clock), clock)
    cache.write({**entries, "answer:3": b"{}", "source:1": b"?"}, timedelta(minutes=15))
    file.close()
    assert shown_counts(environment) == {"motion/react-motion": 2, "glide/glide": 2}
