"""The words of a question for repositories that are no subject: requests, forms, preferences (wording.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from goldpan.kinds.repositories.products import product_words
from goldpan.kinds.repositories.vocabulary import Platform, vocabulary
from goldpan.question.grammar import any_of
from goldpan.question.known_words import known_words
from goldpan.question.spelling import TWO_EDITS_FROM, KnownWords
from goldpan.text import phrase, words

Intent = Literal["mature", "popular", "emerging", "lightweight"]
INTENTS: tuple[Intent, ...] = ("mature", "popular", "emerging", "lightweight")
"""In order of precedence."""
_DISPLAYED = {
    "android": "Android", "fastapi": "FastAPI", "ios": "iOS", "javascript": "JavaScript", "jquery": "jQuery",
    "macos": "macOS", "nodejs": "Node.js", "nuxt": "Nuxt", "react native": "React Native", "typescript": "TypeScript",
    "wordpress": "WordPress", ".net": ".NET",
}  # fmt: skip


@dataclass(frozen=True)
class Wording:
    """The tables of wording.toml; phrases are tuples of words as `goldpan.text.words` splits them."""

    request: frozenset[str]
    request_phrases: re.Pattern[str]
    form: frozenset[str]
    context: frozenset[str]
    context_phrases: frozenset[tuple[str, ...]]
    preference: frozenset[str]
    preference_phrases: frozenset[tuple[str, ...]]
    names: frozenset[tuple[str, ...]]
    name_pattern: re.Pattern[str]
    wishes: tuple[tuple[re.Pattern[str], str], ...]
    """What is worded like an exclusion and asks for something, with the words to search for."""
    intents: dict[Intent, re.Pattern[str]]
    ambiguous_intents: frozenset[str]
    not_after_intent: frozenset[str]
    sets: dict[str, frozenset[str]]
    """Words that decide what the word next to them is."""

    def is_plain(self, word: str) -> bool:
        """Report whether a lower-case word asks, holds the sentence together, or says nothing of the subject."""
        return word in self.request or word in self.form or word in self.context or word in self.preference


@cache
def wording() -> Wording:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
    listed = {
        name: [item for item in text.split(",") if item.strip()]
        for name, text in tables.items()
        if isinstance(text, str)
    }
    intents = tables["intents"]
    return Wording(
        request=frozenset([*tables["request"].split(), *tables["cue"].split()]),
        request_phrases=any_of(listed["request_phrases"]),
        form=frozenset(tables["form"].split()),
        context=frozenset(tables["context"].split()),
        context_phrases=_phrases(listed["context_phrases"]),
        preference=frozenset(tables["preference"].split()),
        preference_phrases=_phrases(listed["preference_phrases"]),
        names=_phrases(listed["names"]),
        name_pattern=any_of(listed["names"]),
        wishes=tuple(
            (re.compile(rf"(?<![\w-])(?:{pattern.replace(' ', chr(92) + 's+')})(?![\w-])", re.IGNORECASE), meant)
            for meant, pattern in tables["wishes"].items()
        ),
        intents={name: any_of(intents[name].split(",")) for name in INTENTS},
        ambiguous_intents=frozenset(intents["ambiguous"].split()),
        not_after_intent=frozenset(intents["not_before"].split()),
        sets={name: frozenset(text.split()) for name, text in tables["sets"].items()},
    )


def _phrases(texts: list[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words(text)) for text in texts)


def platform_of(name: str) -> Platform | None:
    """Return the platform that a name stands for, or None."""
    return vocabulary().platforms_by_name.get(tuple(words(name)))


def displayed(platform: Platform) -> str:
    """Return the name of a platform as people write it."""
    return _DISPLAYED.get(platform.name) or platform.language_filter or platform.name.title()


def github_language(name: str) -> str:
    """Return GitHub's name of a language: "golang" is "Go"; an unknown name stays as it is."""
    platform = platform_of(name)
    if platform is not None and platform.language_filter:
        return platform.language_filter
    return platform.search_languages[0] if platform is not None and platform.search_languages else name


@cache
def built_in() -> frozenset[str]:
    """Return the single words of these tables and of the vocabulary, which are never misspelled."""
    tables, terms = wording(), vocabulary()
    spelled = {word for text in terms.spelling.values() for word in words(text)}
    platforms = {word for name in terms.platforms_by_name for word in name}
    names = {word for name in tables.names for word in name}
    known = frozenset(spelled | platforms | names) | tables.request | tables.form | tables.context | tables.preference
    return frozenset(word for word in known if "'" not in word)


@lru_cache(maxsize=512)
def is_technical(word: str) -> bool:
    """Report whether the vocabulary has a word."""
    key = phrase(word)
    return platform_of(word) is not None or key in vocabulary().synonyms or key in vocabulary().generic


@cache
def repository_words() -> KnownWords:
    """Return the words of all repositories; the first call reads the file, which takes some milliseconds."""
    counts = known_words()
    return words_of(dict(counts), frozenset(word for word, count in counts.items() if not count))


def words_of(frequencies: dict[str, int], names: frozenset[str] = frozenset()) -> KnownWords:
    """Add the words of the vocabulary and the wording; nearly every short word is near to a short word of a request."""
    asking = wording().request
    targets = frozenset(word for word in built_in() if word not in asking or len(word) >= TWO_EDITS_FROM)
    return KnownWords(frequencies, names, built_in=built_in(), targets=targets | product_words())
