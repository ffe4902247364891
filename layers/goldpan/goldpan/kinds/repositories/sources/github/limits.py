"""GitHub's documented rate limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldpan.infra.rate_limits.limits import Limit

RATE_LIMITS: Mapping[str, Sequence[Limit]] = {
    # https://docs.github.com/en/rest/search/search#rate-limit
    "github:rest-search:anonymous": (Limit(60, 10),),
    "github:rest-search:token": (Limit(60, 30),),
    # https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    "github:rest-core:anonymous": (Limit(3600, 60),),
    "github:rest-core:token": (Limit(3600, 5000),),
    # https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    # In points: 5000 an hour (primary) and 2000 a minute (secondary, where a query is one point whatever it costs).
    "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000)),
}
"""By the beginning of a rate limit key; the x-ratelimit-* headers describe the first limit of a key."""
MAX_RESULTS = 1000
"""Results that a search gives, page by page, however many it finds: https://docs.github.com/en/rest/search/search"""
MAX_IN_FLIGHT = 100
"""Calls at the same time, over REST and GraphQL together.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits
"""
