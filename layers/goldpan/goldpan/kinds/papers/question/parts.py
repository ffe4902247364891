"""What the recognizers find in a question for papers, and its reading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldpan.config import Frozen
from goldpan.contracts import Interpretation
from goldpan.kinds.papers.models import Domain, ParsedIntent, Preference
from goldpan.question.parts import PartKind, bounded, part_id

QUOTE = "\u02d0"
"""Stands for every character of a quoted text, so that no recognizer reads in it."""


@dataclass(frozen=True)
class Concept:
    """A word or phrase to search for: the wording that leads, what means the same, and what is near to it."""

    text: str
    wordings: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    domain: Domain | None = None
    is_method: bool = False
    is_weak: bool = False
    """It says little of the subject alone, such as "effect"."""
    is_exact: bool = False
    """It was quoted, so that its words stay together."""
    alternative_to: str | None = None
    """The lead of the concept that it is another wording of, as in "teenagers or adolescents"."""


@dataclass(frozen=True)
class Found:
    """What a recognizer found at a span of the question; `fields` are the constraints that it adds."""

    start: int
    end: int
    kind: PartKind
    value: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    concept: Concept | None = None
    preference: Preference | None = None
    likes: tuple[str, ...] = ()
    note: str = ""

    @property
    def id(self) -> str:
        """An identifier that depends on the kind and the value alone."""
        return part_id(self.kind, self.value)


class Reading(Frozen):
    """A question as an intent, the parts that an answer shows, and sentences for its warnings."""

    intent: ParsedIntent
    parts: tuple[Interpretation, ...] = ()
    notes: tuple[str, ...] = ()
    facts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The ids of the parts that set constraints, each with their names."""

    @property
    def empty(self) -> bool:
        """Whether nothing is left to search for."""
        return not self.intent.concepts and not self.intent.likes


def overlaps(one: Found, others: Iterable[Found]) -> bool:
    """Report whether a span shares a character with one of the others."""
    return any(one.start < other.end and other.start < one.end for other in others)


def without_replaced(reading: Reading, replaced: Collection[str]) -> tuple[Interpretation, ...]:
    """Return the parts but for those whose constraints a filter has taken the place of."""
    facts = dict(reading.facts)
    return tuple(part for part in reading.parts if not (facts.get(part.id) and set(facts[part.id]) <= set(replaced)))


def parts_by_model(parts: Sequence[Interpretation], intent: ParsedIntent) -> tuple[Interpretation, ...]:
    """Put the model's concepts in the place of the rules' terms, and leave out what the rules could not read."""
    others = [part for part in parts if part.kind not in {"term", "unread", "correction"}]
    wordings = dict.fromkeys(text for one in intent.concepts for text in (one, *intent.synonyms.get(one, ())))
    terms = [Interpretation(id=part_id("term", text), kind="term", text=text, value=text) for text in wordings]
    return bounded([*terms, *others])


def why_nothing(parts: Sequence[Interpretation]) -> str:
    """Describe why nothing is left to search for, without the words of the question."""
    kinds = {part.kind for part in parts}
    if "exclusion" in kinds:
        return "says what the papers must not be about, but not what they should be about"
    if "constraint" in kinds:
        return "only limits the papers and has no word for their subject: add one, such as “graph neural networks”"
    return "holds no word to search for: say what the papers should be about, such as “graph neural networks”"
