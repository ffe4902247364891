"""Reads a bibliography in BibTeX into the papers of a library."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bibtexparser.model import Entry
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.library_files.record import Reading, make_library_paper
from goldpan_local.paper_files.bibtex_entries import describe_fault, line_of, parse_bibtex, record_fields


def read_bibliography(path: Path, prefix: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Read a bibliography in BibTeX; the key of an entry is its id."""
    library = parse_bibtex(reading.text(path))
    for block in library.failed_blocks:
        reading.skip(path, f"line {line_of(block)}", describe_fault(block))
    for entry in library.entries:
        yield from reading.paper(path, f"line {line_of(entry)}", partial(_paper, entry, prefix, reading))


def _paper(entry: Entry, default_id: str, reading: Reading) -> LibraryPaper:
    return make_library_paper({"id": entry.key, **record_fields(entry)}, default_id, reading.counts)
