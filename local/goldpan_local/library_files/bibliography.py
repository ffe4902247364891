"""Reads a bibliography in BibTeX into the papers of a library."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bibtexparser.model import Entry
from goldpan.kinds.papers.sources.library.models import LibraryPaper

from goldpan_local.library_files.record import Reading, make_library_paper
from goldpan_local.paper_files.bibtex_entries import describe_fault, line_of, parse_bibtex, record_fields, typeset

SUMMARIES, KEYWORDS = ("annote", "annotation"), ("keywords", "keyword")
"""Fields of BibTeX that hold what the user wrote, and the tags."""


def read_bibliography(path: Path, prefix: str, reading: Reading) -> Iterator[LibraryPaper]:
    """Read a bibliography in BibTeX; the key of an entry is its id."""
    library = parse_bibtex(reading.text(path))
    for block in library.failed_blocks:
        reading.skip(path, f"line {line_of(block)}", describe_fault(block))
    for entry in library.entries:
        yield from reading.paper(path, f"line {line_of(entry)}", partial(_paper, entry, prefix, reading))


def _paper(entry: Entry, default_id: str, reading: Reading) -> LibraryPaper:
    fields = {"id": entry.key, **record_fields(entry), **_own_words(entry)}
    return make_library_paper(fields, default_id, reading.counts)


def _own_words(entry: Entry) -> dict[str, object]:
    """Return the summary and the tags of an entry."""
    fields = {field.key.lower(): str(field.value) for field in entry.fields}
    summary = "\n\n".join(typeset(fields[name]) for name in SUMMARIES if fields.get(name))
    keywords = next((typeset(fields[name]) for name in KEYWORDS if fields.get(name)), None)
    return {"summary": summary or None, "tags": keywords}
