"""`goldpan dedupe`: writes the groups as JSON, JSON Lines or BibTeX, to stdout or as a whole into a file."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from bibtexparser import Library
from goldpan.counts import counted
from goldpan.escaping import escape_json
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.exports.bibtex import escape_latex, render_bibtex, verbatim
from goldpan.kinds.papers.input_files.groups import DuplicateGroup, ParsedRecord, group_records
from goldpan.kinds.papers.models import KIND
from goldpan.kinds.papers.publication import PUBLICATION
from goldpan.kinds.papers.results import RankedPaper

from goldpan_local.dedupe.input_file import ParsedFile, read_input, write_kept
from goldpan_local.exit_codes import require_stdout, write_notes, write_stdout
from goldpan_local.files import BIBTEX_SUFFIXES, named_in_errors, require_other_file
from goldpan_local.lazy_group import command
from goldpan_local.option_values import DEDUPE_FORMATS as FORMATS
from goldpan_local.option_values import format_option, one_of
from goldpan_local.progress import show_count, show_share

BIBTEX_FIELDS = ("title", "authors", "year", "venue", "type", "abstract", "url", "pdf_url", *PUBLICATION)


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
        f"{parsed.name}: {counted(len(parsed.records), 'records')} of {counted(len(groups), KIND)}",
    ]
    write_output(render(groups, parsed, chosen), output)
    write_notes(notes)


def _format(given: str | None, target: Path | None) -> str:
    """Return the format that was asked for, else that of the output's name, else JSON. Raises `InvalidRequest`."""
    if given is None:
        suffix = target.suffix.lower() if target else ""
        return "bibtex" if suffix in BIBTEX_SUFFIXES else "jsonl" if suffix in {".jsonl", ".ndjson"} else "json"
    return one_of("--format", given, FORMATS)


def render(groups: Sequence[DuplicateGroup], parsed: ParsedFile, output_format: str) -> str:
    """Render the groups; the cleaned bibliography keeps the entries of the input, if that is one."""
    if output_format == "bibtex":
        return _own_bibtex(groups, parsed.library, parsed.records) if parsed.library else _new_bibtex(groups)
    if output_format == "jsonl":
        return "".join(f"{_json(group.as_record())}\n" for group in groups)
    lines = ",\n".join(_json(group.as_json()) for group in groups)
    return f'{{"groups": [\n{lines}\n]}}\n'


def write_output(text: str, target: Path | None) -> None:
    """Write to stdout, or into a file that is replaced only when all is written. Raises `Misconfigured`."""
    if target is None:
        write_stdout(text)
        return
    target = target.resolve()
    with named_in_errors(target):
        if target.exists() and not target.is_file():  # a device or a pipe has no content to lose
            target.write_text(text, "utf-8")
            return
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.write_text(text, "utf-8")
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


def _json(value: Mapping[str, object]) -> str:
    line = json.dumps(value, ensure_ascii=False)
    return line if line.isprintable() else escape_json(line)


def _own_bibtex(groups: Sequence[DuplicateGroup], library: Library, parsed: Sequence[ParsedRecord]) -> str:
    """Keep the preferred entry of each group; `ids` lists the keys of the others, by which biblatex finds it too."""
    records = {record.id: record for record in parsed}
    kept: dict[str, dict[str, str]] = {}
    for group in groups:
        best = min((records[member] for member in group.members), key=_preference)
        others = [str(member) for member in group.members if member != best.id]
        kept[str(best.id)] = _missing_ids(group) | {"ids": ", ".join(others)} if others else {}
    return write_kept(library, kept)


def _preference(record: ParsedRecord) -> tuple[bool, bool, int]:
    """Prefer a publication to a preprint, then an entry with a DOI, then the one that knows most; else the first."""
    known = sum(value not in (None, "", ()) for _, value in record.paper)
    return is_preprint(record.paper), record.paper.ids.doi is None, -known


def _missing_ids(group: DuplicateGroup) -> dict[str, str]:
    """Return the identifiers of the merged paper as fields; an entry gets those that it lacks."""
    ids, url = group.merged.paper.ids, group.merged.paper.url
    arxiv = {"eprint": verbatim(ids.arxiv), "archivePrefix": "arXiv"} if ids.arxiv else {}
    return {"doi": verbatim(ids.doi), **arxiv, "pmid": escape_latex(ids.pmid), "url": verbatim(url)}


def _new_bibtex(groups: Sequence[DuplicateGroup]) -> str:
    return render_bibtex(
        RankedPaper(
            id=str(group.members[0]), relevance=0, reasoning="", basis="rules", found_by=(), ids=group.merged.paper.ids,
            **{name: getattr(group.merged.paper, name) for name in BIBTEX_FIELDS},
        )
        for group in groups
    )  # fmt: skip
