"""GitHub's documented rate limits, by API and by access."""

from __future__ import annotations

import pytest
from goldpan.infra.rate_limits.limits import limits_for, rate_limit_key
from goldpan.kinds.repositories.sources.github.limits import RATE_LIMITS


@pytest.mark.parametrize(
    ("name", "token", "limits"),
    [
        ("github:rest-search", None, [(60, 10)]),
        ("github:rest-search", "good-token", [(60, 30)]),
        ("github:graphql", "good-token", [(3600, 5000), (60, 2000)]),
        ("github-enterprise:graphql", "good-token", []),
    ],
)
def test_the_documented_limits(name: str, token: str | None, limits: list[tuple[int, int]]) -> None:
    """REST searches are limited by the minute, GraphQL's points by the hour and the minute; Enterprise is not."""
    found = limits_for(rate_limit_key(name, "https://api.github.com", token), RATE_LIMITS)
    assert [(limit.window_seconds, limit.max_cost) for limit in found] == limits
