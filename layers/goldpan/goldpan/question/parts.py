"""The parts of a question: their ids, the spans that were read, and as many as an answer shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import islice
from typing import Literal, Protocol

from goldpan.contracts import Interpretation
from goldpan.engine.payload import truncate_json

PartKind = Literal["term", "constraint", "exclusion", "likeness", "correction", "unread"]
PART_KINDS: tuple[PartKind, ...] = ("term", "constraint", "exclusion", "likeness", "correction", "unread")
"""In the order in which an answer lists them."""
MAX_ID_NAME = 100
MAX_PARTS, PART_BYTES = 40, 120
"""The maximum of an answer's interpretation, and of each text and value in it."""
_SIMPLE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"'}
)
BREAK = "\u00a6"
"""Stands in the text where something was taken out, so that no phrase is read across the gap."""
CORRECTED = "Searched for {} (you typed {})."
NOTHING = "The question has no word to search for."
FOREIGN = (
    "The question was read as {}, by a table of words{}; a language model (LLM_API_KEY, DEEPSEEK_API_KEY or"
    " OPENAI_API_KEY) would read the rest."
)
NO_MODEL = (
    "No language model is configured: the question was translated and the results were ordered by rules alone; "
    "LLM_API_KEY, LLM_BASE_URL and LLM_MODEL configure one."
)
ANSWERED_BY_MODEL = (NOTHING, FOREIGN.partition("{}")[0])
"""How the notes begin that do not hold where a language model read the question."""


class Spanned(Protocol):
    """What was found at a span of the question."""

    @property
    def start(self) -> int:
        """The place of its first character."""

    @property
    def end(self) -> int:
        """The place after its last character."""


def part_id(kind: str, value: str) -> str:
    """Make the identifier of a part: its kind and the beginning of its value, without spaces and commas."""
    name = re.sub(r"[\s,]+", "-", value.casefold()).strip("-")
    return f"{kind}:{name[:MAX_ID_NAME]}"


def tidied(text: str) -> str:
    """Normalize compatibility characters, quotes and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIMPLE).split())


def without(text: str, found: Iterable[Spanned]) -> str:
    """Blank the spans of what was found; every other character keeps its place."""
    for one in found:
        text = blanked(text, one.start, one.end)
    return text


def blanked(text: str, start: int, end: int) -> str:
    """Blank one span."""
    return text[:start] + BREAK + " " * (end - start - 1) + text[end:] if end > start else text


def bounded(parts: Iterable[Interpretation]) -> tuple[Interpretation, ...]:
    """Return the first parts, as many as an answer shows, with texts and values of a bounded size."""
    return tuple(
        part.model_copy(
            update={"text": truncate_json(part.text, PART_BYTES), "value": truncate_json(part.value, PART_BYTES)}
        )
        for part in islice(parts, MAX_PARTS)
    )


def foreign_note(tongue: str, unread: Iterable[str]) -> str:
    """Say that a question in another language was read by a table, and which of its words were not."""
    listed = [*islice(unread, 5)]
    return FOREIGN.format(tongue, f" without “{'”, “'.join(listed)}”" if listed else "")


def notes_by_model(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the notes of a reading that hold where a language model read the question."""
    return tuple(note for note in notes if not note.startswith(ANSWERED_BY_MODEL))
