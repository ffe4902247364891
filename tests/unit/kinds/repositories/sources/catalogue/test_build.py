"""The records of a catalogue's input, the file made from them, and the order in which its facts are refreshed."""

import json
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from goldpan.engine.deadlines import Deadline, WallClock
from goldpan.infra.cache import Cache
from goldpan.infra.sqlite_file import SqliteFile
from goldpan.infra.sqlite_table import SqliteTable
from goldpan.kinds.repositories.models import Repository, RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import Record
from goldpan.kinds.repositories.sources.catalogue.update import due
from goldpan_local.catalogue_work_commands import shown_counts

from tests.support.factories import StillClock
from tests.support.local import answer
from tests.support.sample import catalogue_in_memory


def record(**fields: object) -> Record:
    """Read a line with these fields."""
    return Record.model_validate_json(json.dumps({"full_name": "a/b", **fields}))


def test_a_record_becomes_a_repository() -> None:
    """A curated list fills a missing language and the README; of the days, only some are kept; times are in UTC."""
    days = {"stars": "2026-08-22", "forks": "2026-08-22", "pushed_at": "2026-08-20", "latest_release_at": "2026-08-21"}
    line = record(as_of=days, stars=7, list_description="x" * 351, language_hint="Rust", unknown="ignored")
    repository = line.repository()
    assert repository.observed == {name: date.fromisoformat(day) for name, day in days.items() if name != "forks"}
    assert (repository.url, repository.stars) == ("https://github.com/a/b", 7)
    assert (repository.language, repository.curator_text) == ("Rust", "x" * 349 + "…")
    assert (repository.readme_outline, repository.has_readme) == (None, None)
    assert record(language="Go", language_hint="Rust").repository().language == "Go"
    for moment in ("2026-08-01", "2026-08-01T02:00:00+02:00"):
        assert record(pushed_at=moment).repository().pushed_at == datetime(2026, 8, 1, tzinfo=UTC)


def test_of_records_with_one_name_the_last_is_stored() -> None:
    """In any letter case; the notice has their number, and the latest day of their facts."""
    first, dated = record(full_name="a/motion", stars=900), record(as_of={"stars": "2026-08-01"})
    last = record(full_name="A/Motion", stars=7, as_of={"stars": "2026-08-22"})
    with closing(catalogue_in_memory([first, dated, last], "mine")) as catalogue:
        (found,) = catalogue.search([RepositorySearch(words=("motion",))], Deadline.after(5, StillClock())).lists
        assert [(item.full_name, item.stars) for item in found] == [("A/Motion", 7)]
        assert catalogue.notice == "Answered from mine of 2 repositories, facts as of 2026-08-22."


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
