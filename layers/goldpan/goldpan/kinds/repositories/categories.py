"""Categories: the kinds of thing that developers search for, and the well-known repositories that are of each kind.

A text says which words belong to a repository, not what it is: a client, a plugin and a tutorial share most words with
the thing itself. `categories.txt` of goldpan-data has a category a line: its names ("yaml parser for go; go yaml
library"), a tab, and repositories, from general knowledge. A question that is close to the name of a category means its
repositories.

    fit = (0.7 x closeness + 0.3 x overlap) x the factor of the platforms, 0 for rivals, such as React and Vue
    overlap = 2 x shared / (asked + named), the weights of the words (Dice's coefficient)

The closeness is that of the word table, whichever encoder orders the results: an encoder of sentences would take longer
for the names than for the rest of the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import nlargest
from typing import NamedTuple

from goldpan_data import read_lines

from goldpan.infra.encoder.table import shipped_table
from goldpan.kinds.repositories.models import SearchParams
from goldpan.kinds.repositories.vocabulary import Concept, Platform, vocabulary
from goldpan.text import STOP_WORDS, phrase, terms, words

LISTED = "listed as: "
"""How the evidence begins that a repository is of a category."""
CLOSENESS_SHARE = 0.7
MIN_FIT = 0.55
"""What fits less is another subject."""
MIN_OVERLAP, MAX_COMPARED = 0.25, 120
"""Names that share less, or less than so many others, are not compared in meaning, which takes longer."""
NARROWER_FACTOR = 0.85
"""The category names a platform, and the question does not."""
RELATED_FACTOR = 0.7
"""Both name a platform: one of JavaScript and React."""
GENERIC_FACTOR = 0.1
"""The weight of a generic word, such as “library”, relative to others."""
UNKNOWN_SHARE = 0.5
SELF_HOSTED = "self hosted"
MIN_SHARE = 0.7
"""Next to a category that fits well, one that fits less than this share of it is another subject."""
MAX_FITTING = 40
WHOLE_WORD_CHARS = 4
"""Shorter stems are compared as they are; of a longer one the last letter may differ from the word's ("librari")."""


class Category(NamedTuple):
    """A category that fits a question: its first name, its repositories in lower case, and its fit.

    The fit is 1 for the same words, and 0 at `MIN_FIT`.
    """

    name: str
    repositories: frozenset[str]
    fit: float


@cache
def lines() -> tuple[tuple[str, str], ...]:
    """Return the names and the repositories of each category, none without goldpan-data; the first call reads them."""
    rows = (line.partition("\t") for line in read_lines("categories.txt"))
    return tuple((names, repositories) for names, _, repositories in rows)


def fitting_categories(params: SearchParams) -> tuple[Category, ...]:
    """Return the categories that a question means, by its words or by what it wants something like, the best first."""
    likes = tuple(name for like in params.likes if (name := " ".join(words(like.rpartition("/")[2]))))
    return _fitting(params.meaning, params.keywords, likes) if params.meaning or likes else ()


def best_fits(categories: Iterable[Category]) -> Mapping[str, tuple[float, str]]:
    """Return the best fit of each repository of some categories, and the name of the category."""
    best: dict[str, tuple[float, str]] = {}
    for category in categories:
        for repository in category.repositories:
            best.setdefault(repository, (category.fit, category.name))
    return best


def repositories_of(names: Iterable[str]) -> frozenset[str]:
    """Return the repositories of the categories with these first names, in lower case."""
    wanted = tuple(names)
    listed = (repositories for each, repositories in lines() if each.partition("; ")[0] in wanted)
    return frozenset(one for repositories in listed for one in repositories.split())


def subject_words(category: Category) -> tuple[str, ...]:
    """Return the words that say what a category is, without its platforms, function words and generic words."""
    plain = _without(category.name, vocabulary().concepts(category.name))
    return tuple(word for word in words(plain) if word not in STOP_WORDS and phrase(word) not in vocabulary().generic)


@lru_cache(maxsize=64)
def _fitting(meaning: str, keywords: tuple[str, ...], likes: tuple[str, ...]) -> tuple[Category, ...]:
    if not lines():
        return ()
    fits: dict[int, float] = {}
    for place, fit in _Question(meaning, keywords).fits(lines()):
        fits[place] = max(fit, fits.get(place, 0.0))
    alternatives = re.compile(rf"\b(?:{'|'.join(map(re.escape, likes))}) alternative\b")
    fits |= {place: 1.0 for place, (names, _) in enumerate(lines()) if likes and alternatives.search(names)}
    least = MIN_SHARE * max(fits.values(), default=0.0)
    found = (
        Category(names.partition("; ")[0], frozenset(repositories.split()), round(fit, 4))
        for place, fit in fits.items()
        for names, repositories in [lines()[place]]
        if fit > 0 and fit >= least
    )
    return tuple(sorted(found, key=lambda category: (-category.fit, category.name))[:MAX_FITTING])


