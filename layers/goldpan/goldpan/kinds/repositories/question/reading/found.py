"""What the recognizers find in a question, and the spans that they take out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from goldpan.config import Frozen

PartKind = Literal["term", "constraint", "exclusion", "likeness", "correction", "unread"]
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


MAX_ID_NAME = 100
"""Characters of a value in an identifier: a request has a maximum for each that it ignores."""


def part_id(kind: PartKind, value: str) -> str:
    """Make the identifier of a part: its kind and the beginning of its value, without spaces and commas."""
    name = re.sub(r"[\s,]+", "-", value.casefold()).strip("-")
    return f"{kind}:{name[:MAX_ID_NAME]}"


BREAK = "\u00a6"
"""Stands in the text where something was taken out, so that no phrase is read across the gap."""


def without(text: str, found: Iterable[Found]) -> str:
    """Blank the spans of what was found; every other character keeps its place."""
    for one in found:
        text = blanked(text, one.start, one.end)
    return text


def blanked(text: str, start: int, end: int) -> str:
    """Blank one span."""
    return text[:start] + BREAK + " " * (end - start - 1) + text[end:] if end > start else text
