"""Semantic Scholar's papers: nulls everywhere, numbers as identifiers, and its filters."""

import pytest
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.semantic_scholar import SemanticScholar, read_paper

SHA = "db3720c812a462ef955d5654b65ca9189d4b8372"


def test_a_paper_is_mapped() -> None:
    """Its own ids and those of others are kept; an empty venue and address are unknown."""
    record = {
        "paperId": SHA,
        "externalIds": {"DOI": "10.1000/ABC", "CorpusId": 10888161, "PubMed": "25349395", "PubMedCentral": "45"},
        "title": "On cats", "venue": "", "year": 2014, "citationCount": 5, "isOpenAccess": False,
        "openAccessPdf": {"url": "", "status": "CLOSED", "license": "CCBY"},
        "journal": {"volume": "7", "pages": "12 - 34"}, "publicationTypes": ["JournalArticle", "Review"],
        "authors": [{"authorId": None, "name": "Ada Cat"}, {"name": None}, None],
    }  # fmt: skip
    paper = read_paper(record)
    assert paper is not None
    ids = {"doi": "10.1000/abc", "pmid": "25349395", "pmcid": "PMC45", "semantic_scholar": SHA, "corpus": "10888161"}
    assert paper.model_dump(exclude_none=True, exclude_defaults=True) == {
        "source": "semantic_scholar",
        "title": "On cats",
        "authors": ("Ada Cat",),
        "year": 2014,
        "ids": ids,
        "citations": 5,
        "type": "review",
        "open_access": False,
        "volume": "7",
        "pages": "12-34",
        "license": "CCBY",
    }


@pytest.mark.parametrize(
    ("constraints", "filters"),
    [
        (Constraints(year_from=2020, year_to=2024), {"year": "2020-2024"}),
        (Constraints(year_from=2020), {"year": "2020-"}),
        (Constraints(venues=("Nature", "Science,Vol. 2", ",")), {"venue": "Nature,Science Vol. 2"}),
        (Constraints(types=("review", "book")), {"publicationTypes": "Review,MetaAnalysis,Book"}),
        (Constraints(types=("review", "thesis")), {}),
        (Constraints(open_access=True), {"openAccessPdf": ""}),
    ],
)
def test_constraints_become_filters(constraints: Constraints, filters: dict[str, str]) -> None:
    """A type that Semantic Scholar does not have is no filter, else it would find nothing."""
    asked = SemanticScholar.write(PaperQuery(concepts=(("state-of-the-art cats",),)), constraints)
    assert asked.params == {"query": "cats art state", **filters}
    shown = [f"{name}:{value}".rstrip(":") for name, value in filters.items()]
    assert asked.text == " ".join(["cats art state", *shown])
