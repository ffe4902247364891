"""The cost of many records of nearly one title, counted in comparisons; merges that do not depend on their number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from goldpan.kinds.papers.deduplication import comparison
from goldpan.kinds.papers.deduplication.deduplicator import Record
from goldpan.kinds.papers.deduplication.pairs import Decision, Facts, decide

from tests.unit.kinds.papers.deduplication.records import AUTHORS, groups, record

LETTERS = "bcdfghklmnprstvw"
SERIES: dict[str, Callable[[int], Record]] = {
    "numbers": lambda number: record(str(number), f"Some long title number {number} of things"),
    "volumes": lambda number: record(str(number), f"Proceedings of some long workshop, volume {number}"),
    "words": lambda number: record(str(number), f"Draft genome sequence of {_word(number)} from wastewater"),
    "editorials": lambda number: record(str(number), "Editorial", venue="Nature", abstract=f"About {_word(number)}"),
    "copies": lambda number: record(str(number), abstract=f"About {_word(number)}", venue=_word(number)),
    "publications": lambda number: record(str(number), ids={"doi": f"10.1000/{number}"}),
}


def _word(number: int) -> str:
    """Return a word that has little in common with that of another number."""
    number = number * 40503 % 65536
    return "".join(f"{LETTERS[number >> shift & 15]}{'aeiou'[(number >> shift) % 5]}" for shift in (12, 8, 4, 0))


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the decisions about pairs."""
    count = [0]

    def counted(one: Facts, other: Facts) -> Decision:
        count[0] += 1
        return decide(one, other)

    monkeypatch.setattr(comparison, "decide", counted)
    return count


@pytest.mark.parametrize("series", SERIES)
def test_a_series_of_nearly_one_title_is_not_compared_pair_by_pair(series: str, comparisons: list[int]) -> None:
    """400 records have 79,800 pairs; those of words alone that begin with one letter are compared."""
    groups(*(SERIES[series](number) for number in range(400)))
    assert comparisons[0] < 400 * 25


@pytest.mark.parametrize(
    ("title", "again"),
    [
        (
            "Draft genome sequence of Xanthomonas from wastewater",
            "Draft genome sequences of Xantohmonas from waste water",
        ),
        (
            "Draft genome sequence of Vibrio from wastewater",
            "Draft genome sequence of Vibrio from wastewater: a report",
        ),
        ("Some long title number 5000 of things", "Some long titles, number 5000 of things"),
    ],
)
def test_a_series_by_the_same_authors_changes_no_merge(title: str, again: str) -> None:
    """Neither how many records there are, nor how a large block is searched."""
    series = (SERIES[name] for name in ("numbers", "words"))
    crowd = [replace(each(n), key=each(n).paper.title) for each in series for n in range(60)]
    pair = record("one", title), record("other", again, authors=AUTHORS[:2])
    assert groups(*pair) == {frozenset(("one", "other"))}
    assert frozenset(("one", "other")) in groups(*crowd, *pair)
