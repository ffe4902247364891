"""Build the search strategy of an intent: the queries of a model, or those of the rules, and their sources."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pydantic import ValidationError

from goldpan.contracts import Mode
from goldpan.kinds.papers.models import PaperQuery, ParsedIntent, SearchStrategy
from goldpan.kinds.papers.question.concepts import concepts_of
from goldpan.text import words

QUERIES: Mapping[Mode, int] = {"focused": 2, "balanced": 3, "exploratory": 4}
MAX_TOGETHER = 6
"""Concepts of one query: hardly a paper has more."""
MAX_WORDINGS = 6
Key = frozenset[frozenset[str]]


@dataclass(frozen=True)
class QueryBuilder:
    """Builds the strategies of a request, without queries that an earlier round sent for the same constraints."""

    mode: Mode
    sources: Sequence[str]
    """The configured sources."""
    previous: Sequence[Mapping[str, Any]] = ()
    """The strategies of earlier rounds."""

    def build(self, intent: ParsedIntent) -> SearchStrategy:
        """Return two to four queries by rules, the best first, for all sources; fewer where they would be the same.

        A query of an earlier round is repeated if nothing else is left.
        """
        queries: dict[Key, PaperQuery] = {}
        for concepts in _candidates(intent):
            query = PaperQuery(concepts=tuple(concepts))
            queries.setdefault(query_key(query), query)
        asked = previous_keys(self.previous, intent)
        new = [query for key, query in queries.items() if key not in asked] or list(queries.values())
        return SearchStrategy(queries=tuple(new[: self._most(intent)]), sources=tuple(self.sources))

    def complete(
        self, intent: ParsedIntent, proposed: Sequence[PaperQuery], sources: Sequence[str] = ()
    ) -> SearchStrategy:
        """Return the queries of a language model for its sources, those of liked papers first.

        The rules add queries where it proposed fewer than two; all sources are searched without sources of its own,
        or with one that is not configured.
        """
        asked = previous_keys(self.previous, intent)
        liked = [PaperQuery(concepts=((name,),)) for name in intent.likes]
        queries: dict[Key, PaperQuery] = {}
        for query in (*liked, *(one for one in proposed if query_key(one) not in asked)):
            queries.setdefault(query_key(query), query)
        wanted = min(max(len(queries), 2), self._most(intent))
        for query in self.build(intent).queries:
            queries.setdefault(query_key(query), query)
        is_known = bool(sources) and set(sources) <= set(self.sources)
        chosen = tuple(name for name in self.sources if name in sources or not is_known)
        return SearchStrategy(queries=tuple(queries.values())[:wanted], sources=chosen)

    def _most(self, intent: ParsedIntent) -> int:
        """Return how many queries the mode allows: those of all liked papers, and one of the subject at least."""
        return max(QUERIES[self.mode], len(intent.likes) + 1)


def queries_for(queries: Sequence[PaperQuery], limit: int, intent: ParsedIntent) -> tuple[PaperQuery, ...]:
    """Return as many queries as a source takes, and all ids, which are looked up at once; a single one is no title."""
    if not intent.concepts:
        return tuple(queries)
    if limit > 1 or len(queries) == 1:
        return tuple(queries[: max(1, limit)])
    liked = set(intent.likes)
    able = [one for one in queries if not liked & {c[0] for c in one.concepts}] or queries
    return (able[0],)


def queries_like(titles: Sequence[str], limit: int) -> tuple[PaperQuery, ...]:
    """Return at most `limit` queries for what is like papers with these titles, none if they name no subject."""
    concepts = dict.fromkeys(one.text for title in titles for one in concepts_of(title) if not one.is_weak)
    if not concepts:
        return ()
    intent = ParsedIntent(topic=titles[0], concepts=tuple(concepts)[:MAX_TOGETHER])
    return queries_for(QueryBuilder("balanced", ()).build(intent).queries, limit, intent)


def query_key(query: PaperQuery) -> Key:
    """Return what makes two queries the same search, whatever the order and the case of their words."""
    return frozenset(frozenset(" ".join(words(text)) or text for text in concept) for concept in query.concepts)


def previous_queries(strategy: Mapping[str, Any]) -> Iterator[PaperQuery]:
    """Yield the queries of an earlier strategy, as far as they have the form of one."""
    queries = strategy.get("queries")
    for query in queries if isinstance(queries, list | tuple) else ():
        with suppress(ValidationError):
            yield PaperQuery.model_validate(query)


def previous_keys(previous: Sequence[Mapping[str, Any]], intent: ParsedIntent) -> set[Key]:
    """Return what earlier strategies searched for with the constraints of an intent, or with unknown ones."""
    own = intent.constraints.model_dump(mode="json", exclude_defaults=True)
    same = (strategy for strategy in previous if strategy.get("constraints", own) == own)
    return {query_key(query) for strategy in same for query in previous_queries(strategy)}


def _candidates(intent: ParsedIntent) -> Iterator[Sequence[tuple[str, ...]]]:
    """Yield the concepts of each query, each with its wordings: first all, then ever fewer.

    The subject, which comes first, and its methods stay longest.
    """
    for liked in intent.likes:
        yield [(liked,)]
    if not intent.concepts:
        return
    if set(intent.concepts) <= set(intent.constraints.authors):  # the filter says all, and no name less than all
        yield [(name,) for name in intent.concepts]
        return
    original = [(text,) for text in intent.original[:MAX_TOGETHER]]
    if len(original) == 1:  # a whole title
        yield original
    yield [_wordings(one, intent) for one in intent.concepts]
    if original:
        yield original
    subject, *others = intent.concepts
    firm = [subject, *sorted(others, key=lambda one: one not in intent.methods)]
    together = [_wordings(one, intent) for one in firm[:MAX_TOGETHER]]
    for size in range(len(together), 0, -1):
        yield from combinations(together, size)
    yield [together[0][:1]]


def _wordings(concept: str, intent: ParsedIntent) -> tuple[str, ...]:
    return tuple(dict.fromkeys((concept, *intent.synonyms.get(concept, ()))))[:MAX_WORDINGS]
