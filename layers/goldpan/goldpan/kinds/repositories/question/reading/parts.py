"""The reading of a question, and its parts for the answer."""

from __future__ import annotations

from goldpan.config import Frozen
from goldpan.kinds.repositories.constraints import Constraints
from goldpan.kinds.repositories.question.reading.found import PartKind, Term

PART_KINDS: tuple[PartKind, ...] = ("term", "constraint", "exclusion", "likeness", "correction", "unread")
"""In the order in which an answer lists them."""


class Part(Frozen):
    """One entry of the answer's `interpretation`."""

    id: str
    kind: PartKind
    text: str
    """The words of the question."""
    value: str
    """What they were read as, in words for a person."""


class Reading(Frozen):
    """What a question asks for."""

    question: str
    parts: tuple[Part, ...] = ()
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