class _Question:
    """The words of a question with their weights, its platforms, and its vector; the platforms are compared apart."""

    def __init__(self, meaning: str, keywords: tuple[str, ...]) -> None:
        asked = [concept for keyword in keywords for concept in vocabulary().concepts(keyword)]
        self._platforms = _platforms(asked)
        plain = _without(meaning, asked)
        shares = shipped_table().shares(plain)
        self._weights: dict[str, float] = {}
        for word in words(plain):
            for term in [] if word in STOP_WORDS else terms(word):
                weight = shares.get(word, UNKNOWN_SHARE) * _factor(term)
                self._weights[term] = max(weight, self._weights.get(term, 0.0))
        self._total = sum(self._weights.values())
        self._comparison = shipped_table().compare(plain)

    def fits(self, categories: Sequence[tuple[str, str]]) -> Iterator[tuple[int, float]]:
        """Yield the places of the categories whose names are most like the question, with their fits, 0 to 1."""
        shared = (
            (overlap, place, name)
            for place, name in self._sharing_a_word(categories)
            if (overlap := self._overlap(name)) >= MIN_OVERLAP
        )
        most = [(place, vocabulary().concepts(name), name) for _, place, name in nlargest(MAX_COMPARED, shared)]
        plain = [_without(name, named) for _, named, name in most]
        for (place, named, _), name, close in zip(most, plain, self._comparison.closeness(plain), strict=True):
            alike = CLOSENESS_SHARE * close + (1 - CLOSENESS_SHARE) * self._overlap(name)
            fit = (alike * self._platform_factor(_platforms(named)) - MIN_FIT) / (1 - MIN_FIT)
            yield place, max(0.0, min(1.0, fit))

    def _sharing_a_word(self, categories: Sequence[tuple[str, str]]) -> Iterator[tuple[int, str]]:
        """Yield the names that may have a distinctive word of the question, with the place of their category."""
        distinctive = [term for term in self._weights if (term,) not in vocabulary().generic] or [*self._weights]
        beginnings = [term if len(term) <= WHOLE_WORD_CHARS else term[:-1] for term in distinctive]
        begins_a_word = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, beginnings))})")
        for place, (names, _) in enumerate(categories):
            if any(beginning in names for beginning in beginnings):  # much faster than the pattern
                yield from ((place, name) for name in names.split("; ") if begins_a_word.search(name))

    def _overlap(self, name: str) -> float:
        """Compute Dice's coefficient; a word that the question does not have weighs as its words do on average."""
        found = {term for word in words(name) if word not in STOP_WORDS for term in terms(word)}
        average = self._total / len(self._weights) if self._weights else 0.0
        shared = sum(self._weights.get(term, 0.0) for term in found)
        named = shared + sum(average * _factor(term) for term in found if term not in self._weights)
        return 2 * shared / (self._total + named) if shared else 0.0

    def _platform_factor(self, named: dict[str, Platform]) -> float:
        if not named or named.keys() & self._platforms.keys():
            return 1.0
        if not self._platforms:
            return NARROWER_FACTOR
        return max(
            RELATED_FACTOR * _together(one, other) for one in named.values() for other in self._platforms.values()
        )


def _factor(term: str) -> float:
    return GENERIC_FACTOR if (term,) in vocabulary().generic else 1.0


def _platforms(concepts: Iterable[Concept]) -> dict[str, Platform]:
    """Return the platforms with languages, by name."""
    platforms = (concept.platform for concept in concepts if concept.platform is not None)
    return {platform.name: platform for platform in platforms if platform.compatible_languages}


def _without(text: str, concepts: Iterable[Concept]) -> str:
    """Return a text without the platforms that are compared apart, or the whole text if there is nothing else.

    Each repository shows by itself whether it is self-hosted, so a category need not.
    """
    apart = (one for one in concepts if _platforms([one]) or (one.platform and one.platform.name == SELF_HOSTED))
    named = {word for concept in apart for word in concept.words}
    return " ".join(word for word in words(text) if word not in named) or text


def _together(one: Platform, other: Platform) -> bool:
    """Report whether what is made for one platform may serve another: not if they are rivals, such as React and Vue."""
    rivals = one.family is not None and one.family == other.family
    return not rivals and bool(one.compatible_languages & other.compatible_languages)
