"""The words of a question that are no subject: requests, forms, context, preferences, intents (wording.toml).

They tell too whether a text may have misspelled or foreign words, before the larger tables of those are read.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from goldpan.kinds.repositories.question.vocabulary import Platform, vocabulary
from goldpan.question.tongue_tables import ELISION
from goldpan.text import phrase, words

Intent = Literal["mature", "popular", "emerging", "lightweight"]
Words = tuple[str, ...]
INTENTS: tuple[Intent, ...] = ("mature", "popular", "emerging", "lightweight")
"""In order of precedence."""
JOINER = "\u02d0"
"""Stands for a space inside a name, so that every recognizer reads the name as one word."""
QUOTED = r"\"[^\"]*\""
TOKEN = rf"{QUOTED}|(?<!\w)\.(?:net|NET|Net)\b|@?[^\W_][\w.+#/'{JOINER}-]*[\w+#]|[^\W_][+#]*"
_QUOTE = re.compile(r"\"([^\"]{1,80})\"|(?<!\w)'([^']{1,80})'(?!\w)|`([^`]{1,80})`")
MAYBE_MISSPELLED = re.compile(
    r"(?<![\w.@#/+-])[A-Za-z]{4,24}(?![\w@#/+]|[.-]\w|'t\b)|(?<=-)[a-z]{4,24}(?![\w.@#/+])|(?<!\w)[a-z]{4,24}(?=-[a-z])"
)
_MAYBE_BRITISH = re.compile(
    r"\w\wour(?:s|ed|al|ing|ful|less)?$|\w{3}is(?:ations?|e[drs]?|ers|ing)$|lys(?:e[drs]?|ers|ing)$|[nt]alogues?$"
)
TONGUE_WORD = re.compile(r"[^\W\d_](?:[\w\u0900-\u097f]|['\u2019.+#-](?=\w)|[+#])*|\S")
MIN_FOREIGN = 2
"""Words in ASCII that no table has, below which a text is English: fewer cannot outweigh its English words."""


@dataclass(frozen=True)
class Wording:
    """The tables of wording.toml; phrases are tuples of words as `goldpan.text.words` splits them."""

    request: frozenset[str]
    request_phrases: re.Pattern[str]
    form: frozenset[str]
    context: frozenset[str]
    context_phrases: frozenset[Words]
    preference: frozenset[str]
    preference_phrases: frozenset[Words]
    names: frozenset[Words]
    name_pattern: re.Pattern[str]
    intents: dict[Intent, re.Pattern[str]]
    ambiguous_intents: frozenset[str]
    not_after_intent: frozenset[str]

    def is_plain(self, word: str) -> bool:
        """Report whether a lower-case word asks, holds the sentence together, or says nothing of the subject."""
        return word in self.request or word in self.form or word in self.context or word in self.preference


@cache
def wording() -> Wording:
    """Return the tables; reads the file once a process."""
    tables = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
    names = _listed(tables["names"])
    intents = tables["intents"]
    return Wording(
        request=frozenset([*tables["request"].split(), *tables["cue"].split()]),
        request_phrases=any_of(_listed(tables["request_phrases"])),
        form=frozenset(tables["form"].split()),
        context=frozenset(tables["context"].split()),
        context_phrases=_phrases(_listed(tables["context_phrases"])),
        preference=frozenset(tables["preference"].split()),
        preference_phrases=_phrases(_listed(tables["preference_phrases"])),
        names=_phrases(names),
        name_pattern=any_of(names),
        intents={name: any_of(_listed(intents[name])) for name in INTENTS},
        ambiguous_intents=frozenset(intents["ambiguous"].split()),
        not_after_intent=frozenset(intents["not_before"].split()),
    )


def any_of(texts: list[str]) -> re.Pattern[str]:
    """Compile a pattern that matches any of the texts as whole words, the longest first, without regard to case."""
    ordered = sorted(texts, key=len, reverse=True)
    either = "|".join(re.escape(text).replace(r"\ ", r"\s+") for text in ordered)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


def platform_of(name: str) -> Platform | None:
    """Return the platform that a name stands for, or None."""
    return vocabulary().platforms_by_name.get(tuple(words(name)))


_DISPLAYED = {
    "android": "Android",
    "fastapi": "FastAPI",
    "ios": "iOS",
    "javascript": "JavaScript",
    "jquery": "jQuery",
    "macos": "macOS",
    "nodejs": "Node.js",
    "nuxt": "Nuxt",
    "react native": "React Native",
    "typescript": "TypeScript",
    "wordpress": "WordPress",
    ".net": ".NET",
}


def displayed(platform: Platform) -> str:
    """Return the name of a platform as people write it."""
    if platform.name in _DISPLAYED:
        return _DISPLAYED[platform.name]
    return platform.language_filter or platform.name.title()


def _listed(text: str) -> list[str]:
    return [" ".join(item.split()) for item in text.split(",") if item.strip()]


def _phrases(texts: list[str]) -> frozenset[Words]:
    return frozenset(tuple(words(text)) for text in texts)


def protected(text: str) -> str:
    """Join the words of quoted phrases and of known names; every character keeps its place."""

    def quoted(match: re.Match[str]) -> str:
        return '"' + _joined(next(group for group in match.groups() if group is not None)) + '"'

    text = _QUOTE.sub(quoted, text)
    return wording().name_pattern.sub(lambda match: _joined(match[0]), text)


def plain(text: str) -> str:
    """Restore the spaces of a protected name and leave out its quotes."""
    return " ".join(text.replace(JOINER, " ").strip("\"'`").split())


def _joined(text: str) -> str:
    return re.sub(r"\s", JOINER, text)


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
    """Report whether the vocabulary has a word, which then tells nothing of the language."""
    key = phrase(word)
    return platform_of(word) is not None or key in vocabulary().synonyms or key in vocabulary().generic


def may_be_misspelled(text: str) -> bool:
    """Report whether a text has a word that neither these tables nor the vocabulary have, or that may be British."""
    typed = [match[0].lower() for match in MAYBE_MISSPELLED.finditer(text)]
    return any(word not in built_in() or _MAYBE_BRITISH.search(word) for word in typed)


def may_be_foreign(text: str) -> bool:
    """Report whether a text has letters beyond ASCII, or enough words that are neither English nor technical."""
    if not text.isascii():
        return True
    typed = {word.lower() for word in TONGUE_WORD.findall(ELISION.sub(" ", text))} - wording().request
    return sum(not is_technical(word) for word in typed) >= MIN_FOREIGN
