"""The records of a file, as they are deduplicated, and what was left out of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldpan.kinds.papers.input_files.groups import ParsedRecord
from goldpan.kinds.papers.input_files.input_record import InputCounts

if TYPE_CHECKING:
    from bibtexparser.library import Library


@dataclass
class ParsedFile:
    """The records of a file in their order; `library` has the entries of a bibliography, by the ids as keys."""

    name: str
    records: list[ParsedRecord]
    counts: InputCounts = field(default_factory=InputCounts)
    library: Library | None = None

    def notes(self) -> Iterator[str]:
        """Describe what was left out."""
        yield from (f"{self.name}: {note}" for note in self.counts.notes())
