"""The records of every source as papers: whole ones, those with holes, odd values, and facts in other places."""

import copy
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

import pytest
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.sources import crossref, europe_pmc, openalex, semantic_scholar, serpapi
from goldpan.kinds.papers.sources.records import Record

from tests.support.paper_shapes import (
    Facts,
    crossref_work,
    europe_pmc_result,
    openalex_work,
    semantic_scholar_paper,
    serpapi_result,
)

FACTS: Facts = {
    "title": "A title", "authors": ["Ada Lovelace"], "year": 2021, "venue": "Nature", "abstract": "About it.",
    "doi": "10.1000/1", "pmid": "1", "arxiv": "2104.12255", "citations": 1,
}  # fmt: skip
READERS: dict[str, tuple[dict[str, Any], Callable[[Record], Paper | None]]] = {
    "europe_pmc": (europe_pmc_result(FACTS), europe_pmc.read_record),
    "serpapi": (serpapi_result(FACTS, 0), serpapi.read_result),
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


Row = tuple[str, dict[str, Any], dict[str, object]]
EUROPE_PMC: dict[str, Any] = {
    "id": "31113943", "source": "MED", "pmid": "31113943", "pmcid": "PMC6529476", "doi": "10.1038/S41467-019-10001-1",
    "title": "The role of <i>BRCA1</i> in mice.", "authorString": "Lovelace A, Babbage C, The Engine Group.",
    "authorList": {"author": [
        {"fullName": "Lovelace A", "firstName": "Ada", "lastName": "Lovelace", "initials": "A"},
        {"fullName": "Babbage C", "lastName": "Babbage"}, None, {"collectiveName": "Engine Works"},
    ]},
    "journalInfo": {
        "yearOfPublication": 2019, "volume": "7", "issue": "2",
        "journal": {"title": "Nature communications", "ISOAbbreviation": "Nat", "issn": "1234-567X"},
    },
    "pageInfo": "12-34", "language": "eng", "license": "cc by", "isOpenAccess": "Y", "citedByCount": 33,
    "commentCorrectionList": {"commentCorrection": [{"type": "Expression of concern in", "source": "MED", "id": "9"}]},
    "pubYear": "2019", "abstractText": "<h4>Background</h4>One &lt; two.<h4>Results</h4>Three.",
    "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
    "fullTextUrlList": {"fullTextUrl": [
        {"availabilityCode": "S", "documentStyle": "pdf", "url": "https://publisher.example/paid.pdf"},
        {"availabilityCode": "OA", "documentStyle": "html", "url": "https://europepmc.org/articles/PMC6529476"},
        {"availabilityCode": "OA", "documentStyle": "pdf", "url": "https://europepmc.org/PMC6529476.pdf"},
    ]},
}  # fmt: skip
WHOLE: tuple[Row, ...] = (
    ("openalex", {
        "id": "https://openalex.org/W42", "doi": "https://doi.org/10.1000/ABC", "display_name": "On <i>cats</i>",
        "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/0123", "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/45"},
        "publication_year": 2021, "type": "article", "language": "en", "cited_by_count": 5, "is_retracted": True,
        "authorships": [
            None, {"author": None, "raw_author_name": "Cat, A."}, {"author": {"display_name": "Bo Cat"}},
            {"author": {"display_name": "Gabriel García Márquez"}, "raw_author_name": "García Márquez, Gabriel"},
        ],
        "biblio": {"volume": "7", "issue": "2", "first_page": "12", "last_page": "34"}, "open_access": {"is_oa": True},
        "primary_location": {
            "source": {"display_name": "Proc. Cats", "type": "conference", "host_organization_name": "Springer",
                       "issn_l": "1234-567X"},
            "license": "cc-by", "pdf_url": None,
        },
        "best_oa_location": {"landing_page_url": "http://arxiv.org/abs/2101.00001v2", "pdf_url": "https://a.org/x.pdf"},
    }, {
        "source": "openalex", "title": "On cats", "authors": ("Cat, A.", "Bo Cat", "García Márquez, Gabriel"),
        "year": 2021, "venue": "Proc. Cats", "url": "https://doi.org/10.1000/ABC", "pdf_url": "https://a.org/x.pdf",
        "ids": {"doi": "10.1000/abc", "arxiv": "2101.00001", "pmid": "123", "pmcid": "PMC45", "openalex": "W42"},
        "citations": 5, "type": "conference", "open_access": True, "retracted": True, "volume": "7", "issue": "2",
        "pages": "12-34", "publisher": "Springer", "issn": "1234-567X", "language": "en", "license": "cc-by",
    }),
    ("crossref", {
        "DOI": "10.1000/ABC", "URL": "https://doi.org/10.1000/abc", "title": [None, "On &lt;i&gt;cats&lt;/i&gt;"],
        "subtitle": ["Part II"], "container-title": ["Journal of Cats"], "issued": {"date-parts": [[2021, 5]]},
        "author": [
            {"given": "Ada", "family": "Cat"}, {"given": "Gabriel", "family": "García Márquez"}, None,
            {"name": "United Cats"}, {"family": "Bo"}, {"given": None},
        ],
        "type": "proceedings-article", "is-referenced-by-count": 5, "volume": "7", "issue": "2", "page": "12 - 34",
        "abstract": "<jats:title>Abstract</jats:title><jats:p>About cats.</jats:p>", "publisher": "Springer",
        "link": [{"URL": "https://a.org/x.xml", "content-type": "text/xml"},
                 {"URL": "https://a.org/y.pdf", "content-type": "application/pdf"}],
        "license": [{"URL": "https://x.org/tdm", "content-version": "tdm"},
                    {"URL": "http://creativecommons.org/licenses/by/4.0/"}],
        "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.00001"}]},
        "updated-by": [{"type": "retraction", "DOI": "10.1000/gone"}, {"type": "correction", "DOI": "10.1000/fix"}],
        "ISSN": ["1234-5678"], "ISBN": [None], "editor": [{"given": "Ed", "family": "Itor"}],
    }, {
        "source": "crossref", "title": "On cats: Part II",
        "authors": ("Ada Cat", "García Márquez, Gabriel", "United Cats", "Bo"), "year": 2021,
        "venue": "Journal of Cats", "abstract": "About cats.", "url": "https://doi.org/10.1000/abc",
        "pdf_url": "https://a.org/y.pdf", "ids": {"doi": "10.1000/abc", "arxiv": "2101.00001"}, "citations": 5,
        "type": "conference", "open_access": True, "retracted": True, "organisations": ("United Cats",),
        "license": "http://creativecommons.org/licenses/by/4.0/",
        "notices": ("Retraction: 10.1000/gone", "Correction: 10.1000/fix"), "volume": "7", "issue": "2",
        "publisher": "Springer", "pages": "12-34", "issn": "1234-5678", "editors": ("Ed Itor",),
    }),
    ("semantic_scholar", {
        "paperId": "db3720c812a462ef955d5654b65ca9189d4b8372", "title": "On cats", "venue": "", "year": 2014,
        "externalIds": {"DOI": "10.1000/ABC", "CorpusId": 10888161, "PubMed": "25349395", "PubMedCentral": "45"},
        "citationCount": 5, "isOpenAccess": False, "openAccessPdf": {"url": "", "status": "CLOSED", "license": "CCBY"},
        "journal": {"volume": "7", "pages": "12 - 34"}, "publicationTypes": ["JournalArticle", "Review"],
        "authors": [{"authorId": None, "name": "Ada Cat"}, {"name": None}, None],
    }, {
        "source": "semantic_scholar", "title": "On cats", "authors": ("Ada Cat",), "year": 2014,
        "ids": {"doi": "10.1000/abc", "pmid": "25349395", "pmcid": "PMC45", "corpus": "10888161",
                "semantic_scholar": "db3720c812a462ef955d5654b65ca9189d4b8372"},
        "citations": 5, "type": "review", "open_access": False, "volume": "7", "pages": "12-34", "license": "CCBY",
    }),
    ("serpapi", {
        "title": "[PDF][PDF] Bananas and plantains", "result_id": "dyZ4bDycdLQJ", "type": "Book",
        "link": "https://books.example/1", "snippet": "… created in 1993 …",
        "publication_info": {"summary": "JC Robinson - 2010 - books.example"},
        "inline_links": {"cited_by": {"total": 1179}},
        "resources": [{"file_format": "HTML", "link": "https://a.example/x"},
                      {"file_format": "PDF", "link": "https://a.example/y"}],
    }, {
        "source": "serpapi", "title": "Bananas and plantains", "authors": ("JC Robinson",), "year": 2010,
        "snippet": "… created in 1993 …", "url": "https://books.example/1", "pdf_url": "https://a.example/y",
        "ids": {"google_scholar": "dyZ4bDycdLQJ"}, "citations": 1179, "type": "book",
    }),
    ("europe_pmc", {"title": "Only a title?", "authorList": [], "citedByCount": "7", "pubYear": None},
     {"source": "europe_pmc", "title": "Only a title?"}),
    ("europe_pmc", EUROPE_PMC, {
        "source": "europe_pmc", "title": "The role of BRCA1 in mice", "citations": 33, "type": "article",
        "authors": ("Ada Lovelace", "Babbage C", "Engine Works"), "year": 2019, "venue": "Nature communications",
        "abstract": "Background One < two. Results Three.", "url": "https://europepmc.org/article/MED/31113943",
        "pdf_url": "https://europepmc.org/PMC6529476.pdf", "open_access": True, "volume": "7", "issue": "2",
        "ids": {"doi": "10.1038/s41467-019-10001-1", "pmid": "31113943", "pmcid": "PMC6529476"}, "pages": "12-34",
        "issn": "1234-567X", "language": "eng", "license": "cc by", "notices": ("Expression of concern: MED:9",),
        "organisations": ("Engine Works",),
    }),
)  # fmt: skip


