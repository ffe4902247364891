"""How values are written: for a cell, in a sentence, for a spreadsheet."""

from datetime import date
from typing import Any

from goldpan.engine.presentation import Attribute, Format, Value
from goldpan.kinds.repositories.present import PRESENTATION
from goldpan_local.formats.values import cell_text, csv_value, duration, facts, phrase, short_count

from tests.support.local import ANSWER, answer


def test_counts_have_at_most_five_characters() -> None:
    """The unit changes before the rounded number gets longer."""
    counts = (None, 0, 999, 1000, 99_949, 99_950, 999_949, 999_950, 1_234_567)
    assert " ".join(map(short_count, counts)) == "- 0 999 1.0k 99.9k 100k 1000k 1.0M 1.2M"


def test_times_have_one_unit() -> None:
    """The largest that is not less than one."""
    said = {59: "less than a minute", 60: "1 minute", 7_280: "2 hours", 86_399: "23 hours", 172_800: "2 days"}
    assert {seconds: duration(seconds) for seconds in said} == said


def test_a_value_by_its_format() -> None:
    """Short in a cell, understood alone in a sentence, and never a formula in a spreadsheet."""
    rows: list[tuple[Format, Value, str, str, object]] = [
        ("count", None, "-", "", None),
        ("count", 1234, "1.2k", "1,234 sizes", 1234),
        ("score", 7, "7.0", "sizes 7", 7),
        ("score", 7.25, "7.2", "sizes 7.25", 7.25),
        ("share", 0.5, "0.50", "sizes 0.50", "0.50"),
        ("flag", True, "yes", "sizes", "yes"),
        ("flag", False, "no", "not sizes", "no"),
        ("date", date(2026, 1, 2), "2026-01-02", "sizes 2026-01-02", "2026-01-02"),
        ("list", ("A", "B", "C"), "A, B, C", "sizes A, B, C", "A; B; C"),
        ("names", ("A", "B", "C"), "A et al.", "sizes A et al.", "A et al."),
        ("names", (), "-", "", ""),
        ("address", "javascript:x", "-", "", ""),
        ("text", "=1", "=1", "sizes =1", "'=1"),
    ]
    for form, value, *expected in rows:
        size: Attribute[Any] = Attribute("size", "sizes", form)
        assert [cell_text(size, value), phrase(size, value), csv_value(size, value)] == expected


def test_the_facts_of_a_repository() -> None:
    """Those that are known; that it is not archived is no fact worth a word."""
    section = ANSWER["repositories"]
    known = {
        "license": "MIT", "pushed_at": "2026-01-02T03:04:05Z", "forks": 1, "archived": True,
        "latest_release": {"name": "v2", "at": "2025-12-31T00:00:00Z"}, "topics": ["react", "motion"],
    }  # fmt: skip
    rows = [{**section["results"][0], **known, **more} for more in ({}, {"archived": False, "latest_release": {}})]
    first, second = answer(repositories={**section, "results": rows}).sections["repositories"].results
    release, flag = "release v2 on 2025-12-31", "archived"
    assert facts(PRESENTATION, first) == [
        "licence MIT", "pushed 2026-01-02", release, "1 fork", flag, "topics react, motion",
    ]  # fmt: skip
    assert facts(PRESENTATION, second) == [each for each in facts(PRESENTATION, first) if each not in {release, flag}]
