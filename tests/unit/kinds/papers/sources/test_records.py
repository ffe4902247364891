"""Records are read one by one and bounded; what a source gets wrong costs nothing else."""

import copy
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources import crossref, openalex, semantic_scholar
from goldpan.kinds.papers.sources.europe_pmc import read_record
from goldpan.kinds.papers.sources.records import Record, make_ids, make_paper, plain_text, read_records
from goldpan.kinds.papers.sources.serpapi import read_result

from tests.support.paper_shapes import (
    Facts,
    crossref_work,
    europe_pmc_result,
    openalex_work,
    semantic_scholar_paper,
    serpapi_result,
)


def read(record: Record) -> Paper | None:
    """Read a record with a title and a year."""
    return make_paper("test", record.get("title"), year=record.get("year"), authors=record.get("authors") or ())  # type: ignore[arg-type] # as a source may send it


def test_one_bad_record_never_costs_the_others() -> None:
    """A null, a text, a record without a title and one that cannot be iterated are counted."""
    items: list[Any] = [
        {"title": "Good"}, None, "text", {"title": None}, {"title": "Bad", "authors": 7}, {"title": "B"},
    ]  # fmt: skip
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


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("year", [None, 0, -1, 99999, "soon", True, 2020.5, "20\uff120"], None),
        ("citations", [None, -1, 2**60, "7", True], None), ("citations", [0], 0), ("retracted", ["no", 1], None),
        ("volume", [7, "7", ["7", "8"]], "7"), ("volume", [True, [], {}], None), ("pages", ["12 \u2013 34"], "12-34"),
        ("url", ["https://e.org/a b", "https://e.org/\x00", "ftp://e.org/"], None),
        ("url", ["https://e.org/\u00e4", " https://e.org/\u00e4 "], "https://e.org/\u00e4"),
        ("notices", [["n"] * 9, [None, *["n"] * 5]], ("n",) * 5), ("snippet", ["x" * 1000], "x" * 1000),
        ("abstract", ["Abstract: We test.", "ABSTRACT We test."], "We test."),
        ("abstract", ["Abstract machines run."], "Abstract machines run."), ("authors", [["A", "B", "A"]], ("A", "B")),
    ],
)  # fmt: skip
def test_a_fact_is_read_or_unknown(name: str, values: list[object], expected: object) -> None:
    """What is missing or impossible is never a default: no year is not this year, nor 0."""
    facts: list[dict[str, Any]] = [{name: value} for value in values]
    assert [getattr(make_paper("test", "Title", **fact), name) for fact in facts] == [expected] * len(values)


def test_identifiers_are_normalised() -> None:
    """A DOI of arXiv is also an arXiv id, and a list may hold the arXiv id anywhere."""
    assert make_ids(doi="https://doi.org/10.48550/ARXIV.2104.12255").arxiv == "2104.12255"
    ids = make_ids(doi="10.1000/XYZ", arxiv=[None, "https://example.org/", "http://arxiv.org/pdf/hep-th/9901001v2"])
    assert (ids.doi, ids.arxiv) == ("10.1000/xyz", "hep-th/9901001")
    assert {make_ids(pmcid=each).pmcid for each in (45, "45", "pmc45", "https://www.e.org/articles/45/")} == {"PMC45"}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<jats:title>Abstract</jats:title>\n <jats:p>One <jats:italic>E. coli</jats:italic>.</jats:p>",
            "One E. coli.",
        ),
        ("H<sub>2</sub>O &amp;lt; 5 &amp; more", "H2O < 5 & more"),
        (
            "&amp;lt;p&amp;gt;One.&amp;lt;/p&amp;gt;<p>Two &amp;lt;i&amp;gt;E. coli&amp;lt;/i&amp;gt;</p>",
            "One. Two E. coli",
        ),
        ("if a <b and c> d then p < 0.05", "if a <b and c> d then p < 0.05"),
        ("<jats:tex-math>$$x$$</jats:tex-math><mml:math><mml:mi>x</mml:mi></mml:math>", "x"),
        ("Abstract Interpretation:\u2028 a\x00 Model", "Abstract Interpretation: a Model"),
    ],
)
def test_markup_becomes_plain_text(markup: str, text: str) -> None:
    """Tags, entities and control characters go; mathematics and every script stay."""
    assert plain_text(markup) == text


FACTS: Facts = {
    "title": "A title", "authors": ["Ada Lovelace"], "year": 2021, "venue": "Nature", "abstract": "About it.",
    "doi": "10.1000/1", "pmid": "1", "arxiv": "2104.12255", "citations": 1,
}  # fmt: skip
READERS: dict[str, tuple[dict[str, Any], Callable[[Record], Paper | None]]] = {
    "europe_pmc": (europe_pmc_result(FACTS), read_record),
    "serpapi": (serpapi_result(FACTS, 0), read_result),
    "openalex": (openalex_work(FACTS), openalex.read_work),
    "crossref": (crossref_work(FACTS), crossref.read_work),
    "semantic_scholar": (semantic_scholar_paper(FACTS), semantic_scholar.read_paper),
}
TITLES = {"title", "display_name"}
TEXTS = ("", "x" * 100_000, "\x00\u202e<b>", "https://[")
ODD: tuple[Any, ...] = (*TEXTS, None, True, -1, 2**70, 1.5, [], [None], {}, [[{}]], {"a": None})


