"""The GraphQL queries; that they are valid, and what they find, is tested with the loopback GitHub."""

from __future__ import annotations

import pytest
from goldpan.kinds.repositories.sources.github.queries import search_cost


@pytest.mark.parametrize(("searches", "points"), [(1, 1), (3, 2), (15, 8)])
def test_the_cost_of_a_search(searches: int, points: int) -> None:
    """A search of 50 repositories makes 51 connections, and GitHub charges a point for each hundred."""
    assert search_cost(searches) == points
