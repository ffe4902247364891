"""The text of a question as it is read: normalized, in English, with names and quotes protected; and its spans.

Every place of the text leads back to what was typed there, whatever was corrected, translated or protected.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from goldpan.engine.interpretation import part_id
from goldpan.known import PartKind

JOINER = "\u02d0"
"""Stands for a space inside a name, so that it is read as one word."""
QUOTE = "\u02d1"
"""Stands for every character of a quoted text, so that nothing is read in it."""
BREAK = "\u00a6"
"""Stands in the text where something was taken out, so that no phrase is read across the gap."""
QUOTED = re.compile(r"\"([^\"]{1,200})\"|(?<!\w)'([^']{2,200})'(?!\w)|`([^`]{1,200})`")
_MARK = re.compile(r"(?<!\w)[\"'`]|[\"'`](?!\w)")
TOKEN = re.compile(
    rf"{QUOTE}+|(?<!\w)\.(?:net|NET|Net)\b|@?[^\W_](?:[\w.+#/'{JOINER}\u0900-\u097f-]*[\w+#\u0900-\u097f])?[+#]*"
)
"""A word with the hyphens, dots, slashes and apostrophes inside it, or a quoted text."""
_SIMPLE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"'}
)
Term = TypeVar("Term")


@dataclass(frozen=True)
class QuestionText:
    """A text to read, and for each of its characters the place in the typed text that it stands for."""

    text: str
    origin: str
    places: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str) -> QuestionText:
        """Read a text as it was typed."""
        return cls(text, text, tuple((at, at + 1) for at in range(len(text))))

    def typed(self, start: int, end: int) -> str:
        """Return what was typed at a place, with single spaces and without quotes around it."""
        if start >= end:
            return ""
        typed = self.origin[self.places[start][0] : self.places[end - 1][1]]
        return plain(_MARK.sub("", typed) if QUOTE in self.text[start:end] else typed)

    def is_replaced(self, start: int, end: int) -> bool:
        """Report whether other words than the typed ones stand at a place."""
        return self.origin[self.places[start][0] : self.places[end - 1][1]] != self.text[start:end]

    def substitute(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> QuestionText:
        """Put other words in the place of each match."""
        return self.replace((*match.span(), new(match)) for match in pattern.finditer(self.text))

    def replace(self, others: Iterable[tuple[int, int, str]]) -> QuestionText:
        """Put other words at places, given in order with their ends."""
        pieces, places, at = list[str](), list[tuple[int, int]](), 0
        for start, end, word in others:
            if word != self.text[start:end]:
                pieces += [self.text[at:start], word]
                places += [*self.places[at:start], *[(self.places[start][0], self.places[end - 1][1])] * len(word)]
                at = end
        return QuestionText("".join(pieces) + self.text[at:], self.origin, (*places, *self.places[at:]))


def token_at(text: str, start: int) -> str:
    """Return the word or the quoted text that begins at a place, an empty text if none does."""
    token = TOKEN.match(text, start)
    return token[0] if token else ""


def tidied(text: str) -> str:
    """Normalize compatibility characters, quotes and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIMPLE).split())


def plain(text: str) -> str:
    """Restore the spaces of a protected name, and leave out its quotes and what surrounds it."""
    return " ".join(text.replace(JOINER, " ").replace("\u00a6", " ").split()).strip("\"'`,; ")


def protected(text: str, names: re.Pattern[str] | None = None) -> QuestionText:
    """Protect quoted texts, and join the words of known names."""
    quoted = QuestionText.of(text).substitute(QUOTED, lambda match: QUOTE * len(match[0]))
    return quoted if names is None else quoted.substitute(names, joined)


def joined(match: re.Match[str]) -> str:
    """Join the words of a name; the space after it stays."""
    return re.sub(r"\s(?=.*\S)", JOINER, match[0])


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

    def unread(self, note: str) -> Span[Term]:
        """Return it as a part that limits nothing, with the reason."""
        return replace(self, kind="unread", fields={}, names=(), term=None, note=note)


def apart(spans: Iterable[Span[Term]]) -> list[Span[Term]]:
    """Return the spans that overlap none before them in the list, but for those of the same place."""
    kept: list[Span[Term]] = []
    for one in spans:
        others = (other for other in kept if (other.start, other.end) != (one.start, one.end))
        if not any(one.start < other.end and other.start < one.end for other in others):
            kept.append(one)
    return kept


def without(text: str, spans: Iterable[Span[Term]]) -> str:
    """Blank the spans; every other character keeps its place."""
    for one in spans:
        if one.start < one.end:
            text = text[: one.start] + BREAK.ljust(one.end - one.start) + text[one.end :]
    return text


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
