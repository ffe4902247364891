"""What the words of a question mean: platforms, subjects, forms, and their synonyms (vocabulary.toml)."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from goldpan.text import STOP_WORDS, Phrase, phrase, words

Part = Literal["platform", "subject", "form"]
MAX_PHRASE = 4
MAX_WORD = 60
"""A longer one names nothing, and would not fit into a query."""
MIN_NAME = 3
FARTHER = 0.3
"""How much a synonym counts: 1 over (1 + 0.3 for each place in its group)."""


@dataclass(frozen=True)
class Platform:
    """What a repository is made with or made for."""

    name: str
    words: frozenset[Phrase]
    languages: frozenset[str]
    home: frozenset[str]
    filter: str | None
    family: str | None
    not_when: frozenset[Phrase]
    names: frozenset[Phrase]
    """Its unmistakable names: short ones are ordinary words too often."""
    also: tuple[str, ...]
    narrow: tuple[str, ...]


@dataclass(frozen=True)
class Concept:
    """A part of the question: its words as asked, its phrase to compare, and what it is."""

    part: Part
    words: tuple[str, ...]
    phrase: Phrase
    platform: Platform | None = None


@dataclass(frozen=True)
class Vocabulary:
    """The tables of vocabulary.toml in comparable form."""

    platforms: dict[str, Platform]
    platform_of: dict[tuple[str, ...], Platform]
    """By the words that name it, unstemmed: a window is not Windows, and going is not Go."""
    forms: frozenset[Phrase]
    synonyms: dict[Phrase, dict[Phrase, float]]
    spelling: dict[Phrase, str]
    other_things: tuple[frozenset[Phrase], ...]

    def concepts(self, text: str) -> tuple[Concept, ...]:
        """Cut a question into its parts, longest known phrase first, each part once."""
        asked = [word for word in words(text) if len(word) <= MAX_WORD]
        found: dict[Phrase, Concept] = {}
        start = 0
        while start < len(asked):
            concept, length = self._longest(asked, start)
            if concept is not None:
                found.setdefault(concept.phrase, concept)
            start += length
        return tuple(found.values())

    def _longest(self, asked: list[str], start: int) -> tuple[Concept | None, int]:
        for length in range(min(MAX_PHRASE, len(asked) - start), 0, -1):
            taken = tuple(asked[start : start + length])
            known = self._known(taken, phrase(" ".join(taken)))
            if known is not None:
                return known, length
        word = asked[start]
        return (None if word in STOP_WORDS else Concept("subject", (word,), phrase(word))), 1

    def _known(self, taken: tuple[str, ...], key: Phrase) -> Concept | None:
        platform = self.platform_of.get(taken)
        if platform is not None:
            return Concept("platform", taken, key, platform)
        if key in self.forms or (len(taken) == 1 and taken[0].isdecimal()):
            return Concept("form", taken, key)
        return Concept("subject", taken, key) if key in self.synonyms else None

    def nearest(self, key: Phrase) -> list[tuple[str, float]]:
        """List the synonyms of a phrase as they are written, nearest first; of its equivalents only the first."""
        ordered = sorted(self.synonyms.get(key, {}).items(), key=lambda item: -item[1])
        equivalents = [other for other, weight in ordered if weight == 1]
        return [(self.spelling[other], weight) for other, weight in ordered if other not in equivalents[1:]]


_READ: list[Vocabulary] = []
_TURN = threading.Lock()


def vocabulary() -> Vocabulary:
    """Read the tables, once a process: of many searches that begin at once, one reads them and the others wait."""
    if not _READ:
        with _TURN:
            if not _READ:
                _READ.append(_read())
    return _READ[0]


def _read() -> Vocabulary:
    import tomllib  # noqa: PLC0415 - needed once

    tables = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
    aliases: dict[str, str] = tables["aliases"]
    platforms = {name: _platform(name, row, aliases) for name, row in tables["platforms"].items()}
    platform_of = {tuple(words(name)): platform for name, platform in platforms.items()}
    platform_of |= {tuple(words(alias)): platforms[name] for alias, name in aliases.items()}
    synonyms: dict[Phrase, dict[Phrase, float]] = {}
    spelling: dict[Phrase, str] = {}
    for group in tables["synonyms"]["groups"]:
        _join(group, synonyms, spelling)
    for group in tables["equivalents"]["groups"]:
        _join(group, synonyms, spelling, farther=0.0)
    forms = frozenset(phrase(word) for word in tables["forms"]["words"])
    other_things = tuple(frozenset(phrase(word) for word in group) for group in tables["other_things"]["groups"])
    return Vocabulary(platforms, platform_of, forms, synonyms, spelling, other_things)


def _platform(name: str, row: dict[str, object], aliases: dict[str, str]) -> Platform:
    def listed(key: str) -> list[str]:
        value = row.get(key, [])
        return [str(item) for item in value] if isinstance(value, list) else []

    only_filter, family = row.get("filter"), row.get("family")
    return Platform(
        name=name,
        words=frozenset({phrase(name), *(phrase(word) for word in listed("words"))}),
        languages=frozenset(listed("languages")),
        home=frozenset(listed("home") or listed("languages")),
        filter=str(only_filter) if only_filter else None,
        family=str(family) if family else None,
        not_when=frozenset(phrase(word) for word in listed("not_when")),
        names=frozenset(
            phrase(spelled)
            for spelled in (name, *(alias for alias, of in aliases.items() if of == name))
            if len(spelled) >= MIN_NAME
        ),
        also=tuple(listed("also")),
        narrow=tuple(listed("narrow")),
    )


def _join(
    group: list[str],
    synonyms: dict[Phrase, dict[Phrase, float]],
    spelling: dict[Phrase, str],
    farther: float = FARTHER,
) -> None:
    """Make every member a synonym of every other: the head nearest, the others by their places."""
    for i, one in enumerate(group):
        spelling.setdefault(phrase(one), one)
        for j, other in enumerate(group):
            if phrase(one) == phrase(other):
                continue
            distance = j if i == 0 else i if j == 0 else i + j
            near = 1 / (1 + farther * distance)
            known = synonyms.setdefault(phrase(one), {})
            known[phrase(other)] = max(near, known.get(phrase(other), 0.0))
