"""Reads the file of `goldpan dedupe`: JSON Lines or BibTeX, by its name or its content; `-` is stdin."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bibtexparser import BibtexFormat, Library, write_string
from bibtexparser.middlewares import default_unparse_stack
from bibtexparser.model import Field
from goldpan.errors import InvalidRequest
from goldpan.infra.input_lines import parse_line
from goldpan.kinds.papers.exports.bibtex import INDENT
from goldpan.kinds.papers.input_files.field_names import InputCounts
from goldpan.kinds.papers.input_files.groups import ParsedRecord, require_unique
from goldpan.kinds.papers.input_files.input_record import make_paper, parse_record, read_record

from goldpan_local.files import BIBTEX_SUFFIXES, read_bytes, read_stdin
from goldpan_local.library_files.bibtex_entries import describe_fault, line_of, macros_of, parse_bibtex, record_fields

MAX_RECORDS = 1_000_000
"""That are compared with one another."""
LINES_SUFFIXES = (".jsonl", ".ndjson", ".json")
_ENTRY = re.compile(r"^\s*@\s*\w+\s*[{(]", re.MULTILINE)


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


def read_bibtex(name: str, text: str) -> ParsedFile:
    """Parse a bibliography. Raises `InvalidRequest` that names the line of the first entry that cannot be read."""
    library = parse_bibtex(name, text)
    for block in library.failed_blocks:
        raise InvalidRequest(f"{name} line {line_of(block)}: {describe_fault(block)}")
    if not library.entries:
        message = f"{name}: has no records; BibTeX entries such as @article{{key, title = {{...}}}} are required"
        raise InvalidRequest(message)
    parsed = ParsedFile(name, [], library=library)
    macros = macros_of(library)
    for entry in library.entries:
        place = f"line {line_of(entry)}"
        with _named_place(name, place):
            record = parse_record(record_fields(entry, macros))
        parsed.records.append(ParsedRecord(entry.key, make_paper(record, parsed.counts), place))
    return parsed


def write_kept(library: Library, kept: Mapping[str, Mapping[str, str]]) -> str:
    """Write the entries with these keys alone, a field a line, with the given fields for those that lack them."""
    library.remove([entry for entry in library.entries if entry.key not in kept])
    for entry in library.entries:
        present = {each.key.lower() for each in entry.fields}
        for name, value in kept[entry.key].items():
            if value and name.lower() not in present:
                entry.set_field(Field(name, value))
    layout = BibtexFormat()
    layout.indent, layout.block_separator, layout.trailing_comma = INDENT, "\n", True
    return str(write_string(library, default_unparse_stack(allow_inplace_modification=True), bibtex_format=layout))


def read_input(path: Path, report: Callable[[int], None]) -> ParsedFile:
    """Read the records of a file, and report their number. Raises `InvalidRequest` that names the file and the line."""
    name = "stdin" if str(path) == "-" else str(path)
    content = (read_stdin() if name == "stdin" else read_bytes(path)).removeprefix(b"\xef\xbb\xbf")
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in LINES_SUFFIXES:
        is_bibtex = False
    else:
        is_bibtex = bool(suffixes and suffixes[-1] in BIBTEX_SUFFIXES) or _looks_like_bibtex(content)
    parsed = read_bibtex(name, _text(content, name)) if is_bibtex else read_lines(name, content, report)
    require_unique(name, parsed.records)
    return parsed


def read_lines(name: str, content: bytes, report: Callable[[int], None]) -> ParsedFile:
    """Parse JSON Lines; blank lines are skipped."""
    parsed = ParsedFile(name, [])
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        with _named_place(name, place):
            record = read_record(parse_line(line), parsed.counts)
            paper = make_paper(record, parsed.counts)
        parsed.records.append(ParsedRecord(number if record.id is None else record.id, paper, place))
        report(len(parsed.records))
        if len(parsed.records) > MAX_RECORDS:
            raise InvalidRequest(f"{name} {place}: a file must have at most {MAX_RECORDS:,} records")
    if not parsed.records:
        raise InvalidRequest(f"{name}: has no records; one JSON object a line, or BibTeX entries are required")
    return parsed


@contextmanager
def _named_place(name: str, place: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise InvalidRequest(f"{name} {place}: {error}") from error


def _looks_like_bibtex(content: bytes) -> bool:
    return content.lstrip()[:1] not in (b"{", b"[") and bool(_ENTRY.search(content.decode("utf-8", "replace")))


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InvalidRequest(f"{name} line {line}: not UTF-8 text: {error.reason}") from error
