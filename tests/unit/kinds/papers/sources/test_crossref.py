"""Crossref: filters by what a question asks for, and works with lists, partial dates, JATS and relations."""

from typing import Any

from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.crossref import Crossref, read_work


def test_constraints_become_parameters_and_filters() -> None:
    """Names are fields of the query, and types are alternatives."""
    given = Constraints(
        year_from=2020,
        year_to=2024,
        types=("conference", "thesis"),
        authors=("Ada Cat",),
        venues=("Journal: of Cats",),
        open_access=True,
    )
    asked = Crossref.write(PaperQuery(concepts=(("cats",),)), given)
    assert asked.params == {
        "query.bibliographic": "cats",
        "query.author": "ada cat",
        "query.container-title": "journal of cats",
        "filter": "from-pub-date:2020,until-pub-date:2024,type:proceedings-article,type:dissertation",
    }


def test_a_work_is_mapped() -> None:
    """First members of lists count; a group is an author; the preprint at arXiv is an identifier."""
    work: dict[str, Any] = {
        "DOI": "10.1000/ABC",
        "URL": "https://doi.org/10.1000/abc",
        "title": [None, "On &lt;i&gt;cats&lt;/i&gt;"],
        "subtitle": ["Part II"],
        "author": [
            {"given": "Ada", "family": "Cat"},
            {"given": "Gabriel", "family": "García Márquez"},
            None,
            {"name": "The Cat Group"},
            {"family": "Bo"},
            {"given": None},
        ],
        "container-title": ["Journal of Cats"],
        "issued": {"date-parts": [[2021, 5]]},
        "type": "proceedings-article",
        "abstract": "<jats:title>Abstract</jats:title><jats:p>About cats.</jats:p>",
        "link": [
            {"URL": "https://a.org/x.xml", "content-type": "text/xml"},
            {"URL": "https://a.org/y.pdf", "content-type": "application/pdf"},
        ],
        "license": [
            {"URL": "https://x.org/tdm", "content-version": "tdm"},
            {"URL": "http://creativecommons.org/licenses/by/4.0/"},
        ],
        "is-referenced-by-count": 5,
        "relation": {"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.00001"}]},
        "updated-by": [{"type": "retraction", "DOI": "10.1000/gone"}, {"type": "correction", "DOI": "10.1000/fix"}],
        "volume": "7",
        "issue": "2",
        "publisher": "Springer",
        "page": "12 - 34",
        "ISSN": ["1234-5678"],
        "ISBN": [None],
        "editor": [{"given": "Ed", "family": "Itor"}],
    }
    paper = read_work(work)
    assert paper is not None
    assert paper.model_dump(exclude_none=True, exclude_defaults=True) == {
        "source": "crossref", "title": "On cats: Part II",
        "authors": ("Ada Cat", "García Márquez, Gabriel", "The Cat Group", "Bo"), "year": 2021,
        "venue": "Journal of Cats", "abstract": "About cats.", "url": "https://doi.org/10.1000/abc",
        "pdf_url": "https://a.org/y.pdf", "ids": {"doi": "10.1000/abc", "arxiv": "2101.00001"}, "citations": 5,
        "type": "conference", "open_access": True, "retracted": True,
        "license": "http://creativecommons.org/licenses/by/4.0/",
        "notices": ("Retraction: 10.1000/gone", "Correction: 10.1000/fix"), "volume": "7", "issue": "2",
        "publisher": "Springer", "pages": "12-34", "issn": "1234-5678", "editors": ("Ed Itor",),
    }  # fmt: skip
