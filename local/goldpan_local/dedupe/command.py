"""`goldpan dedupe`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from goldpan.kinds.papers.input_files.groups import group_records

from goldpan_local.dedupe.input_file import read_input
from goldpan_local.dedupe.output_file import render, write_output
from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.files import require_other_file
from goldpan_local.formats.values import counted
from goldpan_local.lazy_group import command
from goldpan_local.option_values import DEDUPE_FORMATS as FORMATS
from goldpan_local.option_values import format_option, one_of
from goldpan_local.paper_files.file_bytes import BIBTEX_SUFFIXES
from goldpan_local.progress import show_count, show_share


@command("dedupe", epilog="Example: goldpan dedupe library.bib --format bibtex --output clean.bib")
def dedupe(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines or BibTeX, may be a .gz file; - is stdin.")],
    output_format: Annotated[
        str | None,
        format_option(
            FORMATS,
            "json (default; the groups), jsonl (one merged record per line) or bibtex (the cleaned bibliography).",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to stdout.")
    ] = None,
) -> None:
    """Find the records of FILE that are the same paper, and merge them.

    Fields of a record: id, title, authors (a list, or a text), year, venue, doi, arxiv, pmid, pmcid, openalex,
    semantic_scholar, corpus, google_scholar, url, pdf_url, abstract, type, citations, open_access, source. A record
    without an id is named by its line.
    """
    chosen = _format(output_format, output)
    if output is None:
        require_stdout()
    else:
        require_other_file(file, output)
    with show_count("Reading") as report:
        parsed = read_input(file, report)
    with show_share("Comparing") as report_share:
        groups = group_records(parsed.records, report_share)
    notes = [
        *parsed.notes(),
        f"{parsed.name}: {counted(len(parsed.records), 'records')} of {counted(len(groups), 'papers')}",
    ]
    write_output(render(groups, parsed, chosen), output)
    write_notes(notes)


def _format(given: str | None, target: Path | None) -> str:
    """Return the format that was asked for, else that of the output's name, else JSON. Raises `InvalidRequest`."""
    if given is None:
        suffix = target.suffix.lower() if target else ""
        return "bibtex" if suffix in BIBTEX_SUFFIXES else "jsonl" if suffix in {".jsonl", ".ndjson"} else "json"
    return one_of("--format", given, FORMATS)
