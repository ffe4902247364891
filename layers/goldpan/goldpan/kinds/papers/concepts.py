"""The concepts of a question, each with the terms of its wordings, and the words of a paper that stand for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from goldpan.infra.encoder.port import Comparison
from goldpan.kinds.papers.models import Paper, ParsedIntent
from goldpan.kinds.papers.paper_text import GAP, FieldText, marked_terms, meaning_text
from goldpan.text import Phrase, phrase

SYNONYM_FACTOR, MAX_MENTIONS = 0.8, 4
"""What a synonym counts, and how often a question may name a concept so that it counts more."""
MIN_CLOSENESS = 0.3
"""What is called close in meaning in a reason."""
MAX_EVIDENCE, MAX_CLOSE_WORDS, MIN_SHARE = 6, 2, 0.1
"""The evidence of one paper, its pairs of words that are close in meaning, and what a pair must add to that."""


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


def evidence_of(concepts: Sequence[Concept], text: Sequence[FieldText]) -> tuple[str, ...]:
    """Name the words of a paper that stand for concepts; the fields are read in their order, the title first."""
    found = (credit for concept in concepts for credit in _credits(concept, text))
    return tuple(dict.fromkeys(found))[:MAX_EVIDENCE]


def _credits(concept: Concept, text: Sequence[FieldText]) -> list[str]:
    """Name the first wording that the paper has, or else the single words of the concept as it was asked."""
    for place, (_, wording, _) in enumerate(concept.wordings):
        if held := _held(wording, text):
            return [_credit(*held, concept.text if place else None)]
    single = (_held((term,), text) for term in single_terms(concept.wordings[0][1]))
    return [_credit(*held, None) for held in single if held]


def _held(wording: Phrase, text: Sequence[FieldText]) -> tuple[str, str] | None:
    """Return the words of the paper for a wording, and the first field that has them."""
    return next(((surface, field.name) for field in text if (surface := field.surface(wording))), None)


def _credit(surface: str, field: str, stands_for: str | None) -> str:
    return f"“{surface}” (for “{stands_for}”) in the {field}" if stands_for else f"“{surface}” in the {field}"


def close_words(
    comparison: Comparison | None, paper: Paper, text: Sequence[FieldText], closeness: float, topic: str
) -> tuple[str, ...]:
    """Name the words that are closest in meaning to the question, of a paper that has none of the question's own."""
    if comparison is None or closeness < MIN_CLOSENESS:
        return ()
    pairs = [pair for pair in comparison.pairs(meaning_text(paper)) if pair.share >= MIN_SHARE][:MAX_CLOSE_WORDS]
    held = [(pair.question, _held(concept_phrase(pair.document), text)) for pair in pairs]
    named = tuple(f"{_credit(*words, None)}, close in meaning to “{asked}”" for asked, words in held if words)
    return named or (f"close in meaning to “{topic}”",)
