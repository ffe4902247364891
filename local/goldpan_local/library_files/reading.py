"""The result of reading the user's files: how many records were read and left out, and the notes about each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goldpan.kinds.papers.input_files.input_record import InputCounts

MAX_NAMED = 10
"""Records that were left out and are named."""


@dataclass
class Reading:
    """The counts of one import; `on_position` is called with the bytes read of the current file."""

    papers: int = 0
    skipped: int = 0
    faults: list[str] = field(default_factory=list)
    """The first records that were left out, each with its file, place and reason."""
    counts: InputCounts = field(default_factory=InputCounts)
    not_utf8: Counter[str] = field(default_factory=Counter)
    """The lines, or texts, of each file that were read as Latin-1."""
    on_position: Callable[[int], None] | None = None

    def skip(self, path: Path, place: str, fault: object) -> None:
        """Count a record that is left out, and name it if it is among the first."""
        self.skipped += 1
        if len(self.faults) < MAX_NAMED:
            self.faults.append(f"{f'{path} {place}'.rstrip()}: {fault}")

    def notes(self) -> Iterator[str]:
        """Describe what was left out or assumed, a line each."""
        yield from self.faults
        if self.skipped > len(self.faults):
            yield f"and {self.skipped - len(self.faults):,} more records left out"
        for name, texts in self.not_utf8.items():
            yield f"{name}: not UTF-8, so read as Latin-1: {texts:,} {'text' if texts == 1 else 'texts'}"
        yield from self.counts.notes()
