"""Records of Europe PMC as papers: articles, preprints, books, and records with holes."""

from typing import Any

import pytest
from goldpan.kinds.papers.models import Paper, PaperIds
from goldpan.kinds.papers.sources.europe_pmc import read_record

ARTICLE: dict[str, Any] = {
    "id": "31113943",
    "source": "MED",
    "pmid": "31113943",
    "pmcid": "PMC6529476",
    "doi": "10.1038/S41467-019-10001-1",
    "title": "The role of <i>BRCA1</i> in mice.",
    "authorString": "Lovelace A, Babbage C, The Engine Group.",
    "authorList": {
        "author": [
            {"fullName": "Lovelace A", "firstName": "Ada", "lastName": "Lovelace", "initials": "A"},
            {"fullName": "Babbage C", "lastName": "Babbage"},
            None,
            {"collectiveName": "The Engine Group"},
        ]
    },
    "journalInfo": {
        "yearOfPublication": 2019,
        "volume": "7",
        "issue": "2",
        "journal": {"title": "Nature communications", "ISOAbbreviation": "Nat", "issn": "1234-567X"},
    },
    "pageInfo": "12-34",
    "language": "eng",
    "license": "cc by",
    "commentCorrectionList": {"commentCorrection": [{"type": "Erratum in", "source": "MED", "id": "9"}]},
    "pubYear": "2019",
    "abstractText": "<h4>Background</h4>One &lt; two.<h4>Results</h4>Three.",
    "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
    "fullTextUrlList": {
        "fullTextUrl": [
            {"availabilityCode": "S", "documentStyle": "pdf", "url": "https://publisher.example/paid.pdf"},
            {"availabilityCode": "OA", "documentStyle": "html", "url": "https://europepmc.org/articles/PMC6529476"},
            {"availabilityCode": "OA", "documentStyle": "pdf", "url": "https://europepmc.org/PMC6529476.pdf"},
        ]
    },
    "isOpenAccess": "Y",
    "citedByCount": 33,
}


def read(**changes: Any) -> Paper:
    """Read an article with changes; None removes a field."""
    paper = read_record({name: value for name, value in {**ARTICLE, **changes}.items() if value is not None})
    assert paper
    return paper


def test_an_article() -> None:
    """Full names where they are known, groups as authors, text without markup, a PDF that everybody may read."""
    assert read() == Paper(
        source="europe_pmc",
        title="The role of BRCA1 in mice",
        authors=("Ada Lovelace", "Babbage C", "The Engine Group"),
        year=2019,
        venue="Nature communications",
        abstract="Background One < two. Results Three.",
        url="https://europepmc.org/article/MED/31113943",
        pdf_url="https://europepmc.org/PMC6529476.pdf",
        ids=PaperIds(doi="10.1038/s41467-019-10001-1", pmid="31113943", pmcid="PMC6529476"),
        citations=33,
        type="article",
        open_access=True,
        volume="7",
        issue="2",
        pages="12-34",
        issn="1234-567X",
        language="eng",
        license="cc by",
        notices=("Erratum: MED:9",),
    )


@pytest.mark.parametrize(
    ("kinds", "expected", "retracted"),
    [
        (["Systematic Review", "Journal Article"], "review", None),
        (["Editorial", "Journal Article"], "other", None),
        (["Congress"], "conference", None),
        (["Case Reports"], None, None),
        ([], None, None),
        (["Journal Article", "Retracted Publication"], "article", True),
        (["Retraction of Publication"], "other", None),
    ],
)
def test_the_most_telling_type_counts(kinds: list[str], expected: str | None, *, retracted: bool | None) -> None:
    """A review is an article too, an unknown type is not guessed, and the notice of a retraction is not retracted."""
    paper = read(pubTypeList={"pubType": kinds})
    assert (paper.type, paper.retracted) == (expected, retracted)


def test_a_record_with_holes_keeps_what_it_has() -> None:
    """Nulls and other types are unknown facts; the line of authors stands for a missing list."""
    assert read_record({"title": "Only a title?", "authorList": [], "citedByCount": "7", "pubYear": None}) == Paper(
        source="europe_pmc", title="Only a title?"
    )
    assert read(authorList=None).authors == ("Lovelace A", "Babbage C", "The Engine Group")
    assert read(isOpenAccess="N", journalInfo=[1], fullTextUrlList={"fullTextUrl": [None, 3]}).open_access is False
