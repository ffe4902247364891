"""The platforms, subjects and generic words that questions for repositories know (vocabulary.toml), and products.

A product (products.toml) is what a question may want something like, such as "alternative to Trello". Most products
that people want to replace are no repository, and a repository that has the name is often a client of it.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Literal

from goldpan.text import STOP_WORDS, Phrase, phrase, words

Part = Literal["platform", "subject", "generic"]
MAX_PHRASE_WORDS = 4
MAX_WORD_CHARS = 60
"""Longer words name nothing, and would not fit into a query."""

MIN_DISTINCTIVE_CHARS = 3
SYNONYM_DECAY = 0.3
"""A synonym weighs 1 / (1 + 0.3 x the sum of both places in their group, counted from 0)."""


@dataclass(frozen=True)
class Platform:
    """What a repository is made with or made for; vocabulary.toml explains the fields."""

    name: str
    words: frozenset[Phrase]
    languages: frozenset[str]
    compatible_languages: frozenset[str]
    family: str | None
    language_filter: str | None
    search_languages: tuple[str, ...]
    distinctive_names: frozenset[Phrase]
    """The name and its aliases, except short ones, which are too often ordinary words."""
    aliases: tuple[str, ...]
    """Other spellings of the name in a question."""
    displayed: str
    """The name as people write it."""


@dataclass(frozen=True)
class Concept:
    """A part of the question: what it is, its words as typed, and their terms."""

    part: Part
    words: tuple[str, ...]
    phrase: Phrase
    platform: Platform | None = None


@dataclass(frozen=True)
class Vocabulary:
    """The tables of vocabulary.toml, with every phrase as terms."""

    platforms: dict[str, Platform]
    platforms_by_name: dict[tuple[str, ...], Platform]
    """By unstemmed words: a window is not Windows, and going is not Go."""
    ambiguous: dict[tuple[str, ...], Platform]
    """Those that "in Lisp" names, and "Lisp interpreter" does not."""
    generic: frozenset[Phrase]
    synonyms: dict[Phrase, dict[Phrase, float]]
    """The weight of each synonym of a phrase, 0 to 1."""
    spelling: dict[Phrase, str]
    non_software: tuple[frozenset[Phrase], ...]

    def concepts(self, text: str) -> tuple[Concept, ...]:
        """Split a question into concepts, the longest known phrase first, each concept once."""
        asked = [word for word in words(text) if len(word) <= MAX_WORD_CHARS]
        found: dict[Phrase, Concept] = {}
        start = 0
        while start < len(asked):
            word, lengths = asked[start], range(min(MAX_PHRASE_WORDS, len(asked) - start), 0, -1)
            known = filter(None, (self._known_concept(tuple(asked[start : start + length])) for length in lengths))
            concept = next(known, None if word in STOP_WORDS else Concept("subject", (word,), phrase(word)))
            if concept is not None:
                found.setdefault(concept.phrase, concept)
            start += len(concept.words) if concept else 1
        return tuple(found.values())

    def concepts_of(self, texts: Iterable[str]) -> tuple[Concept, ...]:
        """Split each of several texts into concepts."""
        return tuple(concept for text in texts for concept in self.concepts(text))

    def nearest(self, key: Phrase) -> list[tuple[str, float]]:
        """List the synonyms of a phrase as written, with their weights, nearest first; one equivalent at most."""
        ordered = sorted(self.synonyms.get(key, {}).items(), key=lambda item: -item[1])
        equivalents = [synonym for synonym, weight in ordered if weight == 1]
        return [(self.spelling[synonym], weight) for synonym, weight in ordered if synonym not in equivalents[1:]]

    def _known_concept(self, candidate: tuple[str, ...]) -> Concept | None:
        key, platform = phrase(" ".join(candidate)), self.platforms_by_name.get(candidate)
        if platform is not None:
            return Concept("platform", candidate, key, platform)
        if key in self.generic or (len(candidate) == 1 and candidate[0].isdecimal()):
            return Concept("generic", candidate, key)
        return Concept("subject", candidate, key) if key in self.synonyms else None


def platform_of(name: str, *, ambiguous: bool = False) -> Platform | None:
    """Return the platform that a name stands for, or None; an ambiguous one only if asked for."""
    key = tuple(words(name))
    return vocabulary().platforms_by_name.get(key) or (vocabulary().ambiguous.get(key) if ambiguous else None)


def go_together(one: Platform, other: Platform) -> bool:
    """Report whether what is made for one platform may serve another: not if they are rivals, such as React and Vue."""
    rivals = one.family is not None and one.family == other.family
    return not rivals and bool(one.compatible_languages & other.compatible_languages)


@lru_cache(maxsize=512)
def is_known(word: str) -> bool:
    """Report whether the vocabulary has a word."""
    key = phrase(word)
    return platform_of(word) is not None or key in vocabulary().synonyms or key in vocabulary().generic


def github_language(name: str) -> str:
    """Return GitHub's name of a language: "golang" is "Go"; an unknown name stays as it is."""
    platform = platform_of(name, ambiguous=True)
    known = (platform.language_filter, *platform.search_languages) if platform else ()
    return next(filter(None, known), name)


