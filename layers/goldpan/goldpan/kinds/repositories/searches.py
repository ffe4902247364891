"""Plan the searches of a question.

A search finds what has all of its words, as at GitHub: further words narrow it. So a question becomes several searches:
the base with all words, relaxed ones with fewer words, and one for each expanded keyword.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, zip_longest

from goldpan.config import PipelineConfig
from goldpan.contracts import Mode
from goldpan.kinds.repositories.categories import fitting_categories
from goldpan.kinds.repositories.models import Matching, RepositorySearch, ScoutTask, SearchParams, StarRange, Strategy
from goldpan.kinds.repositories.ports import ALL_WORDS
from goldpan.kinds.repositories.vocabulary import Concept, vocabulary
from goldpan.text import STOP_WORDS, phrase, words

SHARES: dict[Strategy, int] = {"stars": 5, "recency": 2, "expanded": 8}
"""How the searches of a question are divided among the strategies: 15, the limit of `config.max_searches`."""
MAX_KEYWORD = 60
"""Characters of a keyword or topic."""
EXPANSIONS: dict[Mode, tuple[int, int]] = {"focused": (0, 0), "balanced": (2, 3), "exploratory": (5, 8)}
"""The minimum and maximum number of expanded keywords by mode; the vocabulary may know fewer than the minimum."""

MAX_CATEGORIES = 8
"""Categories whose repositories are searched for, the best fitting."""
MAX_LOOKUPS, DERIVED_SEARCHES = 2, 6
"""Searches for what the question wants something like, and those that are kept for what its facts ask for."""
MOST_WORDS = 3
"""Subjects that a search asks for together."""
UNKNOWN_SHARE = 0.5
NO_SHARES: Mapping[str, float] = {}
DEFAULT_RECENT_MONTHS = 12
"""How far the recency strategy looks back if `pushed_within_months` is switched off."""


@dataclass(frozen=True)
class RelaxedQuery:
    """The words that a repository must have, and the language that the search is limited to."""

    words: tuple[str, ...]
    language: str | None = None


@dataclass(frozen=True)
class Capacity:
    """A source, the maximum number of its searches for one question, and how it can match words."""

    source: str
    searches: int
    matches: frozenset[Matching] = ALL_WORDS


def plan_tasks(
    params: SearchParams, sources: Sequence[Capacity], config: PipelineConfig, today: date, shares: Mapping[str, float]
) -> tuple[ScoutTask, ...]:
    """Make one scout task for each strategy at each source.

    `shares` says how much each word adds to the meaning of the question; it may be empty.
    """
    weights = config.strategy_weights.model_dump()
    planned = {name: tuple(_searches(name, params, config, today, shares)) for name in SHARES if weights[name] > 0}
    return tuple(
        ScoutTask(
            id=f"{strategy}:{capacity.source}",
            strategy=strategy,
            source=capacity.source,
            searches=wanted[strategy][:count],
            params=params,
            further_searches=kept if strategy == "expanded" else 0,
        )
        for capacity in sources
        for limit in [min(capacity.searches, config.max_searches)]
        for kept in [_further_searches(limit, params)]
        for wanted in [_with_wide_searches(planned, params, config, capacity.matches)]
        for strategy, count in divide_searches(
            {name: len(searches) for name, searches in wanted.items() if searches},
            limit - kept,
        ).items()
    )


def plan_lookups(names: tuple[str, ...], params: SearchParams, sources: Sequence[str]) -> tuple[ScoutTask, ...]:
    """Make the task of each source that looks repositories up by their names."""
    return tuple(
        ScoutTask(id=f"named:{source}", strategy="named", source=source, searches=(), params=params, names=names)
        for source in sources
    )


def _with_wide_searches(
    planned: Mapping[Strategy, tuple[RepositorySearch, ...]],
    params: SearchParams,
    config: PipelineConfig,
    matches: frozenset[Matching],
) -> dict[Strategy, tuple[RepositorySearch, ...]]:
    """Put the searches for any of the words, and for their meaning, before the expanded ones, where a source can."""
    wide = [_search(RelaxedQuery(wanted), params, config, match=match) for match, wanted in wide_words(params, matches)]
    first = (*_lookups(params), *wide)
    return {name: (*first, *searches) if name == "expanded" else searches for name, searches in planned.items()}


def wide_words(params: SearchParams, matches: frozenset[Matching]) -> list[tuple[Matching, tuple[str, ...]]]:
    """List how a catalogue can match beside all words, and the words to match so."""
    asked = tuple(dict.fromkeys(params.meaning.split()))
    named = tuple(category.name for category in fitting_categories(params)[:MAX_CATEGORIES])
    wanted: list[tuple[Matching, tuple[str, ...]]] = [("meaning", asked), ("any", asked), ("category", named)]
    return [(match, words) for match, words in wanted if match in matches and words]


def _further_searches(searches: int, params: SearchParams) -> int:
    """Return how many of a source's searches are kept for what the facts of the named thing ask for."""
    return min(DERIVED_SEARCHES, searches // 2) if params.likes else 0


def _lookups(params: SearchParams) -> list[RepositorySearch]:
    """List the searches that find what the question wants something like, the most starred first."""
    named = [tuple(words(like.rpartition("/")[2])) for like in params.likes[:MAX_LOOKUPS]]
    return [RepositorySearch(words=name, sort="stars") for name in named if name]


def divide_searches(wanted: dict[Strategy, int], limit: int) -> dict[Strategy, int]:
    """Divide a number of searches by `SHARES`: each in turn goes to the strategy furthest below its share."""
    given = dict.fromkeys(wanted, 0)
    while sum(given.values()) < limit:
        unsatisfied = [name for name in wanted if given[name] < wanted[name]]
        if not unsatisfied:
            break
        given[min(unsatisfied, key=lambda name: given[name] / SHARES[name])] += 1
    return {name: count for name, count in given.items() if count}


def relaxed_queries(params: SearchParams, shares: Mapping[str, float] = NO_SHARES) -> tuple[RelaxedQuery, ...]:
    """List the base query with all words, then ever weaker ones."""
    concepts = _concepts(params)
    language = _language(concepts, params)
    queries = [RelaxedQuery(_words(concepts))]
    for kept in _relaxations(concepts, shares):
        queries += _platform_variants(kept, language)
    return tuple(dict.fromkeys(query for query in queries if query.words))


def expanded_queries(params: SearchParams, shares: Mapping[str, float] = NO_SHARES) -> tuple[RelaxedQuery, ...]:
    """List one query for each expanded keyword in place of the subjects, then weaker and relaxed ones in turn."""
    concepts = _concepts(params)
    platforms = [concept for concept in concepts if concept.platform is not None]
    subjects = [concept for concept in concepts if concept.part == "subject"]
    language = _language(concepts, params)
    by_keyword = [
        list(_platform_variants([*platforms, Concept("subject", kept, phrase(keyword))], language))
        for keyword in params.expanded_keywords
        if (kept := tuple(word for word in words(keyword) if word not in STOP_WORDS))
    ]
    in_turn = list(_alternate(*by_keyword))
    first, rest = in_turn[: len(by_keyword)], in_turn[len(by_keyword) :]
    subjects_only = [RelaxedQuery(_words(subjects))] if platforms and subjects else []
    return tuple(dict.fromkeys((*first, *subjects_only, *_alternate(relaxed_queries(params, shares)[1:], rest))))


def _searches(
    strategy: Strategy, params: SearchParams, config: PipelineConfig, today: date, shares: Mapping[str, float]
) -> Iterator[RepositorySearch]:
    """List the searches of one strategy, the most specific first."""
    queries = relaxed_queries(params, shares)
    if strategy == "stars":
        yield from (_search(query, params, config, sort="stars") for query in queries[:2])
        if params.topics:
            yield _search(RelaxedQuery(()), params, config, sort="stars", topics=params.topics)
        yield from (_search(query, params, config, sort="stars") for query in queries[2:])
    elif strategy == "recency":
        months = config.coarse_filter.pushed_within_months or DEFAULT_RECENT_MONTHS
        since = today - timedelta(days=30 * months)
        yield from (_search(query, params, config, sort="updated", pushed_after=since) for query in queries)
    else:
        yield from (_search(query, params, config) for query in expanded_queries(params, shares))


def _search(
    query: RelaxedQuery, params: SearchParams, config: PipelineConfig, **qualifiers: object
) -> RepositorySearch:
    return RepositorySearch.model_validate(
        {
            "words": query.words,
            "language": query.language,
            "stars": _stars(params, config),
            "created_after": params.created_after,
            **qualifiers,
        }
    )


def _stars(params: SearchParams, config: PipelineConfig) -> StarRange:
    """Return the hard limits of the stars: the maximum of "lightweight" is a preference of the order."""
    low, high = params.constraints.min_stars, params.constraints.max_stars
    return StarRange(min=config.coarse_filter.min_stars if low is None and high is None else low, max=high)


def _concepts(params: SearchParams) -> list[Concept]:
    return [concept for keyword in params.keywords for concept in vocabulary().concepts(keyword)]


def _language(concepts: Sequence[Concept], params: SearchParams) -> str | None:
    """Return the language to limit all searches to; None if a keyword names it, since the platform then adds it."""
    named = any(concept.platform and params.language in concept.platform.search_languages for concept in concepts)
    return None if named else params.language


def _relaxations(concepts: list[Concept], shares: Mapping[str, float]) -> Iterator[list[Concept]]:
    """Leave out the weakest concepts first: generic words, then subjects, those that tell least first, then platforms.

    A search for more than three subjects finds next to nothing, so a long question keeps its most telling ones.
    """
    yield concepts
    specific = [concept for concept in concepts if concept.part != "generic"]
    yield specific
    subjects = [concept for concept in specific if concept.part == "subject"]
    telling = sorted(subjects, key=lambda subject: -_share(subject, shares))
    for count in (MOST_WORDS, MOST_WORDS - 1):
        if len(subjects) > count:
            yield [concept for concept in specific if concept.part != "subject" or concept in telling[:count]]
    if len(subjects) > 1:
        for dropped in reversed(telling[:MOST_WORDS]):
            kept = [subject for subject in telling[:MOST_WORDS] if subject is not dropped]
            yield [concept for concept in specific if concept.part != "subject" or concept in kept]
    if subjects and len(subjects) < len(specific):
        yield [concept for concept in subjects if concept in telling[:MOST_WORDS]]
    for subject in telling[:MOST_WORDS] if len(subjects) > 1 else []:
        yield [concept for concept in specific if concept.part != "subject" or concept is subject]
    for subject in subjects:
        yield from ([word if c is subject else c for c in specific] for word in _single_words(subject))


def _share(subject: Concept, shares: Mapping[str, float]) -> float:
    """Return what a subject adds to the meaning of the question; a word that the encoder does not know tells most."""
    return sum(shares.get(word, UNKNOWN_SHARE) for word in subject.words if word not in STOP_WORDS)


def _platform_variants(kept: Sequence[Concept], language: str | None) -> Iterator[RelaxedQuery]:
    """Express the first platform by its best language, its name, its alternative names, its other languages."""
    first = next((concept for concept in kept if concept.platform is not None), None)
    if first is None or first.platform is None:
        yield RelaxedQuery(_words(kept), language)
        return
    rest = _words(concept for concept in kept if concept is not first)
    by_language = [RelaxedQuery(rest, name) for name in first.platform.search_languages if rest]
    yield from by_language[:1]
    yield RelaxedQuery(_words(kept))
    for name in first.platform.alternative_names:
        if tuple(words(name)) != first.words:
            yield RelaxedQuery((*words(name), *rest))
    yield from by_language[1:]


def _single_words(subject: Concept) -> list[Concept]:
    """Split a subject of several words into subjects of one word each, without generic words."""
    specific = [word for word in _words([subject]) if phrase(word) not in vocabulary().generic]
    return [Concept("subject", (word,), phrase(word)) for word in specific] if len(subject.words) > 1 else []


def _words(concepts: Iterable[Concept]) -> tuple[str, ...]:
    """List the words of concepts, each once, without the stop words inside a phrase."""
    every = chain.from_iterable(concept.words for concept in concepts)
    return tuple(dict.fromkeys(word for word in every if word not in STOP_WORDS))


def _alternate(*lists: Sequence[RelaxedQuery]) -> Iterator[RelaxedQuery]:
    return (query for query in chain.from_iterable(zip_longest(*lists)) if query is not None)
