"""The words of a question for repositories that are no subject: requests, forms, preferences (wording.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from goldpan.kinds.repositories.products import product_words
from goldpan.kinds.repositories.vocabulary import platform_of, vocabulary
from goldpan.question.grammar import any_of, pattern
from goldpan.question.known_words import known_words
from goldpan.question.question_text import JOINER, QUOTE
from goldpan.question.spelling import TWO_EDITS_FROM, KnownWords
from goldpan.text import phrase, words

CUES = Path(__file__).with_name("cues.toml")


def cue(section: str, name: str) -> re.Pattern[str]:
    """Return a pattern of cues.toml."""
    return pattern(section, name, file=CUES)


@dataclass(frozen=True)
class Wording:
    """The tables of wording.toml; phrases are tuples of words as `goldpan.text.words` splits them."""

    request: frozenset[str]
    form: frozenset[str]
    context: frozenset[str]
    preference: frozenset[str]
    ambiguous_intents: frozenset[str]
    not_after_intent: frozenset[str]
    anything: frozenset[str]
    no_likeness: frozenset[str]
    verb_before: frozenset[str]
    node_before: frozenset[str]
    node_after: frozenset[str]
    phrases: Mapping[str, frozenset[tuple[str, ...]]]
    patterns: Mapping[str, re.Pattern[str]]
    """Of phrases."""
    intents: Mapping[str, re.Pattern[str]]

    def is_plain(self, word: str) -> bool:
        """Report whether a lower-case word asks, holds the sentence together, or says nothing of the subject."""
        return word in self.request or word in self.form or word in self.context or word in self.preference


@cache
def wording() -> Wording:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
    listed = {name: [text for text in texts.split(",") if text.strip()] for name, texts in tables["phrases"].items()}
    return Wording(
        **{name: frozenset(text.split()) for name, text in tables["words"].items()},
        phrases={name: frozenset(tuple(words(text)) for text in texts) for name, texts in listed.items()},
        patterns={name: any_of(listed[name]) for name in ("request", "names")},
        intents={name: any_of(text.split(",")) for name, text in tables["intents"].items()},
    )


@cache
def built_in() -> frozenset[str]:
    """Return the single words of these tables and of the vocabulary, which are never misspelled."""
    tables, terms = wording(), vocabulary()
    spelled = {word for text in terms.spelling.values() for word in words(text)}
    named = {word for name in (*terms.platforms_by_name, *tables.phrases["names"]) for word in name}
    known = tables.request | tables.form | tables.context | tables.preference | spelled | named
    return frozenset(word for word in known if "'" not in word)


def may_be_name(token: str) -> bool:
    """Report whether a word looks like a name: it has a capital, a digit, a dot or a hyphen, or is protected."""
    return re.search(rf"[A-Z0-9{JOINER}{QUOTE}]|\w[.-]\w|@|\w/\w", token) is not None


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
