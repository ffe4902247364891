"""Reads a bibliography in BibTeX: each entry is a record, whose id is its key."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.constraints import PaperType
from goldpan.kinds.papers.models import Paper

from goldpan_local.dedupe.input_record import InputCounts, InputRecord, make_paper
from goldpan_local.dedupe.parsed import ParsedFile, ParsedRecord

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Block, Entry

TYPES: dict[str, PaperType] = {
    "article": "article", "inproceedings": "conference", "conference": "conference", "proceedings": "book",
    "book": "book", "inbook": "chapter", "incollection": "chapter", "phdthesis": "thesis", "mastersthesis": "thesis",
    "thesis": "thesis", "dataset": "dataset",
}  # fmt: skip
VENUES = ("journal", "journaltitle", "booktitle", "school", "howpublished", "publisher")
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)")
_LATEX = re.compile(r"[\\{}$~]")
_NAME_BREAK = re.compile(r"\s+and\s+", re.IGNORECASE)


def read_bibtex(name: str, text: str) -> ParsedFile:
    """Parse a bibliography. Raises `InvalidRequest` that names the line of the first entry that cannot be read."""
    from bibtexparser import parse_string  # noqa: PLC0415 - for bibliographies only

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # its warnings are raised here as errors
    library = parse_string(text)
    for block in library.failed_blocks:
        raise InvalidRequest(f"{name} line {_line(block)}: {_fault(block)}")
    if not library.entries:
        message = f"{name}: has no records; BibTeX entries such as @article{{key, title = {{...}}}} are required"
        raise InvalidRequest(message)
    parsed = ParsedFile(name, [], library=library)
    for entry in library.entries:
        place = f"line {_line(entry)}"
        try:
            parsed.records.append(ParsedRecord(entry.key, _paper(entry, parsed.counts), place))
        except RecursionError as error:
            message = f"{name} {place}: {entry.key}: LaTeX that is nested too deeply"
            raise InvalidRequest(message) from error
    return parsed


def keep_entries(library: Library, kept: Mapping[str, Mapping[str, str]]) -> None:
    """Leave only the entries with these keys in a library, and add the given fields to those that lack them."""
    from bibtexparser.model import Field  # noqa: PLC0415 - for bibliographies only

    library.remove([entry for entry in library.entries if entry.key not in kept])
    for entry in library.entries:
        present = {field.key.lower() for field in entry.fields}
        for field, value in kept[entry.key].items():
            if value and field.lower() not in present:
                entry.set_field(Field(field, value))


def _line(block: Block) -> int:
    return int(block.start_line) + 1


def _fault(block: Any) -> str:
    """Describe a block that cannot be read, in one line."""
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock  # noqa: PLC0415

    if isinstance(block, DuplicateBlockKeyBlock):
        return f"id: {block.key!r} is already that of line {_line(block.previous_block)}"
    if isinstance(block, DuplicateFieldKeyBlock):
        fields = ", ".join(sorted(block.duplicate_keys))
        return f"an entry has a field more than once: {fields}"
    return " ".join(str(getattr(block.error, "abort_reason", block.error)).split())


def _paper(entry: Entry, counts: InputCounts) -> Paper:
    fields = {field.key.lower(): str(field.value) for field in entry.fields}
    plain = {name: _plain(value) for name, value in fields.items()}
    year = _YEAR.search(plain.get("year", "") or plain.get("date", ""))
    is_arxiv = "arxiv" in (fields.get("archiveprefix", "") + fields.get("eprinttype", "")).lower()
    entry_type = entry.entry_type.lower()
    record = InputRecord(
        title=plain.get("title"),
        authors=tuple(_plain(each) for each in _NAME_BREAK.split(fields.get("author", "")) if each.strip() != "others"),
        year=int(year[0]) if year else None,
        venue=next((plain[field] for field in VENUES if plain.get(field)), None),
        abstract=plain.get("abstract"),
        url=fields.get("url"),
        doi=fields.get("doi"),
        arxiv=fields.get("eprint") if is_arxiv else None,
        pmid=fields.get("pmid"),
        pmcid=fields.get("pmcid"),
        type="preprint" if is_arxiv and entry_type in {"misc", "unpublished", "online"} else TYPES.get(entry_type),
    )
    return make_paper(record, counts)


def _plain(value: str) -> str:
    """Return the text that LaTeX typesets."""
    if not _LATEX.search(value):
        return " ".join(value.split())
    return " ".join(str(_decoder().latex_to_text(value)).split())


@cache
def _decoder() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text  # noqa: PLC0415 - comes with bibtexparser

    return LatexNodes2Text(math_mode="verbatim", keep_braced_groups=False)
