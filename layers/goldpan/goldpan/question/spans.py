"""The spans of a question, and what was read at each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from goldpan.engine.interpretation import PartKind, part_id

BREAK = "\u00a6"
"""Stands in the text where something was taken out, so that no phrase is read across the gap."""
Term = TypeVar("Term")


@dataclass(frozen=True)
class Span(Generic[Term]):
    """What was read from a place of the question to another: what it means, and the constraints that it adds."""

    start: int
    end: int
    kind: PartKind
    value: str
    fields: Mapping[str, object] = field(default_factory=dict)
    term: Term | None = None
    names: tuple[str, ...] = ()
    """What the results are to be like."""
    note: str = ""
    """A sentence for the answer's warnings."""
    typed: str = ""
    """What was typed, where the text that is read does not have it at this place."""

    @property
    def id(self) -> str:
        """An identifier that depends on the kind and the value alone."""
        return part_id(self.kind, self.value)

    def overlaps(self, others: Iterable[Span[Term]]) -> bool:
        """Report whether it shares a character with one of the others."""
        return any(self.start < other.end and other.start < self.end for other in others)

    def unread(self, note: str) -> Span[Term]:
        """Return it as a part that limits nothing, with the reason."""
        return replace(self, kind="unread", fields={}, names=(), term=None, note=note)


def apart(spans: Iterable[Span[Term]]) -> list[Span[Term]]:
    """Return the spans that overlap none before them in the list, but for those of the same place."""
    kept: list[Span[Term]] = []
    for one in spans:
        if not one.overlaps(other for other in kept if (other.start, other.end) != (one.start, one.end)):
            kept.append(one)
    return kept


def without(text: str, spans: Iterable[Span[Term]]) -> str:
    """Blank the spans; every other character keeps its place."""
    for one in spans:
        text = blanked(text, one.start, one.end)
    return text


def blanked(text: str, start: int, end: int) -> str:
    """Blank one span."""
    return text[:start] + BREAK + " " * (end - start - 1) + text[end:] if end > start else text


def joined_fields(spans: Iterable[Span[Term]]) -> dict[str, object]:
    """Put the constraints of spans together: the values of lists are joined, any other value but None replaces."""
    fields: dict[str, object] = {}
    for name, value in (item for one in spans for item in one.fields.items() if item[1] is not None):
        known = fields.get(name, ())
        if isinstance(value, tuple) and isinstance(known, tuple):
            fields[name] = tuple(dict.fromkeys((*known, *value)))
        else:
            fields[name] = value
    return fields
