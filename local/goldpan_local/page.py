"""The page that a table is drawn on: how wide it is, and how texts are set on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

WIDEST = 140
"""A longer line is hard to read."""
NARROWEST = 8
"""A text is not wrapped to less than this, however narrow the terminal is."""
WARNING = "!"
"""The label of what speaks against a result or an answer."""


@dataclass(frozen=True)
class Page:
    """A console and the width that is used of it."""

    console: Console
    width: int

    @classmethod
    def of(cls, console: Console) -> Page:
        """Make the page of a console."""
        return cls(console, min(console.width, WIDEST))

    def wrapped(self, text: Text, indent: int = 0) -> Iterator[Text]:
        """Set a text in as many lines as it takes."""
        for line in text.wrap(self.console, max(NARROWEST, self.width - indent)):
            line.rstrip()
            yield Text(" " * indent) + line

    def cut(self, text: str, indent: int = 0) -> Text:
        """Set a text in one line, and say so where it had to be cut."""
        line = Text(text)
        line.truncate(max(NARROWEST, self.width - indent), overflow="ellipsis")
        return Text(" " * indent) + line

    def labelled(self, label: str, text: str, style: str, indent: int = 0) -> Iterator[Text]:
        """Set a text behind its label, wrapped below itself."""
        start = Text(" " * indent).append(label, "bold yellow" if label == WARNING else "bold dim").append(" ")
        for place, line in enumerate(self.wrapped(Text(text, style), start.cell_len)):
            yield start + line[start.cell_len :] if place == 0 else line
