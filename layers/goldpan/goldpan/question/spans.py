"""The spans of a question: what was read at each, and the parts of a reading that an answer shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Generic, Literal, TypeVar

from goldpan.contracts import Interpretation
from goldpan.engine.payload import truncate_json

PartKind = Literal["term", "constraint", "exclusion", "likeness", "correction", "unread"]
PART_KINDS: tuple[PartKind, ...] = ("term", "constraint", "exclusion", "likeness", "correction", "unread")
"""In the order in which an answer lists them."""
MAX_ID_NAME = 100
MAX_PARTS, PART_BYTES = 40, 120
"""The maximum of an answer's interpretation, and of each text and value in it."""
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


def part_id(kind: str, value: str) -> str:
    """Make the identifier of a part: its kind and the beginning of its value, without spaces and commas."""
    name = re.sub(r"[\s,]+", "-", value.casefold()).strip("-")
    return f"{kind}:{name[:MAX_ID_NAME]}"


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


def bounded(parts: Iterable[Interpretation]) -> tuple[Interpretation, ...]:
    """Return the first parts, as many as an answer shows, with texts and values of a bounded size."""
    return tuple(
        part.model_copy(
            update={"text": truncate_json(part.text, PART_BYTES), "value": truncate_json(part.value, PART_BYTES)}
        )
        for part in islice(parts, MAX_PARTS)
    )


def in_order(parts: Iterable[Interpretation]) -> list[Interpretation]:
    """Return each part once, in the order of the kinds."""
    once: dict[str, Interpretation] = {}
    for part in parts:
        once.setdefault(part.id, part)
    return sorted(once.values(), key=lambda part: PART_KINDS.index(part.kind))


def foreign_note(language: str, unread: Sequence[str]) -> str:
    """Say that a question in another language was read by a table, and which of its words were not."""
    return FOREIGN.format(language, f" without “{'”, “'.join(unread[:5])}”" if unread else "")


def notes_by_model(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the notes of a reading that hold where a language model read the question."""
    return tuple(note for note in notes if not note.startswith(ANSWERED_BY_MODEL))


def parts_by_model(parts: Iterable[Interpretation], texts: Iterable[str]) -> tuple[Interpretation, ...]:
    """Put what a language model searches for in the place of the rules' terms, and leave out what those left unread."""
    others = [part for part in parts if part.kind not in {"term", "unread", "correction"}]
    shown = {part.value.casefold() for part in others}
    terms = (text for text in dict.fromkeys(texts) if text.casefold() not in shown)
    return bounded(
        [*(Interpretation(id=part_id("term", text), kind="term", text=text, value=text) for text in terms), *others]
    )


def why_nothing(parts: Iterable[Interpretation], results: str, example: str) -> str:
    """Describe why nothing is left to search for, without the words of the question."""
    shown = [*parts]
    kinds = {part.kind for part in shown}
    if kinds == {"unread"} and not all(part.text.isascii() for part in shown):
        return "holds no word that is known without a language model: ask in English, or configure one (LLM_API_KEY)"
    if "exclusion" in kinds:
        return f"contains only exclusions: add what the {results} should be about, such as “{example}”"
    if "constraint" in kinds:
        return f"only limits the {results} and has no word for their subject: add one, such as “{example}”"
    return f"holds no word to search for: say what the {results} should be about, such as “{example}”"
