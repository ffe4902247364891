"""`goldpan dedupe`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files.groups import group_records

from goldpan_local.completion import DEDUPE_FORMATS as FORMATS
from goldpan_local.completion import format_option
from goldpan_local.dedupe.input_file import read_input
from goldpan_local.dedupe.output_file import render, write_output
from goldpan_local.exit_codes import exit_on_error, require_stdout, write_notes
from goldpan_local.option_values import one_of
from goldpan_local.paper_files.file_bytes import BIBTEX_SUFFIXES
from goldpan_local.progress import show_count, show_share

dedupe_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@dedupe_app.command("dedupe", epilog="Example: goldpan dedupe library.bib --format bibtex --output clean.bib")
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
    with exit_on_error():
        run_dedupe(file, output_format, output)


def run_dedupe(source: Path, output_format: str | None, target: Path | None) -> None:
    """Read the records, group them, and write the groups. Raises `InvalidRequest` or `Misconfigured`.

    Nothing is written before all is read and grouped.
    """
    chosen = _format(output_format, target)
    if target is None:
        require_stdout()
    elif target.exists() and source.exists() and target.samefile(source):
        message = f"{target}: input and output are the same file"
        raise InvalidRequest(message)
    with show_count("Reading") as report:
        parsed = read_input(source, report)
    with show_share("Comparing") as report_share:
        groups = group_records(parsed.records, report_share)
    notes = [
        *parsed.notes(),
        f"{parsed.name}: {_counted(len(parsed.records), 'record')} of {_counted(len(groups), 'paper')}",
    ]
    write_output(render(groups, parsed, chosen), target)
    write_notes(notes)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _format(given: str | None, target: Path | None) -> str:
    """Return the format that was asked for, else that of the output's name, else JSON. Raises `InvalidRequest`."""
    if given is None:
        suffix = target.suffix.lower() if target else ""
        return "bibtex" if suffix in BIBTEX_SUFFIXES else "jsonl" if suffix in {".jsonl", ".ndjson"} else "json"
    return one_of("--format", given, FORMATS)
