"""OpenAlex: filters by what a question asks for, and works with inverted abstracts, addresses as identifiers, nulls."""

from typing import Any

import pytest
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.openalex import OpenAlex, read_work, restore_abstract

ABOUT_CATS = PaperQuery(concepts=(("cats",),))


def test_constraints_become_filters() -> None:
    """A venue has none; "conference" has none either, since OpenAlex has such papers as articles."""
    given = Constraints(
        year_from=2020, year_to=2024, types=("review", "article"), excluded_types=("book",), open_access=True
    )
    assert OpenAlex.write(ABOUT_CATS, given).params["filter"] == (
        "from_publication_date:2020-01-01,to_publication_date:2024-12-31,is_oa:true,type:review|article,type:!book"
    )
    limited = OpenAlex.write(
        ABOUT_CATS, Constraints(types=("conference",), open_access=False, authors=("A. Cat", "B. Cat"))
    )
    assert limited.params["filter"] == "is_oa:false,raw_author_name.search:a cat,raw_author_name.search:b cat"


@pytest.mark.parametrize(
    ("index", "abstract"),
    [
        ({"two": [1, 3], "one": [0], "three": [2]}, "one two three two"),
        ({"one": [0], "gap": [40]}, "one gap"),
        ({"one": [0], "bad": [-1, None, "2", True, 10**9], "null": None}, "one"),
        ({}, None),
    ],
)
def test_an_inverted_abstract_becomes_text(index: object, abstract: str | None) -> None:
    """Positions that are missing, repeated or impossible cost only themselves."""
    assert restore_abstract(index) == abstract


def test_a_work_is_mapped() -> None:
    """Addresses become identifiers, the arXiv id is from where the work lies openly; a name keeps its parts."""
    work: dict[str, Any] = {
        "id": "https://openalex.org/W42",
        "doi": "https://doi.org/10.1000/ABC",
        "ids": {
            "pmid": "https://pubmed.ncbi.nlm.nih.gov/0123",
            "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/45",
        },
        "display_name": "On <i>cats</i>",
        "publication_year": 2021,
        "type": "article",
        "authorships": [
            None,
            {"author": None, "raw_author_name": "Cat, A."},
            {"author": {"display_name": "Bo Cat"}},
            {"author": {"display_name": "Gabriel García Márquez"}, "raw_author_name": "García Márquez, Gabriel"},
        ],
        "biblio": {"volume": "7", "issue": "2", "first_page": "12", "last_page": "34"},
        "language": "en",
        "primary_location": {
            "source": {
                "display_name": "Proc. Cats",
                "type": "conference",
                "host_organization_name": "Springer",
                "issn_l": "1234-567X",
            },
            "license": "cc-by",
            "pdf_url": None,
        },
        "best_oa_location": {"landing_page_url": "http://arxiv.org/abs/2101.00001v2", "pdf_url": "https://a.org/x.pdf"},
        "open_access": {"is_oa": True},
        "cited_by_count": 5,
        "is_retracted": True,
    }
    paper = read_work(work)
    assert paper is not None
    assert paper.model_dump(exclude_none=True, exclude_defaults=True) == {
        "source": "openalex", "title": "On cats", "authors": ("Cat, A.", "Bo Cat", "García Márquez, Gabriel"),
        "year": 2021, "venue": "Proc. Cats", "url": "https://doi.org/10.1000/ABC", "pdf_url": "https://a.org/x.pdf",
        "ids": {"doi": "10.1000/abc", "arxiv": "2101.00001", "pmid": "123", "pmcid": "PMC45", "openalex": "W42"},
        "citations": 5, "type": "conference", "open_access": True, "retracted": True, "volume": "7", "issue": "2",
        "pages": "12-34", "publisher": "Springer", "issn": "1234-567X", "language": "en", "license": "cc-by",
    }  # fmt: skip
