"""The papers of a library that records of the user's files describe, what was left out, and records in JSON."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from goldpan.counts import MAX_NAMED, counted
from goldpan.errors import InvalidRequest
from goldpan.infra.input_lines import bounded_lines, parse_line, require_few
from goldpan.kinds.papers.input_files.input_record import (
    InputCounts,
    MisspeltFieldError,
    known_fields,
    paper_facts,
    parse_record,
)
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.sources.library.models import LibraryPaper
from pydantic_core import from_json

from goldpan_local.files import MAX_FILE_BYTES, decode, named_in_errors, read_bytes
from goldpan_local.library_files.reference_fields import in_json

DATA_DIR, INDEX_FILE = Path("data"), Path("index", "papers.json")
"""What is searched without an option if there is no default project."""
SHOWN = {"id", "title", "authors", "score", "excerpt"}
"""What JSON has of a paper that was found."""
MAX_VALUES = 10_000_000
"""Of an index, counted by their separators."""
ITEMS, RESULTS = "items", "results"
"""Where Better BibTeX's JSON has them, and an answer of goldpan."""
NO_INDEX = f'has no papers; {{"{KIND}": [...]}}, a list, or an object with a paper for each id is required'
Entries = Iterator[tuple[str, Callable[[], Mapping[str, object]]]]
"""The place of each record of a file, and what parses its fields; that raises `ValueError` for a wrong one."""


@dataclass
class Reading:
    """The counts of one import; `on_position` is called with the bytes read of the current file."""

    skipped: int = 0
    faults: list[str] = field(default_factory=list)
    """The first records that were left out, each with its file, place and reason."""
    counts: InputCounts = field(default_factory=InputCounts)
    not_utf8: list[str] = field(default_factory=list)
    """The files that were read as Latin-1."""
    on_position: Callable[[int], None] | None = None

    def text(self, path: Path, max_bytes: int = MAX_FILE_BYTES) -> str:
        """Read a file as text, and count it if it is taken for Latin-1. Raises `InvalidRequest`."""
        text, is_unicode = decode(read_bytes(path, max_bytes), str(path))
        if not is_unicode:
            self.not_utf8.append(str(path))
        return text

    @contextmanager
    def leaving_out(self, path: Path, place: str = "") -> Iterator[None]:
        """Leave out a record that is wrong. Raises `InvalidRequest` for a misspelt field."""
        try:
            yield
        except MisspeltFieldError as error:
            raise InvalidRequest(f"{f'{path} {place}'.rstrip()}: {error}") from error
        except ValueError as error:
            self.skip(path, place, error)

    def skip(self, path: Path, place: str, fault: object) -> None:
        """Count a record that is left out, and name it if it is among the first."""
        self.skipped += 1
        if len(self.faults) < MAX_NAMED:
            self.faults.append(f"{f'{path} {place}'.rstrip()}: {fault}")

    def notes(self) -> Iterator[str]:
        """Describe what was left out or assumed, a line each."""
        yield from self.faults
        if self.skipped > len(self.faults):
            yield f"and {counted(self.skipped - len(self.faults), 'more records')} left out"
        yield from (f"{name}: not UTF-8, so read as Latin-1" for name in self.not_utf8)
        yield from self.counts.notes()


def read_entries(path: Path, entries: Entries, prefix: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Make a paper of each record that is not wrong; its id is its own or the prefix and the last word of its place."""
    for place, parse in entries:
        with reading.leaving_out(path, place):
            yield make_library_paper(parse(), f"{prefix}:{place.rpartition(' ')[2]}", reading.counts)


def data_directory_papers(given: Path | None, missing: str) -> tuple[Iterator[LibraryPaper], Reading]:
    """Read the papers of DIR/index/papers.json, by default of ./data, as they are iterated, and what is left out.

    Raises `InvalidRequest` that names a given directory that is none, and `missing` if it has no such file.
    """
    folder = given or DATA_DIR
    if given is not None and not given.is_dir():
        reason = "is not a directory" if given.exists() else "no such directory"
        raise InvalidRequest(f"--data-dir: {given}: {reason}")
    if not (folder / INDEX_FILE).exists():
        raise InvalidRequest(missing)
    reading = Reading()
    return read_entries(folder / INDEX_FILE, index_entries(folder / INDEX_FILE, reading), "paper", reading), reading


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


def index_entries(path: Path, reading: Reading) -> Entries:
    """Read an index of papers in JSON. Raises `InvalidRequest` if it is none; one that has no papers is empty."""
    text = reading.text(path)
    require_few(str(path), text, ",[{", MAX_VALUES, "values")
    try:
        document = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidRequest(f"{path}: not JSON: {error}") from error
    del text
    for place, held in _entries(path, document):
        yield place, partial(_fields, held, reading.counts)


def line_entries(path: Path, reading: Reading) -> Entries:
    """Read JSON Lines, one paper a line, with memory for one of them."""
    with named_in_errors(path, InvalidRequest):
        for number, line in bounded_lines(path, reading.on_position):
            if line.strip():
                yield f"line {number}", partial(_of_line, line.rstrip(), reading.counts)


def _of_line(line: bytes, counts: InputCounts) -> dict[str, object]:
    return _fields(parse_line(line), counts)


def _fields(held: object, counts: InputCounts) -> dict[str, object]:
    """Return the fields of a record, also as CSL-JSON. Raises `ValueError` if it is none."""
    return in_json(held) or known_fields(held, counts)


def _entries(path: Path, document: object) -> Iterable[tuple[str, object]]:
    """Return the entries of an index: a list, or an object by id; either alone, or as the field `papers` or `items`."""
    held = document.get(KIND, document.get(ITEMS, document)) if isinstance(document, dict) else document
    if isinstance(held, dict) and isinstance(held.get(RESULTS), list):
        held = held[RESULTS]
    if isinstance(held, list):
        return ((f"paper {place}", entry) for place, entry in enumerate(held, start=1))
    if isinstance(held, dict) and (held is not document or all(isinstance(entry, dict) for entry in held.values())):
        return ((f"paper {key}", _with_id(key, entry)) for key, entry in held.items())
    if held is document and isinstance(held, dict) and "title" in held:
        return [("paper 1", held)]
    raise InvalidRequest(f"{path}: {NO_INDEX}")


def _with_id(key: str, entry: object) -> object:
    return entry | {"id": entry.get("id") or key} if isinstance(entry, dict) else entry
