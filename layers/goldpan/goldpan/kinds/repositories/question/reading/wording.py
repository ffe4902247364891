"""The words of a question that are no subject: requests, forms, context, preferences, intents (wording.toml)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from goldpan.kinds.repositories.question.vocabulary import Platform, vocabulary
from goldpan.text import words

Intent = Literal["mature", "popular", "emerging", "lightweight"]
Words = tuple[str, ...]
INTENTS: tuple[Intent, ...] = ("mature", "popular", "emerging", "lightweight")
"""In order of precedence."""


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
