"""Reads the file of `goldpan dedupe`, by its name or its content; `-` is stdin."""

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from bibtexparser import BibtexFormat, Library, write_string
from bibtexparser.middlewares import default_unparse_stack
from bibtexparser.model import DuplicateBlockKeyBlock, Entry, Field
from goldpan.counts import first_named
from goldpan.errors import InvalidRequest, naming
from goldpan.infra.input_lines import parse_line
from goldpan.kinds.papers.exports import INDENT
from goldpan.kinds.papers.input_files.groups import ParsedRecord, require_unique
from goldpan.kinds.papers.input_files.input_record import (
    InputCounts,
    InputRecord,
    make_paper,
    parse_record,
    read_record,
)

from goldpan_local.files import BIBTEX_SUFFIXES, decode, read_bytes, read_stdin
from goldpan_local.library_files.bibtex_entries import describe_fault, line_of, parse_bibtex, records_of
from goldpan_local.library_files.records import Reading, index_entries
from goldpan_local.library_files.references import READERS

MAX_RECORDS = 1_000_000
"""That are compared with one another."""
LINES_SUFFIXES = (".jsonl", ".ndjson")
Held = TypeVar("Held")
_ENTRY = re.compile(r"^\s*@\s*\w+\s*[{(]", re.MULTILINE)


@dataclass
class ParsedFile:
    """The records of a file in their order; `library` has the entries of a bibliography, by the ids as keys."""

    name: str
    records: list[ParsedRecord]
    reading: Reading = field(default_factory=Reading)
    library: Library | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    """The former ids of records whose ids were those of others."""

    def notes(self) -> Iterator[str]:
        """Describe what was left out or renamed."""
        for note in self.reading.notes():
            yield note if note.startswith(self.name) else f"{self.name}: {note}"
        if self.renamed:
            named = [f"{old} to {new}" for new, old in self.renamed.items()]
            yield f"{self.name}: ids that several records have, renamed: {first_named(named)}"

    def rename_repeated(self) -> None:
        """Give each record whose id is that of an earlier one a suffix, such as -2."""
        taken = {str(record.key) for record in self.records}
        seen: set[str] = set()
        for place, record in enumerate(self.records):
            if (old := str(record.key)) in seen:
                self.records[place] = replace(record, key=self.rename(old, taken))
                taken.add(str(self.records[place].key))
            seen.add(old)

    def rename(self, old: str, taken: Container[str]) -> str:
        """Return an id with the first suffix that is free."""
        new = next(made for count in itertools.count(2) if (made := f"{old}-{count}") not in taken)
        self.renamed[new] = old
        return new


def read_bibtex(
    text: str, parsed: ParsedFile, *, strict: bool
) -> Iterator[tuple[str, str, Callable[[], dict[str, object]]]]:
    """Yield the entries of a bibliography. Raises `InvalidRequest` that names the line of the first wrong one."""
    name = parsed.name

    def rename_repeated(library: Library) -> None:
        for block in library.failed_blocks:
            entry = None if strict or not isinstance(block, DuplicateBlockKeyBlock) else block.ignore_error_block
            if not isinstance(entry, Entry):
                raise InvalidRequest(f"{name} line {line_of(block)}: {describe_fault(block)}")
            entry.key = parsed.rename(entry.key, library.entries_dict)
            library.replace(block, entry)

    library = parse_bibtex(name, text, rename_repeated)
    if not library.entries:
        message = f"{name}: has no records; BibTeX entries such as @article{{key, title = {{...}}}} are required"
        raise InvalidRequest(message)
    parsed.library = library
    yield from ((entry.key, f"line {line_of(entry)}", parse) for entry, parse in records_of(library))


