"""What sources allow, as they document it, and under which name it is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from goldpan.infra.rate_limits.sliding_window import Limit

Limits = Mapping[str, Sequence[Limit]]
"""Limits by the begin of a key; the first of a key is the one that x-ratelimit-* headers speak of."""

LIMITS: Limits = {
    # https://docs.github.com/en/rest/search/search#rate-limit
    "github:rest-search:anonymous": (Limit(60, 10),),
    "github:rest-search:token": (Limit(60, 30),),
    # https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
    # In points: 5000 an hour (primary) and 2000 a minute (secondary, where a query is one point whatever it costs).
    "github:graphql:token": (Limit(3600, 5000), Limit(60, 2000)),
}


WARMING = "warm-up:"
"""Begins the keys of what warm-ups spend."""


def with_warm_up_limits(limits: Limits, share: float) -> Limits:
    """Give warm-ups their share of every limit, which they spend beside the limit itself."""
    shares = {
        WARMING + name: tuple(replace(limit, most=int(share * limit.most)) for limit in of)
        for name, of in limits.items()
    }
    return {**limits, **shares}


def limits_for(key: str, limits: Limits) -> Sequence[Limit]:
    """Give the limits of a key; a source without any is only ever closed."""
    return next((of for begin, of in limits.items() if key == begin or key.startswith(f"{begin}:")), ())


def rate_limit_key(budget: str, address: str, credential: str | None) -> str:
    """Name the budget of one credential at one address, without telling either."""
    who = "anonymous" if credential is None else "token"
    told = hashlib.sha256(f"{address}\n{credential or ''}".encode()).hexdigest()[:12]
    return f"{budget}:{who}:{told}"
