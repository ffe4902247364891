"""What a question for repositories was read as: its terms, constraints and likenesses, and the parts that are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from goldpan.config import Frozen
from goldpan.contracts import Interpretation
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.question.spans import PART_KINDS, Span, bounded, part_id

TermClass = Literal["subject", "platform", "context", "form", "preference"]
WEIGHTS: Mapping[TermClass, float] = {
    "subject": 1.0, "platform": 1.0, "context": 0.3, "form": 0.15, "preference": 0.0
}  # fmt: skip
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


RepositorySpan = Span[Term]


class Reading(Frozen):
    """What a question asks for."""

    question: str
    parts: tuple[Interpretation, ...] = ()
    terms: tuple[Term, ...] = ()
    """In the order of the question."""
    constraints: Constraints = Constraints()
    likenesses: tuple[str, ...] = ()
    """Names to look up: the question asks for repositories like them."""
    language: str | None = None
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
        shown = {kind: [part.value for part in self.parts if part.kind == kind] for kind in PART_KINDS}
        subject = " ".join(shown["term"])
        corrected = [f"{part.value} (typed {part.text})" for part in self.parts if part.kind == "correction"]
        rest = [*shown["constraint"], *shown["exclusion"], *shown["likeness"], *corrected]
        return "read as: " + (" · ".join(entry for entry in (subject, *rest) if entry) or "no words to search for")


def constraints_of(spans: Iterable[RepositorySpan]) -> Constraints:
    """Put the constraints of spans together: the values of lists are joined, any other value replaces."""
    constraints = Constraints()
    for one in spans:
        constraints = with_added(constraints, one.fields)
    return constraints


def with_added(constraints: Constraints, fields: Mapping[str, object]) -> Constraints:
    """Add fields to constraints: the values of lists are joined, any other value replaces."""
    joined = {
        name: tuple(dict.fromkeys((*getattr(constraints, name), *value))) if isinstance(value, tuple) else value
        for name, value in fields.items()
    }
    return constraints.model_copy(update=joined) if fields else constraints


def interpretation_by_model(reading: Reading, keywords: Sequence[str]) -> tuple[Interpretation, ...]:
    """Put the model's keywords in the place of the reading's terms, and leave out what the rules could not read."""
    others = [part for part in bounded(reading.parts) if part.kind not in {"term", "unread"}]
    shown = {part.value.casefold() for part in others}
    terms = [
        Interpretation(id=part_id("term", keyword), kind="term", text=keyword, value=keyword)
        for keyword in keywords
        if keyword.casefold() not in shown
    ]
    return bounded([*terms, *others])
