"""Runs `goldpan dedupe`."""

from __future__ import annotations

from pathlib import Path

from goldpan.errors import InvalidRequest
from goldpan.kinds.papers.input_files.groups import group_records

from goldpan_local.completion import DEDUPE_FORMATS as FORMATS
from goldpan_local.dedupe.input_file import read_input
from goldpan_local.dedupe.output_file import render, write_output
from goldpan_local.exit_codes import require_stdout, write_notes
from goldpan_local.option_values import one_of
from goldpan_local.paper_files.bibtex_entries import BIBTEX_SUFFIXES
from goldpan_local.progress import show_count, show_share


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
