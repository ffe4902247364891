"""The records of a file, as they are deduplicated, and what was left out of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.models import Paper

from goldpan_local.paper_files.input_record import InputCounts

if TYPE_CHECKING:
    from bibtexparser.library import Library


@dataclass(frozen=True)
class ParsedRecord:
    """A record, the id by which the output names it, and where it stands, such as "line 3"."""

    id: str | int
    paper: Paper
    place: str


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


def require_unique(name: str, records: Iterable[ParsedRecord]) -> None:
    """Raise `InvalidRequest` that names the first id that two records have; 7 and "7" are one id."""
    places: dict[str, str] = {}
    for record in records:
        before = places.setdefault(str(record.id), record.place)
        if before != record.place:
            message = f"{name} {record.place}: id: {str(record.id)[:60]!r} is already that of {before}"
            raise InvalidRequest(message)
