"""Each source says by which constraints of a question it cannot filter."""

from __future__ import annotations

import pytest
from goldpan.kinds.papers.constraints import Constraints
from goldpan.kinds.papers.sources.api import not_filtered
from goldpan.kinds.papers.sources.connector import ENTRIES

LIMITS = Constraints(
    year_from=2020,
    venues=("ACL",),
    types=("thesis", "conference"),
    excluded_types=("review", "dataset"),
    open_access=False,
    excluded_terms=("speech",),
)


@pytest.mark.parametrize(
    ("source", "lacking"),
    [
        ("openalex", "the name of a venue, these types, excluded words"),
        ("crossref", "excluded types, open access, excluded words"),
        ("arxiv", "these types, excluded types, open access"),
        ("semantic_scholar", "these types, excluded types, open access, excluded words"),
        ("europe_pmc", "these types, excluded types, open access"),
        ("serpapi", "these types, excluded types, open access"),
    ],
)
def test_what_a_source_cannot_filter_by_is_said(source: str, lacking: str) -> None:
    """In one sentence, which its status row has."""
    filterable = ENTRIES[source].load().filterable
    assert not_filtered("It", LIMITS, filterable) == (f"It cannot filter by {lacking}",)


def test_a_source_that_filters_by_all_that_is_asked_for_says_nothing() -> None:
    """A question for surveys with open access."""
    surveys = Constraints(types=("review",), open_access=True)
    for name in ("arxiv", "europe_pmc"):
        assert not_filtered("It", surveys, ENTRIES[name].load().filterable) == ()
