"""The text of a question as it is read: normalized, in English, with names and quotes protected.

Every place of the text leads back to what was typed there, whatever was corrected, translated or protected.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

JOINER = "\u02d0"
"""Stands for a space inside a name, so that it is read as one word."""
QUOTE = "\u02d1"
"""Stands for every character of a quoted text, so that nothing is read in it."""
QUOTED = re.compile(r"\"([^\"]{1,200})\"|(?<!\w)'([^']{2,200})'(?!\w)|`([^`]{1,200})`")
TOKEN = re.compile(
    rf"{QUOTE}+|(?<!\w)\.(?:net|NET|Net)\b|@?[^\W_](?:[\w.+#/'{JOINER}\u0900-\u097f-]*[\w+#\u0900-\u097f])?[+#]*"
)
"""A word with the hyphens, dots, slashes and apostrophes inside it, or a quoted text."""
_SIMPLE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"'}
)


class Replaced(NamedTuple):
    """A place of the text, and what was typed there."""

    start: int
    end: int
    typed: str


@dataclass(frozen=True)
class QuestionText:
    """A text to read, and where it differs from what was typed, in order."""

    text: str
    replaced: tuple[Replaced, ...] = ()

    def typed(self, start: int, end: int) -> str:
        """Return what was typed at a place, with single spaces and without quotes around it."""
        return plain(self._typed(start, end))

    def _typed(self, start: int, end: int) -> str:
        pieces, place = [], start
        for one in self.replaced:
            if one.start < end and start < one.end:
                quoted = self.text[one.start : one.start + 1] == QUOTE
                pieces += [self.text[place : one.start], one.typed.strip("\"'`") if quoted else one.typed]
                place = one.end
        return "".join(pieces) + self.text[place:end]

    def substitute(self, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> QuestionText:
        """Put other words in the place of each match."""
        return self.replace((*match.span(), new(match)) for match in pattern.finditer(self.text))

    def replace(self, places: Iterable[tuple[int, int, str]]) -> QuestionText:
        """Put other words at places, given in order with their ends; what was typed there is kept."""
        pieces: list[str] = []
        replaced: list[Replaced] = []
        place = length = 0
        for start, end, word in places:
            pieces.append(self.text[place:start])
            length += start - place
            replaced += self._moved(place, start, length - start)
            if word != self.text[start:end]:
                replaced.append(Replaced(length, length + len(word), self._typed(start, end)))
            pieces.append(word)
            length, place = length + len(word), end
        replaced += self._moved(place, len(self.text) + 1, length - place)
        return QuestionText("".join(pieces) + self.text[place:], tuple(replaced))

    def _moved(self, start: int, end: int, by: int) -> list[Replaced]:
        return [Replaced(a + by, b + by, typed) for a, b, typed in self.replaced if start <= a and b <= end]


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
    quoted = QuestionText(text).substitute(QUOTED, lambda match: QUOTE * len(match[0]))
    return quoted if names is None else quoted.substitute(names, joined)


def joined(match: re.Match[str]) -> str:
    """Join the words of a name."""
    return re.sub(r"\s", JOINER, match[0])