@pytest.mark.parametrize(("source", "record", "expected"), WHOLE)
def test_a_whole_record_is_read(source: str, record: dict[str, Any], expected: dict[str, object]) -> None:
    """Addresses become identifiers, groups authors, and what is empty is unknown; names keep their parts."""
    paper = READERS[source][1](record)
    assert paper
    assert paper.model_dump(exclude_none=True, exclude_defaults=True) == expected


ARXIV_PDF, CC = "https://arxiv.org/pdf/2101.00001v2", "https://creativecommons.org/licenses/by/4.0/"
NO_PARTS: tuple[Any, ...] = (None, [[None]], [[]])
NO_YEAR: list[Row] = [
    ("crossref", {"issued": {"date-parts": parts}, "published": {"date-parts": [[2020]]}}, {"year": 2020})
    for parts in NO_PARTS
]
KINDS: list[Row] = [
    ("europe_pmc", {"pubTypeList": {"pubType": kinds}}, {"type": expected, "retracted": retracted})
    for kinds, expected, retracted in (
        (["Systematic Review", "Journal Article"], "review", None), (["Editorial", "Journal Article"], "other", None),
        (["Congress"], "conference", None), (["Case Reports"], None, None), ([], None, None),
        (["Journal Article", "Retracted Publication"], "article", True), (["Retraction of Publication"], "other", None),
    )
]  # fmt: skip
"""A review is an article too, an unknown type is not guessed, and the notice of a retraction is not retracted."""
INVERTED: list[Row] = [
    ("openalex", {"abstract_inverted_index": index}, {"abstract": text})
    for index, text in (
        ({"two": [1, 3], "one": [0], "three": [2]}, "one two three two"),
        ({"one": [0], "gap": [40]}, "one gap"),
        ({"one": [0], "bad": [-1, None, "2", True, 10**9], "null": None}, "one"),
        ({}, None),
    )
]
"""Positions that are missing, repeated or impossible cost only themselves."""
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
      "type": "other", "notices": ("Fix",), "open_access": None, "pdf_url": None}),
    ("crossref", {"link": [{"URL": "https://e.org/x.html", "content-type": "text/html"}],
      "license": [{"URL": "https://e.org/vor"}, {"URL": CC, "content-version": "tdm"}]},
     {"license": CC, "open_access": True, "pdf_url": None}),
    ("crossref", {"license": [{"URL": "https://e.org/tdm", "content-version": "tdm"}, {"URL": "https://e.org/vor"}],
      "updated-by": [{"type": "correction"}]}, {"license": "https://e.org/vor", "retracted": None}),
    *NO_YEAR, *KINDS, *INVERTED,
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
    ("europe_pmc", {"authorString": "Lovelace A, The Engine Group."}, {"authors": ("Lovelace A", "The Engine Group")}),
    ("europe_pmc", {"commentCorrectionList": {"commentCorrection": [
        {"type": "Erratum in", "source": "MED", "reference": "Cats. 2020;5:3"}, {"type": "Retraction in"}]}},
     {"notices": ("Erratum: Cats. 2020;5:3", "Retraction")}),
    ("europe_pmc", {"isOpenAccess": "N", "journalInfo": [1], "fullTextUrlList": {"fullTextUrl": [None, 3]}},
     {"open_access": False}),
    ("crossref", {"type": "book-chapter", "container-title": ["Lecture Notes in Cats", "Proc. Cats 2015"]},
     {"type": "chapter", "venue": "Proc. Cats 2015"}),
    ("openalex", {"display_name": "RETRACTED ARTICLE: On cats", "is_retracted": False}, {"retracted": True}),
    ("serpapi", {"publication_info": {"summary": "A B - arXiv preprint arXiv:2104.12255, 2021 - arxiv.org"}},
     {"type": "preprint", "venue": None, "ids.arxiv": "2104.12255", "year": 2021}),
    ("semantic_scholar", {"title": "[Withdrawn] On cats"}, {"retracted": True}),
    ("semantic_scholar", {"title": "Retracted papers: a study"}, {"retracted": None}),
    ("semantic_scholar", {"venue": "", "journal": {"name": "Nature"}}, {"venue": "Nature"}),
    ("semantic_scholar", {"venue": "arXiv.org", "journal": {"volume": "abs/1"}, "publicationTypes": ["JournalArticle"]},
     {"type": "preprint", "volume": None}),
    ("semantic_scholar", {"venue": "ICLR", "journal": {"name": "CoRR", "volume": "abs/1"}},
     {"venue": "ICLR", "type": None, "volume": None}),
    ("semantic_scholar", {"journal": {"name": "bioRxiv"}, "publicationTypes": ["JournalArticle"]},
     {"type": "preprint", "venue": "bioRxiv"}),
)  # fmt: skip


@pytest.mark.parametrize(("source", "changes", "expected"), OTHER_PLACES)
def test_a_fact_may_stand_in_another_place(source: str, changes: dict[str, Any], expected: dict[str, object]) -> None:
    """Sources have many facts in several places, of which one is often empty, and the better one counts."""
    blank = {"title": ["A title"]} if source == "crossref" else {"title": "A title", "display_name": "A title"}
    paper = READERS[source][1]({**blank, **changes})
    assert {name: attrgetter(name)(paper) for name in expected} == expected
