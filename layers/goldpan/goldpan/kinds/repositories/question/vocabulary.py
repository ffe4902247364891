"""Recognize platforms, subjects and generic words in a question, and weigh what may stand for them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from goldpan.infra.encoder.port import Encoder
from goldpan.text import STOP_WORDS, Phrase, phrase, words

Part = Literal["platform", "subject", "generic"]
MAX_PHRASE_WORDS = 4
MAX_WORD_CHARS = 60
"""Longer words name nothing, and would not fit into a query."""

MIN_SYNONYM_SIMILARITY = 0.4
"""Words that are merely related are no synonyms: “form” is none of “typeahead”."""
SUBJECT_WEIGHT, PLATFORM_WEIGHT, CONTEXT_WEIGHT, GENERIC_WEIGHT = 1.0, 0.25, 0.3, 0.15
"""Weights of a concept in the coverage."""
EXPANDED_WEIGHT = 0.3
"""An expanded keyword in place of a subject, unless the vocabulary has a synonym with a weight of its own."""
PARTIAL_PHRASE_WEIGHT = 0.3
"""One word of a longer phrase."""
OTHER_NAME_WEIGHT = 0.9
"""Another name of a platform."""

_LOCK = threading.Lock()


@dataclass(frozen=True)
class Platform:
    """What a repository is made with or made for; vocabulary.toml explains the fields."""

    name: str
    words: frozenset[Phrase]
    languages: frozenset[str]
    compatible_languages: frozenset[str]
    longer_names: frozenset[Phrase]
    family: str | None
    language_filter: str | None
    search_languages: tuple[str, ...]
    alternative_names: tuple[str, ...]
    distinctive_names: frozenset[Phrase]
    """The name and its aliases, except short ones, which are too often ordinary words."""


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
            concept, length = self._concept_at(asked, start)
            if concept is not None:
                found.setdefault(concept.phrase, concept)
            start += length
        return tuple(found.values())

    def nearest(self, key: Phrase) -> list[tuple[str, float]]:
        """List the synonyms of a phrase as written, with their weights, nearest first; one equivalent at most."""
        ordered = sorted(self.synonyms.get(key, {}).items(), key=lambda item: -item[1])
        equivalents = [synonym for synonym, weight in ordered if weight == 1]
        return [(self.spelling[synonym], weight) for synonym, weight in ordered if synonym not in equivalents[1:]]

    def _concept_at(self, asked: list[str], start: int) -> tuple[Concept | None, int]:
        """Return the concept that begins at a word, None for a stop word, and the number of words it takes."""
        for length in range(min(MAX_PHRASE_WORDS, len(asked) - start), 0, -1):
            candidate = tuple(asked[start : start + length])
            known = self._known_concept(candidate, phrase(" ".join(candidate)))
            if known is not None:
                return known, length
        word = asked[start]
        return (None if word in STOP_WORDS else Concept("subject", (word,), phrase(word))), 1

    def _known_concept(self, candidate: tuple[str, ...], key: Phrase) -> Concept | None:
        platform = self.platforms_by_name.get(candidate)
        if platform is not None:
            return Concept("platform", candidate, key, platform)
        if key in self.generic or (len(candidate) == 1 and candidate[0].isdecimal()):
            return Concept("generic", candidate, key)
        return Concept("subject", candidate, key) if key in self.synonyms else None


def vocabulary() -> Vocabulary:
    """Return the vocabulary; reads its file once a process, while other threads wait."""
    with _LOCK:
        return _load()


@cache
def _load() -> Vocabulary:
    from goldpan.kinds.repositories.question.vocabulary_file import load_vocabulary  # noqa: PLC0415 - needed once

    return load_vocabulary()


@dataclass(frozen=True)
class WeightedConcept:
    """A concept of the question, its weight in the coverage, and the phrases that stand for it, heaviest first."""

    concept: Concept
    weight: float
    phrases: tuple[tuple[Phrase, float], ...]
    related: frozenset[Phrase] = frozenset()
    """Those that are related to the concept but do not mean it: they count, and no reason credits them."""


def weighted_concept(
    concept: Concept, expanded: Iterable[Phrase], own: Mapping[Phrase, Sequence[Phrase]], encoder: Encoder | None
) -> WeightedConcept:
    """Weigh the phrases that stand for a concept; `own` has the expanded keywords of each subject alone."""
    weights: dict[Phrase, float] = {}
    if concept.platform is not None:
        weights |= dict.fromkeys(concept.platform.words, OTHER_NAME_WEIGHT)
    if concept.part == "subject":
        weights |= dict.fromkeys(expanded, EXPANDED_WEIGHT)
        weights |= vocabulary().synonyms.get(concept.phrase, {})
    related = {*expanded, *vocabulary().synonyms.get(concept.phrase, ())} - _synonyms(concept, encoder)
    related -= {*own.get(concept.phrase, ()), concept.phrase}
    for term in concept.phrase:
        if (term,) not in vocabulary().generic and len(term) > 1:
            weights[(term,)] = max(PARTIAL_PHRASE_WEIGHT, weights.get((term,), 0.0))
            related.discard((term,))
    weights[concept.phrase] = 1.0
    ordered = tuple(sorted(weights.items(), key=lambda item: (-item[1], item[0])))
    weight = {"generic": GENERIC_WEIGHT, "platform": PLATFORM_WEIGHT}.get(concept.part, SUBJECT_WEIGHT)
    return WeightedConcept(concept, weight, ordered, frozenset(related))


def own_expansions(
    subjects: Sequence[Concept], keywords: Sequence[str], encoder: Encoder | None
) -> dict[Phrase, list[Phrase]]:
    """Assign each expanded keyword to the subject that it is closest to in meaning, since it stands for that alone.

    A synonym that the vocabulary lists has its own weight there.
    """
    listed = {synonym for subject in subjects for synonym in vocabulary().synonyms.get(subject.phrase, ())}
    others = [keyword for keyword in keywords if phrase(keyword) not in listed]
    if not others or not subjects:
        return {}
    if encoder is None or len(subjects) == 1:
        return {subject.phrase: [phrase(keyword) for keyword in others] for subject in subjects}
    names = [" ".join(subject.words) for subject in subjects]
    found: dict[Phrase, list[Phrase]] = {}
    for keyword in others:
        closeness = encoder.compare(keyword).closeness(names)
        found.setdefault(subjects[closeness.index(max(closeness))].phrase, []).append(phrase(keyword))
    return found


def _synonyms(concept: Concept, encoder: Encoder | None) -> set[Phrase]:
    """Return the phrases that mean the same as a concept: of its group of related words those close in meaning."""
    listed = vocabulary().synonyms.get(concept.phrase, {})
    if encoder is None or not listed:
        return {*listed}
    closeness = encoder.compare(" ".join(concept.words)).closeness([vocabulary().spelling[other] for other in listed])
    pairs = zip(listed.items(), closeness, strict=True)
    return {synonym for (synonym, weight), close in pairs if weight == 1 or close >= MIN_SYNONYM_SIMILARITY}
