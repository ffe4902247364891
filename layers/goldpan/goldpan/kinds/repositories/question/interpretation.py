"""How a question was read, as the answer shows it: by the rules, or with the words of a language model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from goldpan.contracts import Interpretation
from goldpan.engine.kind import truncate_json
from goldpan.kinds.repositories.question.reading import Reading
from goldpan.kinds.repositories.question.reading.found import part_id
from goldpan.kinds.repositories.question.reading.reader import FOREIGN, NOTHING

MAX_PARTS, PART_BYTES = 40, 120
"""The maximum of an answer's interpretation, and of each text and value in it."""
ANSWERED_BY_MODEL = (NOTHING, FOREIGN.partition("{}")[0])
"""How the notes begin that do not hold where a language model read the question."""


def interpretation_by_rules(reading: Reading) -> tuple[Interpretation, ...]:
    """Return the first parts of the reading, as many as an answer shows."""
    return _bounded(
        Interpretation(id=part.id, kind=part.kind, text=part.text, value=part.value) for part in reading.parts
    )


def interpretation_by_model(reading: Reading, keywords: Sequence[str]) -> tuple[Interpretation, ...]:
    """Put the model's keywords in the place of the reading's terms, and leave out what the rules could not read."""
    others = [part for part in interpretation_by_rules(reading) if part.kind not in {"term", "unread"}]
    shown = {part.value.casefold() for part in others}
    terms = [
        Interpretation(id=part_id("term", keyword), kind="term", text=keyword, value=keyword)
        for keyword in keywords
        if keyword.casefold() not in shown
    ]
    return _bounded([*terms, *others])


def notes_by_model(reading: Reading) -> tuple[str, ...]:
    """Return the notes of the reading that hold where a language model read the question."""
    return tuple(note for note in reading.notes if not note.startswith(ANSWERED_BY_MODEL))


def why_nothing(parts: Sequence[Interpretation]) -> str:
    """Describe why nothing is left to search for, without the words of the question."""
    kinds = {part.kind for part in parts}
    if "exclusion" in kinds:
        return "says what the repositories must not be, but not what they should be"
    if "constraint" in kinds:
        return "only limits the repositories and has no word for what they should be"
    return "holds no word to search for: say what the repositories should be, such as “date library”"


def _bounded(parts: Iterable[Interpretation]) -> tuple[Interpretation, ...]:
    return tuple(
        part.model_copy(
            update={"text": truncate_json(part.text, PART_BYTES), "value": truncate_json(part.value, PART_BYTES)}
        )
        for part in islice(parts, MAX_PARTS)
    )