def write_kept(library: Library, kept: Mapping[str, tuple[Sequence[str], Mapping[str, str]]]) -> str:
    """Write the entries of `kept` with what they lack: fields of others of their type and year, then those given.

    A `crossref` to an entry that is not kept leads to the kept one, which goes to the end: BibTeX finds no earlier one.
    """
    entries = library.entries_dict
    moved, last = {other: key for key, (others, _) in kept.items() for other in others}, set[str]()
    for key, (others, fields) in kept.items():
        entry = entries[key]
        for other in (entries[name] for name in others):
            years = {str(each["year"]) for each in (entry, other) if "year" in each}
            if other.entry_type.lower() == entry.entry_type.lower() and len(years) <= 1:
                _add_missing(entry, other.fields)
        _add_missing(entry, [Field(name, value) for name, value in fields.items() if value])
        for each in entry.fields:
            if each.key.lower() == "crossref" and each.value in moved:
                each.value = moved[each.value]
                last.add(each.value)
    blocks = [block for block in library.blocks if not isinstance(block, Entry) or block.key in kept]
    blocks.sort(key=lambda block: isinstance(block, Entry) and block.key in last)
    layout = BibtexFormat()
    layout.indent, layout.block_separator, layout.trailing_comma = INDENT, "\n", True
    stack = default_unparse_stack(allow_inplace_modification=True)
    return str(write_string(Library(blocks), stack, bibtex_format=layout))


def _add_missing(entry: Entry, fields: Iterable[Field]) -> None:
    present = {each.key.lower() for each in entry.fields}
    for each in fields:
        if each.key.lower() not in present:
            entry.set_field(each)


def read_input(path: Path, report: Callable[[int], None], *, strict: bool = False) -> ParsedFile:
    """Read the records of a file, and report their number.

    Without `strict`, a field with an invalid value is left out, and an id that another record has gets a suffix. Raises
    `InvalidRequest` that names the file and the line.
    """
    is_stdin = str(path) == "-"
    name = "stdin" if is_stdin else str(path)
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    parsed = ParsedFile(name, [], Reading(counts=InputCounts(omit_invalid=not strict)))
    if read := {".json": index_entries, **READERS}.get(suffix):
        entries = enumerate(read(path, parsed.reading), start=1)
        parse = read_record if suffix == ".json" else parse_record
        _collect(((number, place, fields) for number, (place, fields) in entries), parse, parsed, report)
    else:
        content = (read_stdin() if is_stdin else read_bytes(path)).removeprefix(b"\xef\xbb\xbf")
        if suffix in BIBTEX_SUFFIXES or (suffix not in LINES_SUFFIXES and _looks_like_bibtex(content)):
            text, is_utf8 = decode(content, name)
            parsed.reading.not_utf8 += [] if is_utf8 else [name]
            _collect(read_bibtex(text, parsed, strict=strict), parse_record, parsed, report)
        else:
            numbered = enumerate(content.split(b"\n"), start=1)
            lines = ((number, f"line {number}", partial(parse_line, line)) for number, line in numbered if line.strip())
            _collect(lines, read_record, parsed, report)
    if strict:
        require_unique(name, parsed.records)
    parsed.rename_repeated()
    return parsed


def _collect(
    records: Iterable[tuple[int | str, str, Callable[[], Held]]],
    parse: Callable[[Held, InputCounts], InputRecord],
    parsed: ParsedFile,
    report: Callable[[int], None],
) -> None:
    """Parse the records, each with the id of one without its own, and its place, which a fault names."""
    for default_id, place, fields in records:
        with naming(f"{parsed.name} {place}", ValueError):
            record = parse(fields(), parsed.reading.counts)
            paper = make_paper(record, parsed.reading.counts)
        key = default_id if record.id is None else record.id
        parsed.records.append(ParsedRecord(key, paper, place=place, tags=record.tags, summary=record.summary))
        report(len(parsed.records))
        if len(parsed.records) > MAX_RECORDS:
            raise InvalidRequest(f"{parsed.name} {place}: a file must have at most {MAX_RECORDS:,} records")
    if not parsed.records:
        raise InvalidRequest(f"{parsed.name}: has no records; one at least is required")


def _looks_like_bibtex(content: bytes) -> bool:
    return content.lstrip()[:1] not in (b"{", b"[") and bool(_ENTRY.search(content.decode("utf-8", "replace")))
