"""Plan the searches of a question.

The searches are divided among the strategies, and among what each source can match.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from goldpan.config import PipelineConfig
from goldpan.kinds.repositories.categories import fitting_categories
from goldpan.kinds.repositories.concepts import liked_words
from goldpan.kinds.repositories.models import (
    CATALOGUE,
    Matching,
    RepositorySearch,
    ScoutTask,
    SearchParams,
    StarRange,
    Strategy,
)
from goldpan.kinds.repositories.ports import PlanningSource, RepositorySource
from goldpan.kinds.repositories.relaxed_queries import expanded_queries, relaxed_queries

SHARES: dict[Strategy, int] = {"stars": 5, "recency": 2, "expanded": 8, "known": 15}
"""How the searches of a question at a source are divided among its strategies, 15 by default."""
WIDE: frozenset[Strategy] = frozenset({"expanded", "known"})
"""The strategies that search in all ways which a source has, and for what the question wants something like."""
MAX_KEYWORD = 60
"""Characters of a keyword or topic."""
MAX_CATEGORIES = 8
"""Categories whose repositories are searched for, the best fitting."""
MAX_LOOKUPS, DERIVED_SEARCHES = 2, 6
"""Searches for what the question wants something like, and those that are kept for what its facts ask for."""
MIN_LIFTED = 2
"""Of more searches than these one is kept for the case that the limits of the question leave nothing."""
DEFAULT_RECENT_MONTHS = 12
"""How far the recency strategy looks back if `pushed_within_months` is switched off."""


def plan_tasks(
    params: SearchParams, sources: Mapping[str, RepositorySource | PlanningSource], config: PipelineConfig, today: date
) -> tuple[ScoutTask, ...]:
    """Make one scout task for each strategy at each source.

    A catalogue beside another source has one strategy.
    """
    weights = config.strategy_weights.model_dump()
    planned = {name: _searches(name, params, config, today) for name in SHARES if weights[name] > 0}
    tasks: list[ScoutTask] = []
    for source, able in sources.items():
        limit = min(able.searches_a_question, config.max_searches)
        kept = min(DERIVED_SEARCHES, limit // 2) if params.likes else 0
        is_known = source == CATALOGUE and len(sources) > 1
        wanted = {name: searches for name, searches in planned.items() if (name == "known") == is_known}
        for name in wanted.keys() & WIDE:
            wide = [RepositorySearch(words=asked, match=match) for match, asked in wide_words(params, able.matches)]
            wanted[name] = [*lookups(params), *_limited(wide, params, config), *wanted[name]]
        lifted = len(without_limits(wanted.get("stars", ()), params)) if limit > MIN_LIFTED else 0
        planned_at_most = limit - kept - lifted
        counts = divide_searches({name: len(each) for name, each in wanted.items() if each}, planned_at_most)
        tasks += [
            ScoutTask(
                id=f"{strategy}:{source}",
                strategy=strategy,
                source=source,
                searches=tuple(wanted[strategy][:count]),
                params=params,
                further_searches=kept if strategy in WIDE else 0,
            )
            for strategy, count in counts.items()
        ]
    return tuple(tasks)


def plan_lookups(names: tuple[str, ...], params: SearchParams, sources: Sequence[str]) -> tuple[ScoutTask, ...]:
    """Make the task of each source that looks repositories up by their names."""
    return tuple(
        ScoutTask(id=f"named:{source}", strategy="named", source=source, searches=(), params=params, names=names)
        for source in sources
    )


def wide_words(params: SearchParams, matches: frozenset[Matching]) -> list[tuple[Matching, tuple[str, ...]]]:
    """List how a catalogue can match beside all words, and the words to match so."""
    asked = tuple(dict.fromkeys(params.meaning.split()))
    named = tuple(category.name for category in fitting_categories(params)[:MAX_CATEGORIES])
    wanted: list[tuple[Matching, tuple[str, ...]]] = [("meaning", asked), ("any", asked), ("category", named)]
    return [(match, words) for match, words in wanted if match in matches and words]


def lookups(params: SearchParams) -> list[RepositorySearch]:
    """List the searches that find what the question wants something like, the most starred first."""
    return [RepositorySearch(words=tuple(name), sort="stars") for name in liked_words(params)[:MAX_LOOKUPS]]


def divide_searches(wanted: dict[Strategy, int], limit: int) -> dict[Strategy, int]:
    """Divide a number of searches by `SHARES`: each in turn goes to the strategy furthest below its share."""
    given = dict.fromkeys(wanted, 0)
    while sum(given.values()) < limit:
        unsatisfied = [name for name in wanted if given[name] < wanted[name]]
        if not unsatisfied:
            break
        given[min(unsatisfied, key=lambda name: given[name] / SHARES[name])] += 1
    return {name: count for name, count in given.items() if count}


def _searches(strategy: Strategy, params: SearchParams, config: PipelineConfig, today: date) -> list[RepositorySearch]:
    if strategy == "expanded":
        return _limited(expanded_queries(params), params, config)
    queries = list(relaxed_queries(params))
    if strategy == "known":
        return _limited(dict.fromkeys((*queries, *expanded_queries(params))), params, config)
    if strategy == "stars":
        by_topic = [RepositorySearch(words=(), topics=params.topics)] if params.topics else []
        best = _limited([*queries[:2], *by_topic, *queries[2:]], params, config, sort="stars")
        preferred = params.constraints.preferred_max_stars  # among all, the most starred are above any such range
        ranges = [search.stars.model_copy(update={"max": preferred or search.stars.max}) for search in best]
        return [search.model_copy(update={"stars": stars}) for search, stars in zip(best, ranges, strict=True)]
    months = config.coarse_filter.pushed_within_months or DEFAULT_RECENT_MONTHS
    since = today - timedelta(days=30 * months)
    return _limited(queries, params, config, sort="updated", pushed_after=since)


def _limited(
    searches: Iterable[RepositorySearch], params: SearchParams, config: PipelineConfig, **further: object
) -> list[RepositorySearch]:
    low, high = params.constraints.min_stars, params.constraints.max_stars
    stars = StarRange(min=config.coarse_filter.min_stars if low is None and high is None else low, max=high)
    limits = {"stars": stars, "created_after": params.created_after, **further}
    return [search.model_copy(update=limits) for search in searches]


def without_limits(searches: Sequence[RepositorySearch], params: SearchParams) -> list[RepositorySearch]:
    """Return the widest search without the question's limits, if it has any: the shortlist says what breaks them."""
    limits = params.constraints
    if not searches or (limits.min_stars, limits.max_stars, params.created_after) == (None, None, None):
        return []
    widest = min(searches, key=lambda search: len(search.words) or MAX_KEYWORD)
    return [widest.model_copy(update={"stars": StarRange(), "created_after": None})]
