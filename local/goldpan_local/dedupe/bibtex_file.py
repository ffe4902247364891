"""Reads and writes a bibliography in BibTeX: each entry is a record, whose id is its key."""

from __future__ import annotations

from collections.abc import Mapping

from bibtexparser import BibtexFormat, Library, write_string
from bibtexparser.middlewares import default_unparse_stack
from bibtexparser.model import Field
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.exports.bibtex import INDENT
from goldpan.kinds.papers.input_files.groups import ParsedRecord
from goldpan.kinds.papers.input_files.input_record import InputRecord, make_paper, parse_fields

from goldpan_local.dedupe.parsed import ParsedFile
from goldpan_local.paper_files.bibtex_entries import describe_fault, line_of, parse_bibtex, record_fields


def read_bibtex(name: str, text: str) -> ParsedFile:
    """Parse a bibliography. Raises `InvalidRequest` that names the line of the first entry that cannot be read."""
    library = parse_bibtex(text)
    for block in library.failed_blocks:
        raise InvalidRequest(f"{name} line {line_of(block)}: {describe_fault(block)}")
    if not library.entries:
        message = f"{name}: has no records; BibTeX entries such as @article{{key, title = {{...}}}} are required"
        raise InvalidRequest(message)
    parsed = ParsedFile(name, [], library=library)
    for entry in library.entries:
        place = f"line {line_of(entry)}"
        try:
            record = parse_fields(InputRecord, record_fields(entry))
        except ValueError as error:
            message = f"{name} {place}: {error}"
            raise InvalidRequest(message) from error
        parsed.records.append(ParsedRecord(entry.key, make_paper(record, parsed.counts), place))
    return parsed


def write_kept(library: Library, kept: Mapping[str, Mapping[str, str]]) -> str:
    """Write the entries with these keys alone, a field a line, with the given fields for those that lack them."""
    library.remove([entry for entry in library.entries if entry.key not in kept])
    for entry in library.entries:
        present = {field.key.lower() for field in entry.fields}
        for field, value in kept[entry.key].items():
            if value and field.lower() not in present:
                entry.set_field(Field(field, value))
    layout = BibtexFormat()
    layout.indent, layout.block_separator, layout.trailing_comma = INDENT, "\n", True
    return str(write_string(library, default_unparse_stack(allow_inplace_modification=True), bibtex_format=layout))
