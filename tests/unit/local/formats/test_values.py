"""How numbers are written for people."""

from __future__ import annotations

import pytest
from goldpan.counts import counted
from goldpan_local.formats.values import duration, short_count


def test_counts_have_at_most_five_characters() -> None:
    """The unit changes before the rounded number gets longer."""
    counts = (None, 0, 999, 1000, 99_949, 99_950, 999_949, 999_950, 1_234_567)
    assert " ".join(map(short_count, counts)) == "- 0 999 1.0k 99.9k 100k 1000k 1.0M 1.2M"


def test_one_is_singular() -> None:
    """Also of a noun in -ies."""
    assert [counted(1, noun) for noun in ("stars", "repositories")] == ["1 star", "1 repository"]
    assert counted(2_000, "stars") == "2,000 stars"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(59, "less than a minute"), (60, "1 minute"), (7_280, "2 hours"), (86_399, "23 hours"), (172_800, "2 days")],
)
def test_times_have_one_unit(seconds: int, said: str) -> None:
    """The largest that is not less than one."""
    assert duration(seconds) == said
