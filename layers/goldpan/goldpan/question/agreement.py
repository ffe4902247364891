"""Where a language model and the rules differ on what a question refuses: that is doubt, and doubt limits nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from goldpan.contracts import Interpretation
from goldpan.question.spans import part_id
from goldpan.text import words

DIFFERS = "“{}” is not used: the language model reads it otherwise than the rules."


def doubtful_parts(
    parts: Iterable[Interpretation], wanted: Iterable[str | None], refused: Iterable[str]
) -> tuple[Interpretation, ...]:
    """Return the constraints that the model reads as refused, and the exclusions that it reads as wanted."""
    asked = {tuple(words(text)) for text in wanted if text}
    denied = {tuple(words(text)) for text in refused}
    return tuple(part for part in parts if _name(part) in (denied if part.kind == "constraint" else asked))


def _name(part: Interpretation) -> tuple[str, ...] | None:
    if part.kind not in ("constraint", "exclusion"):
        return None
    return tuple(words(part.value.removeprefix("not ").removeprefix("in ").removeprefix("by ").removeprefix("type ")))


def as_unread(doubtful: Sequence[Interpretation]) -> tuple[Interpretation, ...]:
    """Return the doubtful parts as parts that limit nothing."""
    return tuple(
        Interpretation(id=part_id("unread", part.value), kind="unread", text=part.text, value=part.value)
        for part in doubtful
    )


def doubt_notes(doubtful: Sequence[Interpretation]) -> tuple[str, ...]:
    """Return a sentence for each doubtful part."""
    return tuple(DIFFERS.format(part.text) for part in doubtful)
