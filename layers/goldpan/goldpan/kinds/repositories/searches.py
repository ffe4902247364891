"""Plan the searches of a question, divided among the strategies, and among what each source can match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain, zip_longest

from goldpan.config import PipelineConfig
from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.categories import fitting_categories
from goldpan.kinds.repositories.concepts import liked_words
from goldpan.kinds.repositories.models import CATALOGUE, RepositorySearch, ScoutTask, SearchParams, StarRange, Strategy
from goldpan.kinds.repositories.ports import PlanningSource, RepositorySource
from goldpan.kinds.repositories.vocabulary import Concept, vocabulary
from goldpan.text import STOP_WORDS, phrase, words

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
COMBINATIONS = ((0, 1), (0, 1, 2), (0, 2), (1, 2), (1,), (2,), (0, 3), (1, 3))
"""Which subjects searches ask for together, counted from the most significant: with four hardly anything matches."""


def plan_tasks(
    params: SearchParams, sources: Mapping[str, RepositorySource | PlanningSource], config: PipelineConfig, today: date
) -> tuple[ScoutTask, ...]:
    """Make one scout task for each strategy at each source; a catalogue beside another one has one strategy."""
    weights = config.strategy_weights.model_dump()
    planned = {name: _searches(name, params, config, today) for name in SHARES if weights[name] > 0}
    tasks: list[ScoutTask] = []
    for source, able in sources.items():
        limit = min(able.searches_a_question, config.max_searches)
        kept = min(DERIVED_SEARCHES, limit // 2) if params.likes else 0
        is_known = source == CATALOGUE and len(sources) > 1
        wanted = {name: searches for name, searches in planned.items() if (name == "known") == is_known}
        for name in wanted.keys() & WIDE:
            wide = _limited(wide_searches(params, able), params, config)
            wanted[name] = [*lookups(params), *wide, *wanted[name]]
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


def wide_searches(params: SearchParams, source: RepositorySource | PlanningSource) -> list[RepositorySearch]:
    """List the searches of a catalogue that need not match all words, as far as it can make them."""
    asked = tuple(dict.fromkeys(params.meaning.split()))
    named = tuple(category.name for category in fitting_categories(params)[:MAX_CATEGORIES])
    searches = [RepositorySearch(words=asked, match="meaning"), RepositorySearch(words=asked, match="any")]
    searches.append(RepositorySearch(words=named, match="category"))
    return [search for search in searches if search.match in source.matches and search.words]


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
    queries = list(subject_queries(params))
    if strategy == "known":
        return _limited(dict.fromkeys((*queries, *expanded_queries(params))), params, config)
    if strategy == "stars":
        topics, language = params.topics, _demanded(params)
        by_topic = [RepositorySearch(words=(), topics=topics, language=language)] if topics else []
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
    limits = {"stars": stars, **_facts(params), **further}
    return [search.model_copy(update=limits) for search in searches]


def _facts(params: SearchParams) -> dict[str, object]:
    """Return the limits that a search can have, beside the stars: GitHub's has one licence at most."""
    limits = params.constraints
    only = limits.licenses[0] if len(limits.licenses) == 1 else None
    return {"license": only, "created_after": params.created_after, "created_before": limits.created_before}


def without_limits(searches: Sequence[RepositorySearch], params: SearchParams) -> list[RepositorySearch]:
    """Return the widest search without the question's limits, if it has any: the shortlist says what breaks them."""
    limits, facts = params.constraints, _facts(params)
    if not searches or {limits.min_stars, limits.max_stars, *facts.values()} == {None}:
        return []
    widest = min(searches, key=lambda search: len(search.words) or MAX_KEYWORD)
    return [widest.model_copy(update={"stars": StarRange(), **dict.fromkeys(facts)})]


def subject_queries(params: SearchParams) -> tuple[RepositorySearch, ...]:
    """List the searches for the subjects, in combinations of the most significant ones."""
    concepts = _searched(params)
    language, only = _language(concepts, params), _demanded(params)
    queries = chain.from_iterable(_platform_variants(kept, language, only) for kept in _combined(concepts))
    return tuple(dict.fromkeys(query for query in queries if query.words))


