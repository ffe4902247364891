"""The GraphQL documents have one alias for each search or repository."""

from __future__ import annotations

import re

import pytest
from goldpan.kinds.repositories.sources.github.queries import enrichment_document, search_cost, search_document


def test_a_search_document() -> None:
    """Every search is an alias of its own with its own variable."""
    document = search_document(2)
    assert document.startswith("query Search($q0: String!, $q1: String!) {")
    assert re.findall(r"(s\d): search\(query: (\$q\d), type: REPOSITORY, first: 50\)", document) == [
        ("s0", "$q0"),
        ("s1", "$q1"),
    ]


def test_an_enrichment_document() -> None:
    """Every repository is an alias of its own, named by two variables."""
    document = enrichment_document(2)
    assert re.findall(r"(r\d): repository\(owner: (\$o\d), name: (\$n\d)\)", document) == [
        ("r0", "$o0", "$n0"),
        ("r1", "$o1", "$n1"),
    ]


@pytest.mark.parametrize(("searches", "points"), [(1, 1), (3, 2), (15, 8)])
def test_the_cost_of_a_search(searches: int, points: int) -> None:
    """A search of 50 repositories makes 51 connections, and GitHub charges a point for each hundred."""
    assert search_cost(searches) == points
