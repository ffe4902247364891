"""The paper of a library that a record of the user's files describes, and what was left out."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files.field_names import InputCounts, MisspeltFieldError
from goldpan.kinds.papers.input_files.input_record import paper_facts, parse_record
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.files import MAX_FILE_BYTES, read_text

MAX_NAMED = 10
"""Records that were left out and are named."""
Entries = Iterator[tuple[str, Callable[[], Mapping[str, object]]]]
"""The place of each record of a file, and what parses its fields; that raises `ValueError` for a wrong one."""


@dataclass
class Reading:
    """The counts of one import; `on_position` is called with the bytes read of the current file."""

    skipped: int = 0
    faults: list[str] = field(default_factory=list)
    """The first records that were left out, each with its file, place and reason."""
    counts: InputCounts = field(default_factory=InputCounts)
    not_utf8: Counter[str] = field(default_factory=Counter)
    """The lines, or texts, of each file that were read as Latin-1."""
    on_position: Callable[[int], None] | None = None

    def text(self, path: Path, max_bytes: int = MAX_FILE_BYTES) -> str:
        """Read a file as text, and count it if it is taken for Latin-1. Raises `InvalidRequest`."""
        text, is_unicode = read_text(path, max_bytes)
        if not is_unicode:
            self.not_utf8[str(path)] += 1
        return text

    def paper(self, path: Path, place: str, make: Callable[[], LibraryPaper]) -> Iterator[LibraryPaper]:
        """Yield the paper of a record; a wrong one is left out. Raises `InvalidRequest` for a misspelt field."""
        try:
            paper = make()
        except MisspeltFieldError as error:
            raise InvalidRequest(f"{f'{path} {place}'.rstrip()}: {error}") from error
        except ValueError as error:
            self.skip(path, place, error)
            return
        yield paper

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


def read_entries(path: Path, entries: Entries, prefix: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Make a paper of each record of a file; a wrong one is left out.

    One without an id has the prefix and the last word of its place. Raises `InvalidRequest` for a misspelt field.
    """
    for place, parse in entries:
        yield from reading.paper(path, place, partial(_paper, parse, f"{prefix}:{place.rpartition(' ')[2]}", reading))


def _paper(parse: Callable[[], Mapping[str, object]], default_id: str, reading: Reading) -> LibraryPaper:
    return make_library_paper(parse(), default_id, reading.counts)


def make_library_paper(fields: Mapping[str, object], default_id: str, counts: InputCounts) -> LibraryPaper:
    """Make the paper of the known fields of a record. Raises `ValueError` that describes the first fault."""
    record = parse_record(fields, counts)
    facts = paper_facts(record, counts)
    own = [f"{system}:{value}" for system in ("doi", "arxiv", "pmid") if (value := getattr(facts["ids"], system))]
    name = next((text for text in (str(record.id or "").strip(), *own) if text), default_id)
    if record.title is None and not (own or record.abstract or record.summary):
        raise ValueError("a title, an abstract, a summary or an identifier such as doi is required")
    texts = {"abstract": record.abstract or "", "summary": record.summary or ""}
    tags = tuple(dict.fromkeys(tag for tag in record.tags if tag))
    return LibraryPaper.model_validate({"id": name, "title": record.title or name, **texts, "tags": tags, **facts})
