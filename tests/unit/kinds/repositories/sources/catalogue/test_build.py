"""The records of a catalogue's input, and the file made from them."""

import gzip
import json
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from goldpan.engine.deadlines import Deadline
from goldpan.kinds.repositories.models import RepositorySearch
from goldpan.kinds.repositories.sources.catalogue.build import Record, build_catalogue, records_from_lines
from goldpan.kinds.repositories.sources.catalogue.reader import Catalogue

from tests.support.factories import StillClock


def record(**fields: object) -> Record:
    """Read a line with these fields."""
    return Record.model_validate_json(json.dumps({"full_name": "a/b", **fields}))


@pytest.mark.parametrize("moment", ["2026-08-01", "2026-08-01T00:00:00", "2026-08-01T02:00:00+02:00"])
def test_a_time_without_a_zone_is_utc(moment: str) -> None:
    """A plain date, a time without a zone and a time with one are the same moment."""
    assert record(pushed_at=moment).repository().pushed_at == datetime(2026, 8, 1, tzinfo=UTC)


def test_a_record_becomes_a_repository() -> None:
    """A curated list fills a missing language and the README; of the days, only some are kept."""
    days = {"stars": "2026-08-22", "forks": "2026-08-22", "pushed_at": "2026-08-20", "latest_release_at": "2026-08-21"}
    line = record(as_of=days, stars=7, list_description="x" * 351, language_hint="Rust", unknown="ignored")
    repository = line.repository()
    assert repository.observed == {name: date.fromisoformat(day) for name, day in days.items() if name != "forks"}
    assert (repository.url, repository.stars) == ("https://github.com/a/b", 7)
    assert (repository.language, repository.curator_text) == ("Rust", "x" * 349 + "…")
    assert (repository.readme_outline, repository.has_readme) == (None, None)
    assert record(language="Go", language_hint="Rust").repository().language == "Go"


LINES = (
    b"""{"full_name": "a/motion", "stars": 900}

{"full_name": "b/spring", "as_of": {"stars": "2026-08-01"}}
{"full_name": "A/Motion", "stars": 7, "as_of": {"stars": "2026-08-22"}}
"""
    + b"\n" * 100_000
)


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz"])
def test_a_catalogue_is_built_from_a_file(tmp_path: Path, name: str) -> None:
    """Compressed or not, the lines make a catalogue; of records with the same name the last is stored."""
    (tmp_path / name).write_bytes(gzip.compress(LINES) if name.endswith("gz") else LINES)
    assert build_catalogue(records_from_lines(tmp_path / name), tmp_path / "out.sqlite", "mine") == 2
    with closing(Catalogue.open(tmp_path / "out.sqlite")) as catalogue:
        (found,) = catalogue.search([RepositorySearch(words=("motion",))], Deadline.after(5, StillClock())).lists
        assert [(item.full_name, item.stars) for item in found] == [("A/Motion", 7)]
        assert catalogue.notice == "Answered from mine of 2 repositories, facts as of 2026-08-22."
