"""Each source says by which constraints of a question it cannot filter."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.models import PaperQuery
from goldpan.kinds.papers.sources import arxiv, crossref, europe_pmc, openalex, semantic_scholar, serpapi

QUERY = PaperQuery(concepts=(("parsing",),))
LIMITS = Constraints(
    year_from=2020,
    venues=("ACL",),
    types=("thesis", "conference"),
    excluded_types=("review", "dataset"),
    open_access=False,
    excluded_terms=("speech",),
)


@pytest.mark.parametrize(
    ("notes", "title", "lacking"),
    [
        (openalex.write_query(QUERY, LIMITS).notes, "OpenAlex", "the name of a venue, these types, excluded words"),
        (crossref.write_query(QUERY, LIMITS).notes, "Crossref", "excluded types, open access, excluded words"),
        (arxiv.write_arxiv_query([QUERY], LIMITS).notes, "arXiv", "these types, excluded types, open access"),
        (semantic_scholar.write_query(QUERY, LIMITS).notes, "Semantic Scholar",
         "these types, excluded types, open access, excluded words"),
        (europe_pmc.write_europe_pmc_query(QUERY, LIMITS).notes, "Europe PMC",
         "these types, excluded types, open access"),
        (serpapi.write_scholar_query(QUERY, LIMITS).notes, "Google Scholar",
         "these types, excluded types, open access"),
    ],
)  # fmt: skip
def test_what_a_source_cannot_filter_by_is_said(notes: tuple[str, ...], title: str, lacking: str) -> None:
    """In one sentence, which its status row has."""
    assert notes == (f"{title} cannot filter by {lacking}",)


def test_a_source_that_filters_by_all_that_is_asked_for_says_nothing() -> None:
    """A question without limits, and one for surveys with open access."""
    surveys = Constraints(types=("review",), open_access=True)
    assert arxiv.write_arxiv_query([QUERY], surveys).notes == ()
    assert europe_pmc.write_europe_pmc_query(QUERY, surveys).notes == ()
    assert crossref.write_query(QUERY, Constraints(year_from=2020)).notes == ()
