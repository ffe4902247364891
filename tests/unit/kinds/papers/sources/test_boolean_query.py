"""Queries in Boolean syntax: concepts and constraints in each source's own words, and nothing else that is read."""

from collections.abc import Callable
from typing import Any

import pytest
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources.arxiv import ArXiv
from goldpan.kinds.papers.sources.europe_pmc import EuropePMC
from goldpan.kinds.papers.sources.queries import Asked
from goldpan.kinds.papers.sources.serpapi import SerpApi

Write = Callable[[PaperQuery, Constraints], Asked]
WRITERS: dict[str, Write] = {"arxiv": ArXiv.write, "europe_pmc": EuropePMC.write, "serpapi": SerpApi.write}
GRAPHS = PaperQuery(concepts=(("graph neural networks", "GNN"), ("molecules",)))
NAMES: dict[str, Any] = {"venues": ("Nature", "Science"), "authors": ("Guido van Rossum", "Lovelace, Ada")}
TYPES: dict[str, Any] = {"types": ("review",), "excluded_types": ("preprint",), "excluded_terms": ("drug discovery",)}
EVERYTHING = Constraints(year_from=2020, year_to=2023, open_access=True, **NAMES, **TYPES)


def test_arxiv_gets_fields_years_and_exclusions() -> None:
    """Its only type is the survey, known by its title; a venue is in a reference or a comment, and arXiv is none."""
    own_name = Constraints(venues=("arXiv",))
    assert WRITERS["arxiv"](GRAPHS, own_name) == WRITERS["arxiv"](GRAPHS, Constraints())
    limits = Constraints(year_to=1980, authors=("A. Lovelace", "A B"))
    assert WRITERS["arxiv"](PaperQuery(concepts=(("and",), ("graphs",))), limits).text == (
        'all:graphs AND submittedDate:[198001010000 TO 198012312359] AND au:lovelace AND au:"a b"'
    )
    assert WRITERS["arxiv"](GRAPHS, EVERYTHING).text == (
        "all:molecules AND ((all:graph AND all:neural AND all:networks) OR all:gnn)"
        " AND submittedDate:[202001010000 TO 202312312359]"
        ' AND au:"guido van rossum" AND au:"lovelace ada"'
        " AND (jr:nature OR co:nature OR jr:science OR co:science)"
        ' AND (ti:survey OR ti:review OR ti:overview) ANDNOT ti:"drug discovery"'
    )


def test_europe_pmc_gets_all_constraints() -> None:
    """Concepts are looked for in titles, abstracts and keywords; patents are never papers."""
    text = WRITERS["europe_pmc"](PaperQuery(concepts=(("CRISPR-Cas9",),), exact=("CRISPR-Cas9",)), EVERYTHING).text
    assert "PUB_YEAR:[1000 TO 2000]" in WRITERS["europe_pmc"](GRAPHS, Constraints(year_to=2000)).text
    assert "PUB_YEAR:[2020 TO 3000]" in WRITERS["europe_pmc"](GRAPHS, Constraints(year_from=2020)).text
    assert text == (
        '(TITLE:"crispr cas9" OR ABSTRACT:"crispr cas9" OR KW:"crispr cas9") AND PUB_YEAR:[2020 TO 2023]'
        ' AND OPEN_ACCESS:y AND PUB_TYPE:"review" AND AUTH:"van rossum g" AND AUTH:"lovelace a"'
        ' AND (JOURNAL:nature OR JOURNAL:science) NOT SRC:PAT NOT SRC:PPR NOT TITLE:"drug discovery"'
    )


def test_google_scholar_gets_years_and_reviews_as_parameters() -> None:
    """Single words are not quoted, so that they are found in other forms too."""
    asked = WRITERS["serpapi"](GRAPHS, EVERYTHING)
    assert asked.text == (
        'molecules ((graph neural networks) OR gnn) author:"g van rossum" author:"a lovelace"'
        ' (source:nature OR source:science) -intitle:"drug discovery"'
    )
    assert asked.params == {"as_ylo": "2020", "as_yhi": "2023", "as_rr": "1"}


@pytest.mark.parametrize("source", WRITERS)
def test_filters_take_no_more_than_half_of_a_query(source: str) -> None:
    """The first names stay, and the note lists the others."""
    long = tuple((f"first{n}", f"second{n} " + "wordy " * 30) for n in range(90))
    names = Constraints(authors=tuple(f"author{n}" for n in range(90)))
    asked = WRITERS[source](PaperQuery(concepts=long), names)
    assert "first0" in asked.text
    assert "author0" in asked.text
    assert len(asked.text) <= {"serpapi": 256}.get(source, 1520)
    assert any("author89" in note for note in asked.notes)


@pytest.mark.parametrize(
    ("author", "written"),
    [("Jon Kabat-Zinn", "j kabat zinn"), ("Kabat-Zinn", "kabat zinn"), ("Cathy O'Neil", "c o neil"),
     ("Jean-Pierre Serre", "j serre"), ("Guido van Rossum", "g van rossum")],
)  # fmt: skip
def test_a_family_name_of_several_words_stays_whole(author: str, written: str) -> None:
    """Zinn, K. is another person."""
    assert WRITERS["serpapi"](GRAPHS, Constraints(authors=(author,))).text.endswith(f'author:"{written}"')


def test_google_scholar_gets_the_full_name_of_a_venue() -> None:
    """Half of its short query has no room for all names of two venues."""
    venues = ("KDD", "SIGKDD", "Knowledge Discovery and Data Mining", "NeurIPS", "NIPS")
    asked = WRITERS["serpapi"](GRAPHS, Constraints(venues=venues))
    assert asked.text.endswith(
        '(source:"knowledge discovery and data mining" OR source:"advances in neural information processing systems")'
    )
    assert asked.notes == ()
