"""Records are read one by one and bounded; what a source gets wrong costs nothing else."""

from typing import Any

import pytest
from goldpan.errors import Unavailable
from goldpan.kinds.papers.identifiers import NORMALISERS, normalise_url
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources.records import Record, make_ids, make_paper, plain_text, read_records

AUTHORS = tuple(f"Author {number}" for number in range(20))


def read(record: Record) -> Paper | None:
    """Read a record with a title and a year."""
    return make_paper("test", record.get("title"), year=record.get("year"), authors=record.get("authors") or ())


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
    """Titles, names, lists of authors and addresses have a bound."""
    names = [f"Author {n} " + "x" * 500 for n in range(3000)]
    paper = make_paper("test", "字" * 5000, authors=names, url="https://example.org/" + "x" * 5000)
    assert paper is not None
    assert len(paper.model_dump_json().encode()) < 4000


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("year", [None, 0, -1, 99999, "soon", True, 2020.5, "20\uff120"], None),
        ("citations", [None, -1, 2**60, "7", True], None), ("citations", [0], 0), ("retracted", ["no", 1], None),
        ("year", ["2020-05-01"], 2020), ("pdf_url", ["javascript:alert(1)"], None), ("open_access", ["yes"], None),
        ("volume", [7, "7", ["7", "8"]], "7"), ("volume", [True, [], {}], None), ("pages", ["12 \u2013 34"], "12-34"),
        ("url", ["https://e.org/a b", "https://e.org/\x00", "ftp://e.org/"], None),
        ("url", ["https://e.org/\u00e4", " https://e.org/\u00e4 "], "https://e.org/\u00e4"),
        ("notices", [["n"] * 9, [None, *["n"] * 5]], ("n",) * 5), ("snippet", ["x" * 1000], "x" * 1000),
        ("abstract", ["Abstract: We test.", "<jats:title>ABSTRACT</jats:title><p>We test.</p>"], "We test."),
        ("abstract", ["Abstract machines run."], "Abstract machines run."), ("authors", [["A", "B", "A"]], ("A", "B")),
        ("authors", [[*AUTHORS, "B"], [*AUTHORS, "…"]], (*AUTHORS, "et al.")), ("authors", [AUTHORS], AUTHORS),
        ("editors", [[*AUTHORS, "B"]], (*AUTHORS, "et al.")), ("organisations", [AUTHORS], AUTHORS),
    ],
)  # fmt: skip
def test_a_fact_is_read_or_unknown(name: str, values: list[object], expected: object) -> None:
    """What is missing or impossible is never a default: no year is not this year, nor 0."""
    facts: list[dict[str, Any]] = [{name: value} for value in values]
    assert [getattr(make_paper("test", "Title", **fact), name) for fact in facts] == [expected] * len(values)


def test_identifiers_are_normalised() -> None:
    """A DOI of arXiv is also an arXiv id, and a list may hold one anywhere; no number is that of another system."""
    assert make_ids(doi="https://doi.org/10.48550/ARXIV.2104.12255").arxiv == "2104.12255"
    ids = make_ids(doi="10.1000/XYZ", arxiv=[None, "https://example.org/", "http://arxiv.org/pdf/hep-th/9901001v2"])
    assert (ids.doi, ids.arxiv) == ("10.1000/xyz", "hep-th/9901001")
    assert {make_ids(pmcid=each).pmcid for each in (45, "45", "pmc45", "https://www.e.org/articles/45/")} == {"PMC45"}
    pmid, pmcid, openalex, scholar = (NORMALISERS[name] for name in ("pmid", "pmcid", "openalex", "semantic_scholar"))
    assert pmid("https://pubmed.ncbi.nlm.nih.gov/0123456/") == pmid(123456) == "123456"
    assert pmcid("https://pmc.ncbi.nlm.nih.gov/articles/pmc7096066/") == "PMC7096066"
    assert openalex("https://openalex.org/W2741809807") == openalex("w2741809807") == "W2741809807"
    sha = "649def34f8be52c8b66281af98ae884c09aef38b"
    assert scholar(f"https://www.semanticscholar.org/paper/{sha.upper()}") == sha
    assert [pmcid("7096066"), openalex("2741809807"), scholar("123"), pmid("000")] == [None] * 4
    assert normalise_url("https://www.Example.org/a/#b") == normalise_url("http://example.org/a") == "example.org/a"
    assert (normalise_url("https://example.org/?id=1"), normalise_url("https://example.org/")) == (
        "example.org?id=1",
        None,
    )


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<jats:p>One <jats:italic>E. coli</jats:italic></jats:p>", "One E. coli"),
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