def places(value: object, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path to each value below this one."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, *path, key)


@pytest.mark.parametrize("source", READERS)
def test_an_odd_value_is_an_unknown_fact(source: str) -> None:
    """In every place of a record, at any depth; only the title is needed."""
    record, read = READERS[source]
    for path in places(record):
        for odd in ODD:
            changed = copy.deepcopy(record)
            inner: Any = changed
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = odd
            paper = read(changed)
            assert path[0] in TITLES or (paper and paper.title == "A title"), (path, odd)
            assert paper is None or len(paper.model_dump_json()) < 10_000


ARXIV_PDF, CC = "https://arxiv.org/pdf/2101.00001v2", "https://creativecommons.org/licenses/by/4.0/"
Row = tuple[str, dict[str, Any], dict[str, object]]
DATES: tuple[Any, ...] = (None, {}, {"date-parts": None}, {"date-parts": [[None]]}, {"date-parts": [[]]})
NO_YEAR: list[Row] = [
    ("crossref", {"issued": date, "published": {"date-parts": [[2020]]}}, {"year": 2020}) for date in DATES
]
OTHER_PLACES: tuple[Row, ...] = (
    ("openalex", {"display_name": None, "title": "A title", "id": "https://openalex.org/W1"},
     {"url": "https://openalex.org/W1", "open_access": None}),
    ("openalex", {"ids": {"doi": "10.1000/1"}, "type": "paratext", "biblio": {"first_page": "7", "last_page": "7"},
      "primary_location": {"landing_page_url": "https://e.org/1", "pdf_url": "https://e.org/own.pdf"}},
     {"ids.doi": "10.1000/1", "type": "other", "pages": "7", "url": "https://e.org/1", "pdf_url": "https://e.org/own.pdf"}),
    ("openalex", {"type": "book", "best_oa_location": {"pdf_url": ARXIV_PDF, "license": "cc0"},
      "primary_location": {"source": {"type": "conference"}, "pdf_url": "https://e.org/closed.pdf"}},
     {"type": "book", "ids.arxiv": "2101.00001", "license": "cc0", "pdf_url": ARXIV_PDF}),
    ("crossref", {"title": ["On Cats: a study"], "subtitle": ["A Study"], "editor": [{"family": "Itor", "given": "Ed"}],
      "short-container-title": ["J. Cats"], "article-number": "e7", "type": "grant", "updated-by": [{"label": "Fix"}]},
     {"title": "On Cats: a study", "authors": ("Ed Itor",), "editors": (), "venue": "J. Cats", "pages": "e7",
      "type": "other", "notices": ("Fix: None",), "open_access": None, "pdf_url": None}),
    ("crossref", {"link": [{"URL": "https://e.org/x.html", "content-type": "text/html"}],
      "license": [{"URL": "https://e.org/vor"}, {"URL": CC, "content-version": "tdm"}]},
     {"license": CC, "open_access": True, "pdf_url": None}),
    ("crossref", {"license": [{"URL": "https://e.org/tdm", "content-version": "tdm"}, {"URL": "https://e.org/vor"}],
      "updated-by": [{"type": "correction"}]}, {"license": "https://e.org/vor", "retracted": None}),
    *NO_YEAR,
    ("crossref", {"issued": {"date-parts": [[None]]}}, {"year": None}),
    ("europe_pmc", {"source": "PPR", "id": "PPR170401", "doi": "10.48550/arXiv.2104.12255", "bookOrReportDetails":
      {"publisher": "arXiv", "isbn13": "9783658176716"}, "pubTypeList": {"pubType": ["Preprint", "review"]}},
     {"type": "preprint", "venue": "arXiv", "ids.arxiv": "2104.12255", "publisher": "arXiv", "isbn": "9783658176716",
      "ids.other": {"europe_pmc": "PPR:PPR170401"}}),
    ("europe_pmc", {"title": "And so on...", "source": "AGR", "id": "IND/6 1", "pubYear": None, "isOpenAccess": None,
      "journalInfo": {"yearOfPublication": 2019, "journal": {"essn": "1234-567X"}}, "pmid": None,
      "bookOrReportDetails": {"isbn10": "3658176717"}, "authorList": {"author": [{"firstName": 7, "fullName": "C A"}]},
      "commentCorrectionList": {"commentCorrection": [{"type": "Erratum for"}, {"type": "Comment in"}]}},
     {"title": "And so on...", "year": 2019, "issn": "1234-567X", "isbn": "3658176717", "authors": ("C A",),
      "notices": (), "url": "https://europepmc.org/article/AGR/IND/6%201", "open_access": None}),
    ("semantic_scholar", {"venue": "arXiv.org", "journal": {"volume": "abs/1"}, "publicationTypes": ["JournalArticle"]},
     {"type": "preprint", "volume": None}),
    ("semantic_scholar", {"publicationTypes": ["Conference", "Review"]}, {"type": "review"}),
)  # fmt: skip


@pytest.mark.parametrize(("source", "changes", "expected"), OTHER_PLACES)
def test_a_fact_may_stand_in_another_place(source: str, changes: dict[str, Any], expected: dict[str, object]) -> None:
    """Sources have many facts in several places, of which one is often empty, and the better one counts."""
    blank = {"title": ["A title"]} if source == "crossref" else {"title": "A title", "display_name": "A title"}
    paper = READERS[source][1]({**blank, **changes})
    assert {name: attrgetter(name)(paper) for name in expected} == expected
