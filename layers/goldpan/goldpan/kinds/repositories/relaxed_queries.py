"""The queries of a question: the base with all words, relaxed ones, and one for each expanded keyword.

A search finds what has all of its words, as at GitHub: further words narrow it. So a question becomes several queries.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest

from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.models import RepositorySearch, SearchParams
from goldpan.kinds.repositories.vocabulary import Concept, vocabulary
from goldpan.text import STOP_WORDS, phrase, words

MOST_WORDS = 3
"""Subjects that a search asks for together."""


def relaxed_queries(params: SearchParams) -> tuple[RepositorySearch, ...]:
    """List the base query with all words, then ever weaker ones."""
    concepts = _concepts(params)
    language = _language(concepts, params)
    queries = [RepositorySearch(words=_words(concepts))]
    for kept in _relaxations(concepts):
        queries += _platform_variants(kept, language)
    return tuple(dict.fromkeys(query for query in queries if query.words))


def expanded_queries(params: SearchParams) -> tuple[RepositorySearch, ...]:
    """List one query for each expanded keyword in place of the subjects, then weaker and relaxed ones alternately."""
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
    subjects_only = [RepositorySearch(words=_words(subjects))] if platforms and subjects else []
    return tuple(dict.fromkeys((*first, *subjects_only, *_alternate(relaxed_queries(params)[1:], rest))))


def _concepts(params: SearchParams) -> list[Concept]:
    return [concept for keyword in params.keywords for concept in vocabulary().concepts(keyword)]


def _language(concepts: Sequence[Concept], params: SearchParams) -> str | None:
    """Return the language to limit all searches to; None if a keyword names it, since the platform then adds it."""
    named = any(concept.platform and params.language in concept.platform.search_languages for concept in concepts)
    return None if named else params.language


def _relaxations(concepts: list[Concept]) -> Iterator[list[Concept]]:
    """Leave out the weakest concepts first: generic words, then subjects, the most frequent first, then platforms.

    A search for more than three subjects finds next to nothing, so a long question keeps its phrases and rarest words.
    """
    specific = [concept for concept in concepts if concept.part != "generic"]
    subjects = [concept for concept in specific if concept.part == "subject"]
    rarity = shipped_table().rarity
    rarest = sorted(subjects, key=lambda subject: (-len(subject.words), -max(map(rarity, subject.words), default=0)))
    distinctive, several = rarest[:MOST_WORDS], len(subjects) > 1

    def keeping(kept: Sequence[Concept]) -> list[Concept]:
        return [concept for concept in specific if concept.part != "subject" or concept in kept]

    yield from (concepts, specific)
    yield from (keeping(rarest[:count]) for count in (MOST_WORDS, MOST_WORDS - 1) if len(subjects) > count)
    for dropped in reversed(distinctive) if several else []:
        yield keeping([subject for subject in distinctive if subject is not dropped])
    if subjects and len(subjects) < len(specific):
        yield [concept for concept in subjects if concept in distinctive]
    yield from (keeping([subject]) for subject in distinctive if several)
    for subject in subjects:
        single = [word for word in _words([subject]) if phrase(word) not in vocabulary().generic]
        for word in single if len(subject.words) > 1 else ():
            yield [Concept("subject", (word,), phrase(word)) if c is subject else c for c in specific]


def _platform_variants(kept: Sequence[Concept], language: str | None) -> Iterator[RepositorySearch]:
    """Express the first platform by its best language, its name, its alternative names, its other languages."""
    first = next((concept for concept in kept if concept.platform is not None), None)
    if first is None or first.platform is None:
        yield RepositorySearch(words=_words(kept), language=language)
        return
    rest = _words(concept for concept in kept if concept is not first)
    by_language = [RepositorySearch(words=rest, language=name) for name in first.platform.search_languages if rest]
    yield from by_language[:1]
    yield RepositorySearch(words=_words(kept))
    for name in first.platform.alternative_names:
        if tuple(words(name)) != first.words:
            yield RepositorySearch(words=(*words(name), *rest))
    yield from by_language[1:]


def _words(concepts: Iterable[Concept]) -> tuple[str, ...]:
    every = chain.from_iterable(concept.words for concept in concepts)
    return tuple(dict.fromkeys(word for word in every if word not in STOP_WORDS))


def _alternate(*lists: Sequence[RepositorySearch]) -> Iterator[RepositorySearch]:
    return (query for query in chain.from_iterable(zip_longest(*lists)) if query is not None)
