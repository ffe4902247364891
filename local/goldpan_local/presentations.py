"""Presentations by the names of their kinds, and what they add to the formats of an answer."""

from __future__ import annotations

from collections.abc import Iterator

from goldpan.engine.kind_description import presentation_of
from goldpan.engine.presentation import AnyPresentation, ExportFormat
from goldpan.kinds.answer import Answer
from goldpan.kinds.registry import get_kind, kind_names


def presentation(kind: str) -> AnyPresentation:
    """Return the presentation of a kind."""
    return presentation_of(get_kind(kind))


def results_of(answer: Answer) -> Iterator[tuple[AnyPresentation, object]]:
    """Yield the results of an answer in the order in which they are numbered, each with its presentation."""
    for kind, section in answer.sections.items():
        shown = presentation(kind)
        yield from ((shown, result) for result in section.results)


def export_formats() -> dict[str, str]:
    """Return the formats that hold the results of one kind alone, with the name of that kind."""
    return {each.name: kind for kind in kind_names() for each in presentation(kind).formats}


def export_format(kind: str, name: str) -> ExportFormat[object]:
    """Return a format of a kind. Raises `StopIteration` if it has none of that name."""
    return next(each for each in presentation(kind).formats if each.name == name)
