"""Two records without a common identifier: what their titles, authors, years and venues tell."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.kinds.papers.deduplication.deduplicator import deduplicate

from tests.unit.kinds.papers.deduplication.records import AUTHORS, all_apart, are_one, record

PUBLISHED = {"doi": "10.1038/s42256-024-00832-8"}


@pytest.mark.parametrize(
    "changes",
    [{"year": 2022}, {"authors": ("Jane Roe", "John Doe")}, {"authors": ("Angela Bran",), "year": 2023}],
)
def test_the_same_title_of_other_authors_or_years_is_another_paper(changes: dict[str, Any]) -> None:
    """The title alone proves nothing."""
    assert all_apart([record("a"), record("b", **changes)])


def test_a_long_title_stands_for_itself_and_a_short_one_does_not() -> None:
    """Records of Google Scholar have no identifiers, often no year, and broken authors."""
    assert are_one(record("a"), record("b", authors=(), year=2020))
    assert are_one(record("a"), record("b", authors=AUTHORS, year=None))
    assert all_apart([record("a", "Deep learning"), record("b", "Deep learning", authors=(), year=None)])


@pytest.mark.parametrize(
    "title", ["Editorial", "Introduction", "Preface", "Book review", "Guest Editors' Introduction", "前言", ""]
)
def test_generic_titles_are_one_paper_only_by_identifiers(title: str) -> None:
    """Editorials of two years, or of one editor in one year, and records without a title never merge by it."""
    years = [record(str(year), title, year=year) for year in (2001, 2002, 2020)]
    assert all_apart([*years, record("again", title, abstract="Another one")])
    assert are_one(record("a", title, PUBLISHED), record("b", title, PUBLISHED))


def test_a_conference_paper_and_its_journal_version_of_another_year_are_undecided() -> None:
    """Two publications under one title; a preprint with a venue of its own is none."""
    conference = record("a", venue="Proceedings of the VLDB Conference")
    found = deduplicate([conference, record("b", venue="The VLDB Journal", year=2021)])
    assert (len(found.groups), found.undecided) == (2, (("a", "b"),))
    assert are_one(conference, record("b", venue="arXiv.org", year=2019))


def test_a_preprint_may_be_published_years_later() -> None:
    """Up to four years apart, the rules leave it open; later, and without a preprint, it is another paper."""

    def undecided(years: int, venue: str | None = "arXiv.org", **ids: str) -> int:
        published = record("a", venue="Journal of Chemistry", year=2020)
        return len(deduplicate([published, record("b", ids=ids, venue=venue, year=2020 - years)]).undecided)

    assert [undecided(years) for years in (2, 4, 5)] == [1, 1, 0]
    assert undecided(4, venue="Proceedings of the Conference on Chemistry") == 0
    assert (undecided(4, venue=None, arxiv="2304.05376"), undecided(4, venue="ACS", arxiv="2304.05376")) == (1, 0)
