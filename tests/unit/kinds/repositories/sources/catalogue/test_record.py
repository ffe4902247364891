"""A line of a catalogue's input becomes a repository."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest
from goldpan.kinds.repositories.sources.catalogue.record import Record


def record(**fields: object) -> Record:
    """Read a line with these fields."""
    return Record.model_validate_json(json.dumps({"full_name": "a/b", **fields}))


@pytest.mark.parametrize("moment", ["2026-08-01", "2026-08-01T00:00:00", "2026-08-01T02:00:00+02:00"])
def test_a_time_without_a_zone_is_utc(moment: str) -> None:
    """A plain date, a time without a zone and a time with one are the same moment."""
    assert record(pushed_at=moment).repository().pushed_at == datetime(2026, 8, 1, tzinfo=UTC)


def test_a_curated_list_fills_what_is_missing() -> None:
    """The list's language replaces a missing one, and its text the README, at most 350 characters."""
    repository = record(list_description="x" * 351, language_hint="Rust").repository()
    assert (repository.language, repository.readme) == ("Rust", "x" * 349 + "…")
    assert (repository.readme_outline, repository.has_readme) == (None, None)
    assert record(language="Go", language_hint="Rust").repository().language == "Go"


def test_the_days_of_observation_are_kept() -> None:
    """Of the days, those of stars, push and release reach the repository; unknown fields are ignored."""
    days = {"stars": "2026-08-22", "forks": "2026-08-22", "pushed_at": "2026-08-20"}
    repository = record(as_of=days, stars=7, colour="red").repository()
    assert repository.observed == {"stars": date(2026, 8, 22), "pushed_at": date(2026, 8, 20)}
    assert (repository.url, repository.stars) == ("https://github.com/a/b", 7)
