"""The concepts of a question, each with the terms of its wordings."""

from __future__ import annotations

from dataclasses import dataclass

from goldpan.kinds.papers.models import ParsedIntent
from goldpan.kinds.papers.paper_text import GAP, marked_terms
from goldpan.text import Phrase, phrase

SYNONYM_FACTOR, MAX_MENTIONS = 0.8, 4
"""What a synonym counts, and how often a question may name a concept so that it counts more."""


@dataclass(frozen=True)
class Concept:
    """A concept of the question: its wordings, each with its terms and what it counts, the asked one first."""

    text: str
    wordings: tuple[tuple[str, Phrase, float], ...]
    mentions: int = 1


def read_concepts(intent: ParsedIntent) -> list[Concept]:
    """Return the concepts of an intent with their synonyms; one that consists of stop words counts all the same."""
    asked = f" {' '.join(term for term, _ in marked_terms(intent.meaning or intent.topic))} "
    concepts: dict[Phrase, Concept] = {}
    for text in intent.concepts:
        synonyms = intent.synonyms.get(text, ())
        worded = [
            (text, concept_phrase(text), 1.0),
            *((other, concept_phrase(other), SYNONYM_FACTOR) for other in synonyms),
        ]
        wordings = tuple(wording for wording in worded if wording[1])
        if wordings:
            mentions = asked.count(f" {' '.join(wordings[0][1])} ")
            concepts.setdefault(wordings[0][1], Concept(text, wordings, min(MAX_MENTIONS, max(1, mentions))))
    return list(concepts.values())


def single_terms(wording: Phrase) -> list[str]:
    """Return the terms of a wording without gaps, each once."""
    return [term for term in dict.fromkeys(wording) if term != GAP]


def concept_phrase(text: str) -> Phrase:
    """Return the terms of a concept, with gaps within it; one that consists of stop words keeps them."""
    marked = " ".join(term for term, _ in marked_terms(text)).strip(f"{GAP} ")
    return tuple(marked.split()) or phrase(text)