def language_names() -> dict[str, str]:
    """Return the languages of all platforms as GitHub names them, by their names and aliases in lower case."""
    platforms = vocabulary().platforms.values()
    named = {name: one.language_filter for one in platforms for name in (one.name, *one.aliases) if one.language_filter}
    return named | {language.lower(): language for one in platforms for language in one.compatible_languages}


def product_subject(name: str) -> str | None:
    """Return the words that say what a product is; None if the table does not have it."""
    return products().get(tuple(words(name)))


@cache
def products() -> dict[tuple[str, ...], str]:
    """Return the words that say what each product is, by the words of its names."""
    tables = tomllib.loads(Path(__file__).with_name("products.toml").read_text("utf-8"))
    listed: dict[str, list[str]] = tables["products"]
    return {tuple(words(name)): subject for subject, names in listed.items() for name in names}


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary; reads its file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
    platforms = {name: _platform(name, row) for name, row in tables["platforms"].items()}
    by_name = {tuple(words(name)): one for one in platforms.values() for name in (one.name, *one.aliases)}
    rows = tables["platforms"].items()
    ambiguous = {key: by_name.pop(key) for name, row in rows if "ambiguous" in row for key in [tuple(words(name))]}
    synonyms: dict[Phrase, dict[Phrase, float]] = {}
    spelling: dict[Phrase, str] = {}
    groups = [(SYNONYM_DECAY, group) for group in tables["synonyms"]["groups"]]
    for decay, group in (*groups, *((0.0, group) for group in tables["equivalents"]["groups"])):
        phrases = [phrase(member) for member in group]
        for (i, one), (j, other) in product(enumerate(phrases), repeat=2):
            spelling.setdefault(one, group[i])
            if one != other:  # of several groups the highest weight counts
                weights = synonyms.setdefault(one, {})
                weights[other] = max(1 / (1 + decay * (i + j)), weights.get(other, 0.0))
    return Vocabulary(
        platforms=platforms,
        platforms_by_name=by_name,
        ambiguous=ambiguous,
        generic=_phrases(tables["generic"]["words"]),
        synonyms=synonyms,
        spelling=spelling,
        non_software=tuple(_phrases(group) for group in tables["non_software"]["groups"]),
    )


def _platform(name: str, row: dict[str, str]) -> Platform:
    def listed(key: str) -> list[str]:
        return [item.strip() for item in row.get(key, "").split(",") if item.strip()]

    only = listed("language")
    language_filter = row.get("language_filter") or row.get("language")
    languages = listed("languages") or only
    names = (name, *listed("aliases"))
    return Platform(
        name=name,
        words=_phrases([name, *listed("words")]),
        languages=frozenset(languages),
        compatible_languages=frozenset(listed("compatible_languages") or languages),
        family=row.get("family"),
        language_filter=language_filter,
        search_languages=tuple(listed("search_languages") or only),
        distinctive_names=_phrases([spelled for spelled in names if len(spelled) >= MIN_DISTINCTIVE_CHARS]),
        aliases=tuple(listed("aliases")),
        displayed=row.get("displayed") or language_filter or name.title(),
    )


def _phrases(texts: list[str]) -> frozenset[Phrase]:
    return frozenset(phrase(text) for text in texts)
