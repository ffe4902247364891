"""Blocks: a series of nearly one title is not compared pair by pair, and what may be one paper is compared."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.deduplication.blocks import candidate_pairs
from goldpan.kinds.papers.deduplication.pairs import read_facts

from tests.unit.kinds.papers.deduplication.records import groups, record

SERIES = (
    "Some long title number {} of things",
    "Proceedings of some long workshop, volume {}",
    "Long report {} of 2019",
)


@pytest.mark.parametrize("title", SERIES)
def test_a_series_is_not_compared_pair_by_pair(title: str) -> None:
    """400 records by one author have 79,800 pairs: minutes at ten thousand."""
    facts = [read_facts(record(str(number), title.format(number)).paper, None) for number in range(400)]
    assert len(set(candidate_pairs(facts))) < 400 * 10


@pytest.mark.parametrize("title", SERIES)
def test_a_series_changes_no_merge(title: str) -> None:
    """Copies within it are found, among few as among many."""
    pair = record("one", title.format(5000)), record("other", f"{title.format(5000)}.".replace("long", "long,"))
    crowd = [record(f"crowd {number}", title.format(number)) for number in range(60)]
    assert groups(*pair) == {frozenset(("one", "other"))}
    assert frozenset(("one", "other")) in groups(*crowd, *pair)
    assert len(groups(*crowd, *pair)) == 61
