"""Which searches to run for a question: the base, its relaxed forms, and one for each expanded keyword.

A search needs all of its words, as at GitHub; so a wider search is always a further one, never more words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from goldpan.config import PipelineConfig
from goldpan.kinds.repositories.models import RepositorySearch, ScoutTask, SearchParams, StarRange, Strategy
from goldpan.kinds.repositories.question.relaxation import RelaxedQuery, expanded_queries, relaxed_queries

SHARES: dict[Strategy, int] = {"stars": 5, "recency": 2, "expanded": 8}
"""How the searches of a question are divided."""


def plan_tasks(
    params: SearchParams, sources: Sequence[tuple[str, int]], config: PipelineConfig, today: date
) -> tuple[ScoutTask, ...]:
    """Give every strategy at every source its searches; `sources` pairs each with its searches a question."""
    weights = config.strategy_weights.model_dump()
    strategies = [name for name in SHARES if weights[name] > 0]
    wanted = {name: tuple(_searches(name, params, config, today)) for name in strategies}
    strategies = [name for name in strategies if wanted[name]]
    return tuple(
        ScoutTask(
            id=f"{strategy}:{source}",
            strategy=strategy,
            source=source,
            searches=wanted[strategy][:share],
            params=params,
        )
        for source, limit in sources
        for strategy, share in _shares(
            {name: len(wanted[name]) for name in strategies}, min(limit, config.max_searches)
        ).items()
    )


def _shares(wanted: dict[Strategy, int], limit: int) -> dict[Strategy, int]:
    """Hand the searches out one by one, to the strategy that is furthest behind its share."""
    given = dict.fromkeys(wanted, 0)
    while sum(given.values()) < limit:
        behind = [name for name in wanted if given[name] < wanted[name]]
        if not behind:
            break
        given[min(behind, key=lambda name: (given[name] > 0, given[name] / SHARES[name]))] += 1
    return {name: count for name, count in given.items() if count}


def _searches(
    strategy: Strategy, params: SearchParams, config: PipelineConfig, today: date
) -> Iterable[RepositorySearch]:
    """List the searches of one strategy, the most telling first."""
    forms = relaxed_queries(params)
    if strategy == "stars":
        yield from (_search(form, params, config, sort="stars") for form in forms[:2])
        if params.topics:
            yield _search(RelaxedQuery(()), params, config, sort="stars", topics=params.topics)
        yield from (_search(form, params, config, sort="stars") for form in forms[2:])
    elif strategy == "recency":
        months = config.coarse_filter.pushed_within_months or 12
        since = today - timedelta(days=30 * months)
        yield from (_search(form, params, config, sort="updated", pushed_after=since) for form in forms)
    else:
        yield from (_search(form, params, config) for form in expanded_queries(params))


def _search(form: RelaxedQuery, params: SearchParams, config: PipelineConfig, **qualifiers: object) -> RepositorySearch:
    stars = params.star_range or StarRange(min=config.coarse_filter.min_stars)
    return RepositorySearch.model_validate(
        {
            "words": form.words,
            "language": form.language,
            "stars": stars,
            "created_after": params.created_after,
            **qualifiers,
        }
    )
