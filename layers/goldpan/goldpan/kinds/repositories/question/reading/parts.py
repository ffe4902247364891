"""What the recognizers find in a question, its reading, and the parts of the reading that an answer shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from goldpan.config import Frozen
from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.question.parts import PART_KINDS, PartKind, bounded, part_id

TermClass = Literal["subject", "platform", "context", "form", "preference"]
WEIGHTS: Mapping[TermClass, float] = {
    "subject": 1.0,
    "platform": 1.0,
    "context": 0.3,
    "form": 0.15,
    "preference": 0.0,
}
"""How much a term of each class counts in the relevance; a preference changes the order only."""


class Term(Frozen):
    """A word or a known phrase to search for."""

    words: tuple[str, ...]
    part: TermClass
    typed: tuple[str, ...] | None = None
    """The words as typed where the spelling was corrected; both are to be searched for."""

    @property
    def weight(self) -> float:
        """How much the term counts."""
        return WEIGHTS[self.part]


@dataclass(frozen=True)
class Found:
    """What a recognizer found at a span of the question; constraints, terms and names are those that it adds."""

    start: int
    end: int
    kind: PartKind
    value: str
    constraints: Mapping[str, Any] = field(default_factory=dict)
    term: Term | None = None
    names: tuple[str, ...] = ()
    note: str = ""

    @property
    def id(self) -> str:
        """An identifier that depends on the kind and the value alone."""
        return part_id(self.kind, self.value)


def with_added(constraints: Constraints, fields: Mapping[str, Any]) -> Constraints:
    """Add fields to constraints: the values of lists are joined, any other value replaces."""
    joined = {
        name: tuple(dict.fromkeys((*getattr(constraints, name), *value))) if isinstance(value, tuple) else value
        for name, value in fields.items()
    }
    return constraints.model_copy(update=joined)


class Reading(Frozen):
    """What a question asks for."""

    question: str
    parts: tuple[Interpretation, ...] = ()
    terms: tuple[Term, ...] = ()
    """In the order of the question."""
    constraints: Constraints = Constraints()
    likenesses: tuple[str, ...] = ()
    """Names to look up: the question asks for repositories like them."""
    tongue: str | None = None
    """The language of the question, if it is not English."""
    notes: tuple[str, ...] = ()
    """Sentences for the answer's warnings."""

    @property
    def empty(self) -> bool:
        """Report whether nothing is left to search for."""
        if self.likenesses or self.constraints.topics or self.constraints.languages:
            return False
        return all(term.part == "preference" for term in self.terms)

    @property
    def summary(self) -> str:
        """Describe the reading in one line, such as "read as: date library · JavaScript · MIT · not jQuery"."""
        shown = {
            kind: [part.value for part in self.parts if part.kind == kind] for kind in PART_KINDS if kind != "unread"
        }
        subject = " ".join(shown.pop("term"))
        corrected = [f"{part.value} (typed {part.text})" for part in self.parts if part.kind == "correction"]
        rest = [*shown["constraint"], *shown["exclusion"], *shown["likeness"], *corrected]
        return "read as: " + (" · ".join(entry for entry in (subject, *rest) if entry) or "no words to search for")


def interpretation_by_rules(reading: Reading) -> tuple[Interpretation, ...]:
    """Return the first parts of the reading, as many as an answer shows."""
    return bounded(reading.parts)


def interpretation_by_model(reading: Reading, keywords: Sequence[str]) -> tuple[Interpretation, ...]:
    """Put the model's keywords in the place of the reading's terms, and leave out what the rules could not read."""
    others = [part for part in interpretation_by_rules(reading) if part.kind not in {"term", "unread"}]
    shown = {part.value.casefold() for part in others}
    terms = [
        Interpretation(id=part_id("term", keyword), kind="term", text=keyword, value=keyword)
        for keyword in keywords
        if keyword.casefold() not in shown
    ]
    return bounded([*terms, *others])


def why_nothing(parts: Sequence[Interpretation]) -> str:
    """Describe why nothing is left to search for, without the words of the question."""
    kinds = {part.kind for part in parts}
    if kinds == {"unread"} and not all(part.text.isascii() for part in parts):
        return "holds no word that is known without a language model: ask in English, or configure one (LLM_API_KEY)"
    if "exclusion" in kinds:
        return "says what the repositories must not be, but not what they should be"
    if "constraint" in kinds:
        return "only limits the repositories and has no word for what they should be"
    return "holds no word to search for: say what the repositories should be, such as “date library”"
