"""Records are read one by one and bounded; what a source gets wrong costs nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import (
    Record,
    make_ids,
    make_paper,
    read_records,
)


def read(record: Record) -> Paper | None:
    """Read a record with a title and a year."""
    return make_paper("test", record.get("title"), year=record.get("year"), authors=record.get("authors") or ())  # type: ignore[arg-type] # as a source may send it


def test_one_bad_record_never_costs_the_others() -> None:
    """A null, a text, a record without a title and one that cannot be iterated are counted."""
    items: list[Any] = [
        {"title": "Good"},
        None,
        "text",
        {"title": None},
        {"title": "Bad", "authors": 7},
        {"title": "B"},
    ]
    papers, unread = read_records(items, read, "Test")
    assert ([paper.title for paper in papers], unread) == (["Good", "B"], 4)


@pytest.mark.parametrize("items", [None, {"a": 1}, [None], [{"title": ""}]])
def test_a_response_without_any_readable_record_is_a_failure(items: object) -> None:
    """An answer in another form never looks empty."""
    with pytest.raises(Unavailable, match=r"Test's response has"):
        read_records(items, read, "Test")


def test_a_paper_is_bounded_whatever_a_source_sends() -> None:
    """Titles, names, lists of authors and addresses have a bound; facts of another type are unknown."""
    paper = make_paper(
        "test",
        "字" * 5000,
        authors=[f"Author {n} " + "x" * 500 for n in range(3000)],
        year="2020-05-01",
        url="https://example.org/" + "x" * 5000,
        pdf_url="javascript:alert(1)",
        citations=True,
        open_access="yes",
    )
    assert paper is not None
    assert len(paper.model_dump_json().encode()) < 4000
    assert (paper.year, paper.url, paper.pdf_url, paper.citations, paper.open_access) == (2020, None, None, None, None)


@pytest.mark.parametrize("year", [None, 0, -1, 99999, "soon", True, 2020.5, "20\uff120"])
def test_a_year_that_is_none_is_unknown(year: object) -> None:
    """A missing or impossible year is never this year, nor 0."""
    paper = make_paper("test", "Title", year=year)
    assert paper is not None
    assert paper.year is None


def test_identifiers_are_normalised() -> None:
    """A DOI of arXiv is also an arXiv id, and a list may hold the arXiv id anywhere."""
    assert make_ids(doi="https://doi.org/10.48550/ARXIV.2104.12255").arxiv == "2104.12255"
    ids = make_ids(doi="10.1000/XYZ", arxiv=[None, "https://example.org/", "http://arxiv.org/pdf/hep-th/9901001v2"])
    assert (ids.doi, ids.arxiv) == ("10.1000/xyz", "hep-th/9901001")
