"""Writes the groups as JSON, JSON Lines or BibTeX, to stdout or as a whole into a file."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from bibtexparser import Library
from goldpan.escaping import escape_json
from goldpan.kinds.papers.deduplication.preprints import is_preprint
from goldpan.kinds.papers.exports.bibtex import escape_latex, render_bibtex, verbatim
from goldpan.kinds.papers.input_files.groups import DuplicateGroup, ParsedRecord
from goldpan.kinds.papers.results import RankedPaper

from goldpan_local.dedupe.input_file import ParsedFile, write_kept
from goldpan_local.exit_codes import write_stdout
from goldpan_local.files import named_in_errors

BIBTEX_FIELDS = ("title", "authors", "year", "venue", "type", "url", "pdf_url")


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