def expanded_queries(params: SearchParams) -> tuple[RepositorySearch, ...]:
    """List one query for each expanded keyword in place of the subjects, then those of the subjects and weaker ones."""
    concepts = _searched(params)
    platforms = [concept for concept in concepts if concept.platform is not None]
    subjects = [concept for concept in concepts if concept.part == "subject"]
    language, only = _language(concepts, params), _demanded(params)
    by_keyword = [
        list(_platform_variants([*platforms, Concept("subject", kept, phrase(keyword))], language, only))
        for keyword in params.expanded_keywords
        if (kept := tuple(word for word in words(keyword) if word not in STOP_WORDS))
    ]
    in_turn = list(_alternate(*by_keyword))
    first, rest = in_turn[: len(by_keyword)], in_turn[len(by_keyword) :]
    subjects_only = [RepositorySearch(words=_words_of(subjects), language=only)] if platforms and subjects else []
    return tuple(dict.fromkeys((*first, *subjects_only, *_alternate(subject_queries(params)[1:], rest))))


def _searched(params: SearchParams) -> tuple[Concept, ...]:
    """Return the concepts of the keywords, without the language that every search is limited to."""
    concepts = vocabulary().concepts_of(params.keywords)
    only = _demanded(params)
    others = (one for one in concepts if not (only and one.platform and one.platform.language_filter == only))
    return tuple(others) or concepts


def _language(concepts: Sequence[Concept], params: SearchParams) -> str | None:
    """Return the language to limit all searches to; None if a keyword names it, since the platform then adds it."""
    named = any(concept.platform and params.language in concept.platform.search_languages for concept in concepts)
    return None if named else params.language


def _demanded(params: SearchParams) -> str | None:
    """Return the language that every result must have, if it is one."""
    return params.language if len(params.constraints.languages) == 1 else None


def _combined(concepts: Sequence[Concept]) -> Iterator[Sequence[Concept]]:
    """Combine the subjects, each time with the platforms that a language expresses; generic words only alone.

    A subject is as significant as the most significant of its words. The first one is searched for with its neighbour
    first, since both may be one name: "face recognition". Platforms alone say too little, and at last the searches do
    without them.
    """
    specific = [concept for concept in concepts if concept.part != "generic"] or concepts
    kept = [concept for concept in specific if concept.platform and concept.platform.search_languages]
    subjects = [concept for concept in specific if concept not in kept]
    weights = [max(shipped_table().significance(subject.words), default=0.0) for subject in subjects]
    ranked = sorted(range(len(subjects)), key=lambda place: -weights[place])
    beside = [place for place in ranked if abs(place - ranked[0]) == 1][:1]
    further = ([ranked[rank] for rank in ranks] for ranks in COMBINATIONS if max(ranks) < len(ranked))
    has_subject = any(concept.platform is None for concept in specific)
    for places in ([*ranked[:1], *beside], ranked[:1], *further):
        chosen = [*kept, *(subjects[place] for place in places)]
        if not has_subject or any(concept.platform is None for concept in chosen):
            yield [concept for concept in specific if concept in chosen]
    yield [subjects[place] for place in sorted((*ranked[:1], *beside))]


def _platform_variants(asked: Sequence[Concept], language: str | None, only: str | None) -> Iterator[RepositorySearch]:
    """Express the first language or platform by its best language, then by its name; all in one that is demanded."""
    alternatives = _alternatives(asked)
    for kept in alternatives:
        named = [(one, one.platform) for one in kept if one.platform and one.platform.search_languages]
        named.sort(key=lambda pair: pair[1].language_filter is None)  # a language goes before what is made in it
        rest = _words_of(one for one in kept if one is not named[0][0]) if named and not only else ()
        if rest:
            yield RepositorySearch(words=rest, language=named[0][1].search_languages[0])
    for kept in alternatives:
        names_platform = any(concept.platform is not None for concept in kept)
        yield RepositorySearch(words=_words_of(kept), language=only or (None if names_platform else language))


def _alternatives(concepts: Sequence[Concept]) -> list[Sequence[Concept]]:
    """Return the concepts with one at a time of several languages, or of rivals such as React and Vue."""
    kinds = [one.platform and (one.platform.family or bool(one.platform.language_filter)) for one in concepts]
    several = next((kind for kind in kinds if kind and kinds.count(kind) > 1), None)
    pairs = [*zip(concepts, kinds, strict=True)]
    rivals = [one for one, kind in pairs if kind == several] if several else []
    return [[one for one, kind in pairs if one is rival or kind != several] for rival in rivals] or [concepts]


def _words_of(concepts: Iterable[Concept]) -> tuple[str, ...]:
    every = chain.from_iterable(concept.words for concept in concepts)
    return tuple(dict.fromkeys(word for word in every if word not in STOP_WORDS))


def _alternate(*lists: Sequence[RepositorySearch]) -> Iterator[RepositorySearch]:
    return (query for query in chain.from_iterable(zip_longest(*lists)) if query is not None)
