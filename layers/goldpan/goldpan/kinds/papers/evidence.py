"""The evidence of a relevance: words that the paper really has, and the field that has them."""

from __future__ import annotations

from collections.abc import Sequence

from goldpan.infra.encoder.port import Comparison
from goldpan.kinds.papers.concepts import Concept, concept_phrase, single_terms
from goldpan.kinds.papers.models import Paper
from goldpan.kinds.papers.paper_text import FieldText, meaning_text
from goldpan.text import Phrase

MIN_CLOSENESS = 0.3
"""What is called close in meaning in a reason."""
MAX_EVIDENCE, MAX_CLOSE_WORDS, MIN_SHARE = 6, 2, 0.1
"""The evidence of one paper, its pairs of words that are close in meaning, and what a pair must add to that."""


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
