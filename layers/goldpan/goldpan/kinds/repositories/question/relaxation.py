"""The forms in which a question can be put to a search that needs every word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.question.vocabulary import Concept, vocabulary
from goldpan.text import STOP_WORDS, phrase, words


@dataclass(frozen=True)
class RelaxedQuery:
    """The words that must occur, and the language that the search is narrowed to."""

    words: tuple[str, ...]
    language: str | None = None


def relaxed_queries(params: SearchParams) -> tuple[RelaxedQuery, ...]:
    """Put the question in all its forms: the base first, then ever weaker ones."""
    concepts = _concepts(params)
    forms = [RelaxedQuery(_words(concepts))]
    language = None if _named(concepts, params) else params.language
    for kept in _relaxations(concepts):
        forms += _with_platform(kept, language)
    return tuple(dict.fromkeys(form for form in forms if form.words))


def expanded_queries(params: SearchParams) -> tuple[RelaxedQuery, ...]:
    """Put each expanded keyword in the place of the subjects, beside the platforms; then the relaxed forms."""
    concepts = _concepts(params)
    platforms = [concept for concept in concepts if concept.platform is not None]
    subjects = [concept for concept in concepts if concept.part == "subject"]
    language = None if _named(concepts, params) else params.language
    each = [
        list(_with_platform([*platforms, Concept("subject", found, phrase(keyword))], language))
        for keyword in params.expanded_keywords
        if (found := tuple(word for word in words(keyword) if word not in STOP_WORDS))
    ]
    rounds = [form for form in chain.from_iterable(zip_longest(*each)) if form is not None]
    first, later = rounds[: len(each)], rounds[len(each) :]
    bare = [RelaxedQuery(_words(subjects))] if platforms and subjects else []
    return tuple(dict.fromkeys((*first, *bare, *_alternating(list(relaxed_queries(params)[1:]), later))))


def _alternating(one: list[RelaxedQuery], other: list[RelaxedQuery]) -> Iterator[RelaxedQuery]:
    return (form for form in chain.from_iterable(zip_longest(one, other)) if form is not None)


def _concepts(params: SearchParams) -> list[Concept]:
    return [concept for keyword in params.keywords for concept in vocabulary().concepts(keyword)]


def _named(concepts: list[Concept], params: SearchParams) -> bool:
    """Tell whether a keyword names the language itself, so that dropping the word means dropping the language."""
    return any(concept.platform and params.language in concept.platform.narrow for concept in concepts)


def _relaxations(concepts: list[Concept]) -> Iterator[list[Concept]]:
    """Drop the weakest parts first: forms, then one subject at a time, the platforms last."""
    yield concepts
    strong = [concept for concept in concepts if concept.part != "form"]
    yield strong
    subjects = [concept for concept in strong if concept.part == "subject"]
    if len(subjects) > 1:
        for dropped in reversed(subjects):
            yield [concept for concept in strong if concept is not dropped]
    if subjects and len(subjects) < len(strong):
        yield subjects
    for long in subjects:
        yield from ([word if c is long else c for c in strong] for word in _telling_words(long))


def _with_platform(kept: list[Concept], language: str | None) -> Iterator[RelaxedQuery]:
    """Put one platform in all its ways: narrowed to its languages, by its name, by its other names."""
    platforms = [concept for concept in kept if concept.platform is not None]
    if not platforms:
        yield RelaxedQuery(_words(kept), language)
        return
    platform = platforms[0].platform
    rest = _words(concept for concept in kept if concept is not platforms[0])
    languages = platform.narrow if platform else ()
    names = platform.also if platform else ()
    narrowed = [RelaxedQuery(rest, language) for language in languages if rest]
    yield from narrowed[:1]
    yield RelaxedQuery(_words(kept))
    yield from (RelaxedQuery((*words(name), *rest)) for name in names if tuple(words(name)) != platforms[0].words)
    yield from narrowed[1:]


def _telling_words(concept: Concept) -> list[Concept]:
    """Take the words of a long phrase that tell something alone."""
    told = [word for word in _words([concept]) if phrase(word) not in vocabulary().forms]
    return [Concept("subject", (word,), phrase(word)) for word in told] if len(concept.words) > 1 else []


def _words(concepts: Iterable[Concept]) -> tuple[str, ...]:
    """List the words of concepts once each; stop words inside a phrase would only narrow."""
    every = chain.from_iterable(concept.words for concept in concepts)
    return tuple(dict.fromkeys(word for word in every if word not in STOP_WORDS))
